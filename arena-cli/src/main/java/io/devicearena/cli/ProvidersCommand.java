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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        List<ProviderReport> named = all.stream()
                .filter(report ->
                        providers.provider().map(report.name()::equals).orElse(true))
                .toList();
        if (named.isEmpty() && providers.provider().isPresent()) {
            throw new ProviderUnavailableException(
                    "provider '" + providers.provider().get()
                            + "': expected one of "
                            + all.stream().map(ProviderReport::name).collect(Collectors.joining(", "))
                            + ", got none of that name");
        }
        List<Listed> shown = providers
                .selector()
                .map(selector -> withDevice(named, selector))
                .orElseGet(() -> listed(named, _ -> true));
        output.print(
                json -> json.put(
                        "providers",
                        shown.stream().map(ProvidersCommand::fields).toList()),
                out -> shown.forEach(report -> text(report, out)));
        return 0;
    }

    /** A report, and the devices of it that are printed. */
    private record Listed(ProviderReport report, List<ArenaDevice> devices) {}

    private static List<Listed> listed(List<ProviderReport> reports, Predicate<ArenaDevice> chosen) {
        return reports.stream()
                .map(report -> new Listed(report, devices(report).filter(chosen).toList()))
                .toList();
    }

    private static Stream<ArenaDevice> devices(ProviderReport report) {
        return report.availability() instanceof Availability.Ready ready ? ready.devices().stream() : Stream.of();
    }

    /** The reports of providers with a selected device, without their other devices. */
    private static List<Listed> withDevice(List<ProviderReport> reports, DeviceSelector selector) {
        List<Listed> selected = listed(reports, selector::matches).stream()
                .filter(listed -> !listed.devices().isEmpty())
                .toList();
        if (selected.isEmpty()) {
            String known = reports.stream()
                    .flatMap(ProvidersCommand::devices)
                    .map(device -> device.provider() + " " + device.index() + " '" + device.name() + "'")
                    .collect(Collectors.joining(", "));
            throw new ProviderUnavailableException(
                    "--device: expected one of " + known + ", got a device of " + selector);
        }
        return selected;
    }

    private void text(Listed listed, TextLines out) {
        String name = TerminalText.name(listed.report().name());
        switch (listed.report().availability()) {
            case Availability.Ready _ -> {
                out.println(name + ": available");
                listed.devices().forEach(device -> text(device, out));
            }
            case Availability.Missing missing -> {
                out.println(name + ": not available");
                line(out, "why", missing.reason());
                line(out, "remedy", missing.remedy());
            }
        }
    }

    private void text(ArenaDevice device, TextLines out) {
        ArenaLimits limits = device.limits();
        out.println("  device " + device.index() + ": " + TerminalText.name(device.name()));
        line(out, "kind", TerminalText.label(device.kind()) + ", priority " + device.priority());
        line(out, "about", device.description());
        DeviceArenas.identity(device).ifPresent(text -> line(out, "hardware", text));
        List<String> others = others(device);
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

    private static JsonFields fields(Listed listed) {
        JsonFields json = new JsonFields();
        ProviderJson.begin(listed.report(), json);
        return listed.report().availability() instanceof Availability.Ready
                ? json.put(
                        "devices",
                        listed.devices().stream().map(ProvidersCommand::fields).toList())
                : json;
    }

    private static List<String> others(ArenaDevice device) {
        return DeviceArenas.sameHardware(device).stream()
                .map(other -> other.provider() + " " + other.index())
                .toList();
    }

    private static JsonFields fields(ArenaDevice device) {
        ArenaLimits limits = device.limits();
        return new JsonFields()
                .put("index", device.index())
                .put("name", device.name())
                .put("description", device.description())
                .put("kind", TerminalText.label(device.kind()))
                .put("priority", device.priority())
                .put("hardware", DeviceArenas.identity(device).orElse(null))
                .put("alsoListedAs", others(device))
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
