package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DeviceSelector;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.ProviderJson;
import io.devicearena.cli.output.TextLines;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.discovery.ProviderUnavailableException;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Lists the providers, and for one that is not available the reason. */
@Command(
        name = "providers",
        description = "Lists every provider found: its devices, limits and capabilities, or why it is not available"
                + " and what to do.")
final class ProvidersCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Option(
            names = "--facts",
            description = "Also print what each device offers to kernels: workgroup sizes, bindings, subgroups. The"
                    + " JSON document always has it.")
    private boolean facts;

    @Override
    public Integer call() throws IOException {
        List<ProviderReport> all = DeviceArenas.providers();
        List<Listed> reports = all.stream()
                .filter(report ->
                        providers.provider().map(report.name()::equals).orElse(true))
                .map(report -> new Listed(report, devices(report)))
                .toList();
        if (reports.isEmpty() && providers.provider().isPresent()) {
            throw new ProviderUnavailableException(
                    "provider '" + providers.provider().get()
                            + "': expected one of "
                            + all.stream().map(ProviderReport::name).collect(Collectors.joining(", "))
                            + ", got none of that name");
        }
        if (providers.selector().isPresent()) {
            reports = withDevice(reports, providers.selector().get());
        }
        List<Listed> shown = reports;
        Map<String, List<ArenaDevice>> hardware = hardware(all);
        output.print(
                json -> json.put(
                        "providers",
                        shown.stream().map(report -> fields(report, hardware)).toList()),
                out -> shown.forEach(report -> text(report, hardware, out)));
        return 0;
    }

    /** A report, and the devices of it that are printed. */
    private record Listed(ProviderReport report, List<ArenaDevice> devices) {}

    private static List<ArenaDevice> devices(ProviderReport report) {
        return report.availability() instanceof Availability.Ready ready ? ready.devices() : List.of();
    }

    /** The devices of all providers by what names their hardware. */
    private static Map<String, List<ArenaDevice>> hardware(List<ProviderReport> all) {
        Map<String, List<ArenaDevice>> found = new HashMap<>();
        for (ProviderReport report : all) {
            for (ArenaDevice device : devices(report)) {
                DeviceArenas.identity(device)
                        .ifPresent(identity -> found.computeIfAbsent(identity, _ -> new ArrayList<>())
                                .add(device));
            }
        }
        return found;
    }

    /** The reports of providers with a selected device, without their other devices. */
    private static List<Listed> withDevice(List<Listed> reports, DeviceSelector selector) {
        List<Listed> selected = new ArrayList<>();
        StringJoiner known = new StringJoiner(", ");
        for (Listed listed : reports) {
            String name = listed.report().name();
            listed.devices().forEach(device -> known.add(name + " " + device.index() + " '" + device.name() + "'"));
            List<ArenaDevice> devices =
                    listed.devices().stream().filter(selector::matches).toList();
            if (!devices.isEmpty()) {
                selected.add(new Listed(listed.report(), devices));
            }
        }
        if (selected.isEmpty()) {
            throw new ProviderUnavailableException(
                    "--device: expected one of " + known + ", got a device of " + selector);
        }
        return selected;
    }

    private void text(Listed listed, Map<String, List<ArenaDevice>> hardware, TextLines out) {
        String name = TerminalText.name(listed.report().name());
        switch (listed.report().availability()) {
            case Availability.Ready _ -> {
                out.println(name + ": available");
                listed.devices().forEach(device -> text(device, hardware, out));
            }
            case Availability.Missing missing -> {
                out.println(name + ": not available");
                line(out, "why", missing.reason());
                line(out, "remedy", missing.remedy());
            }
        }
    }

    private void text(ArenaDevice device, Map<String, List<ArenaDevice>> hardware, TextLines out) {
        ArenaLimits limits = device.limits();
        out.println("  device " + device.index() + ": " + TerminalText.name(device.name()));
        line(out, "kind", TerminalText.label(device.kind()) + ", priority " + device.priority());
        line(out, "about", device.description());
        Optional<String> identity = DeviceArenas.identity(device);
        identity.ifPresent(text -> line(out, "hardware", text));
        List<String> others = others(device, identity, hardware);
        if (!others.isEmpty()) {
            line(out, "also listed as", String.join(", ", others));
        }
        DeviceArenas.freeBytes(device).ifPresent(free -> line(out, "free memory", HumanReadable.bytes(free)));
        line(out, "largest arena", HumanReadable.bytes(limits.maxArenaBytes()) + ", " + limits.maxArenaName());
        line(out, "largest segment", HumanReadable.bytes(limits.maxSegmentBytes()) + ", " + limits.maxSegmentName());
        line(
                out,
                "largest binding",
                (limits.maxBindingBytes() == Long.MAX_VALUE
                                ? "unlimited"
                                : HumanReadable.bytes(limits.maxBindingBytes()))
                        + ", " + limits.maxBindingName());
        line(
                out,
                "binding alignment",
                HumanReadable.count(limits.bindingAlignmentBytes(), "byte") + ", " + limits.bindingAlignmentName());
        line(out, "alignment", HumanReadable.count(limits.alignmentBytes(), "byte"));
        line(out, "capabilities", device.capabilities().isEmpty() ? "none" : String.join(", ", capabilities(device)));
        if (facts) {
            DeviceArenas.facts(device).forEach((name, value) -> fact(out, name, value));
        }
    }

    private static void fact(TextLines out, String name, Object value) {
        String text =
                value instanceof Long number && name.endsWith("Bytes") ? HumanReadable.bytes(number) : value.toString();
        out.printf(Locale.ROOT, "    %-24s %s%n", TerminalText.name(name), TerminalText.line(text));
    }

    private static void line(TextLines out, String name, String value) {
        out.printf(Locale.ROOT, "    %-18s %s%n", name, TerminalText.line(value));
    }

    private static JsonFields fields(Listed listed, Map<String, List<ArenaDevice>> hardware) {
        JsonFields json = new JsonFields();
        ProviderJson.begin(listed.report(), json);
        return listed.report().availability() instanceof Availability.Ready
                ? json.put(
                        "devices",
                        listed.devices().stream()
                                .map(device -> fields(device, hardware))
                                .toList())
                : json;
    }

    private static List<String> others(
            ArenaDevice device, Optional<String> identity, Map<String, List<ArenaDevice>> hardware) {
        return identity.map(text -> hardware.getOrDefault(text, List.of())).orElse(List.of()).stream()
                .filter(other -> !other.equals(device))
                .map(other -> other.provider() + " " + other.index())
                .toList();
    }

    private static JsonFields fields(ArenaDevice device, Map<String, List<ArenaDevice>> hardware) {
        Optional<String> identity = DeviceArenas.identity(device);
        ArenaLimits limits = device.limits();
        return new JsonFields()
                .put("index", device.index())
                .put("name", device.name())
                .put("description", device.description())
                .put("kind", TerminalText.label(device.kind()))
                .put("priority", device.priority())
                .put("hardware", identity.orElse(null))
                .put("alsoListedAs", others(device, identity, hardware))
                .put("freeBytes", DeviceArenas.freeBytes(device))
                .put("maxArenaBytes", limits.maxArenaBytes())
                .put("maxArenaName", limits.maxArenaName())
                .put("maxSegmentBytes", limits.maxSegmentBytes())
                .put("maxSegmentName", limits.maxSegmentName())
                .put("maxBindingBytes", limits.maxBindingBytes())
                .put("maxBindingName", limits.maxBindingName())
                .put("bindingAlignmentBytes", limits.bindingAlignmentBytes())
                .put("bindingAlignmentName", limits.bindingAlignmentName())
                .put("alignmentBytes", limits.alignmentBytes())
                .put("capabilities", capabilities(device))
                .put("facts", DeviceArenas.facts(device));
    }

    private static List<String> capabilities(ArenaDevice device) {
        return device.capabilities().stream().sorted().map(TerminalText::label).toList();
    }
}
