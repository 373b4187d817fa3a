package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.Capability;
import io.devicearena.DeviceSelector;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.JsonDocument;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.discovery.ProviderUnavailableException;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lists the providers, and for one that is not available the reason. */
@Command(
        name = "providers",
        description = "Lists every provider found: its devices, limits and capabilities, or why it is not available"
                + " and what to do.")
final class ProvidersCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

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
        PrintWriter out = spec.commandLine().getOut();
        if (output.json) {
            JsonDocument.print(out, json -> {
                json.writeArrayFieldStart("providers");
                for (Listed report : shown) {
                    json(report, hardware, json);
                }
                json.writeEndArray();
            });
        } else {
            shown.forEach(report -> text(report, hardware, out));
            out.flush();
        }
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

    private void text(Listed listed, Map<String, List<ArenaDevice>> hardware, PrintWriter out) {
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

    private void text(ArenaDevice device, Map<String, List<ArenaDevice>> hardware, PrintWriter out) {
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
        line(
                out,
                "capabilities",
                device.capabilities().isEmpty()
                        ? "none"
                        : device.capabilities().stream()
                                .sorted()
                                .map(TerminalText::label)
                                .collect(Collectors.joining(", ")));
        if (facts) {
            DeviceArenas.facts(device).forEach((name, value) -> fact(out, name, value));
        }
    }

    private static void fact(PrintWriter out, String name, Object value) {
        String text =
                value instanceof Long number && name.endsWith("Bytes") ? HumanReadable.bytes(number) : value.toString();
        out.println(String.format(Locale.ROOT, "    %-24s %s", TerminalText.name(name), TerminalText.line(text)));
    }

    private static void line(PrintWriter out, String name, String value) {
        out.println(String.format(Locale.ROOT, "    %-18s %s", name, TerminalText.line(value)));
    }

    private static void json(Listed listed, Map<String, List<ArenaDevice>> hardware, JsonGenerator json)
            throws IOException {
        ProviderReport report = listed.report();
        json.writeStartObject();
        json.writeStringField("name", report.name());
        json.writeStringField("implementation", report.implementation());
        switch (report.availability()) {
            case Availability.Ready _ -> {
                json.writeBooleanField("available", true);
                json.writeArrayFieldStart("devices");
                for (ArenaDevice device : listed.devices()) {
                    json(device, hardware, json);
                }
                json.writeEndArray();
            }
            case Availability.Missing missing -> {
                json.writeBooleanField("available", false);
                json.writeStringField("reason", missing.reason());
                json.writeStringField("remedy", missing.remedy());
            }
        }
        json.writeEndObject();
    }

    /** The other listings of a device's hardware, as provider and index. */
    private static List<String> others(
            ArenaDevice device, Optional<String> identity, Map<String, List<ArenaDevice>> hardware) {
        return identity.map(text -> hardware.getOrDefault(text, List.of())).orElse(List.of()).stream()
                .filter(other -> !other.equals(device))
                .map(other -> other.provider() + " " + other.index())
                .toList();
    }

    private static void json(ArenaDevice device, Map<String, List<ArenaDevice>> hardware, JsonGenerator json)
            throws IOException {
        Optional<String> identity = DeviceArenas.identity(device);
        json.writeStartObject();
        json.writeNumberField("index", device.index());
        json.writeStringField("name", device.name());
        json.writeStringField("description", device.description());
        json.writeStringField("kind", TerminalText.label(device.kind()));
        json.writeNumberField("priority", device.priority());
        json.writeStringField("hardware", identity.orElse(null));
        json.writeArrayFieldStart("alsoListedAs");
        for (String other : others(device, identity, hardware)) {
            json.writeString(other);
        }
        json.writeEndArray();
        OptionalLong free = DeviceArenas.freeBytes(device);
        if (free.isPresent()) {
            json.writeNumberField("freeBytes", free.getAsLong());
        } else {
            json.writeNullField("freeBytes");
        }
        ArenaLimits limits = device.limits();
        json.writeNumberField("maxArenaBytes", limits.maxArenaBytes());
        json.writeStringField("maxArenaName", limits.maxArenaName());
        json.writeNumberField("maxSegmentBytes", limits.maxSegmentBytes());
        json.writeStringField("maxSegmentName", limits.maxSegmentName());
        json.writeNumberField("maxBindingBytes", limits.maxBindingBytes());
        json.writeStringField("maxBindingName", limits.maxBindingName());
        json.writeNumberField("bindingAlignmentBytes", limits.bindingAlignmentBytes());
        json.writeStringField("bindingAlignmentName", limits.bindingAlignmentName());
        json.writeNumberField("alignmentBytes", limits.alignmentBytes());
        json.writeArrayFieldStart("capabilities");
        for (Capability capability : device.capabilities().stream().sorted().toList()) {
            json.writeString(TerminalText.label(capability));
        }
        json.writeEndArray();
        json.writeObjectFieldStart("facts");
        for (Map.Entry<String, Object> fact : DeviceArenas.facts(device).entrySet()) {
            json.writeFieldName(fact.getKey());
            switch (fact.getValue()) {
                case Long number -> json.writeNumber(number);
                case Double number -> json.writeNumber(number);
                case Boolean answer -> json.writeBoolean(answer);
                case Object text -> json.writeString(text.toString());
            }
        }
        json.writeEndObject();
        json.writeEndObject();
    }
}
