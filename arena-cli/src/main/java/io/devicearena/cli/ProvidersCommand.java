package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.ArenaDevice;
import io.devicearena.Capability;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.discovery.ProviderUnavailableException;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists what backends there are, or why not. */
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

    @Override
    public Integer call() throws IOException {
        List<ProviderReport> all = DeviceArenas.providers();
        List<ProviderReport> reports = all.stream()
                .filter(report ->
                        providers.provider().map(report.name()::equals).orElse(true))
                .toList();
        if (reports.isEmpty() && providers.provider().isPresent()) {
            throw new ProviderUnavailableException(
                    "provider '" + providers.provider().get()
                            + "': expected one of "
                            + all.stream().map(ProviderReport::name).collect(Collectors.joining(", "))
                            + ", got none of that name");
        }
        PrintWriter out = spec.commandLine().getOut();
        if (output.json) {
            Json.print(out, json -> {
                json.writeArrayFieldStart("providers");
                for (ProviderReport report : reports) {
                    json(report, json);
                }
                json.writeEndArray();
            });
        } else {
            reports.forEach(report -> text(report, out));
            out.flush();
        }
        return 0;
    }

    private static void text(ProviderReport report, PrintWriter out) {
        switch (report.availability()) {
            case Availability.Ready ready -> {
                out.println(report.name() + ": available");
                ready.devices().forEach(device -> text(device, out));
            }
            case Availability.Missing missing -> {
                out.println(report.name() + ": not available");
                line(out, "why", missing.reason());
                line(out, "remedy", missing.remedy());
            }
        }
    }

    private static void text(ArenaDevice device, PrintWriter out) {
        out.println("  device " + device.index() + ": " + device.name());
        line(out, "kind", Shown.label(device.kind()) + ", priority " + device.priority());
        line(out, "about", device.description());
        line(
                out,
                "largest arena",
                Figures.bytes(device.limits().maxArenaBytes()) + ", "
                        + device.limits().maxArenaName());
        line(
                out,
                "largest binding",
                device.limits().maxBindingBytes() == Long.MAX_VALUE
                        ? "unlimited"
                        : Figures.bytes(device.limits().maxBindingBytes()));
        line(out, "alignment", device.limits().alignmentBytes() + " bytes");
        line(out, "binding alignment", device.limits().bindingAlignmentBytes() + " bytes");
        line(
                out,
                "capabilities",
                device.capabilities().isEmpty()
                        ? "none"
                        : device.capabilities().stream()
                                .sorted()
                                .map(Shown::label)
                                .collect(Collectors.joining(", ")));
    }

    private static void line(PrintWriter out, String name, String value) {
        out.println(String.format(Locale.ROOT, "    %-18s %s", name, value));
    }

    private static void json(ProviderReport report, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", report.name());
        json.writeStringField("implementation", report.implementation());
        switch (report.availability()) {
            case Availability.Ready ready -> {
                json.writeBooleanField("available", true);
                json.writeArrayFieldStart("devices");
                for (ArenaDevice device : ready.devices()) {
                    json(device, json);
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

    private static void json(ArenaDevice device, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeNumberField("index", device.index());
        json.writeStringField("name", device.name());
        json.writeStringField("description", device.description());
        json.writeStringField("kind", Shown.label(device.kind()));
        json.writeNumberField("priority", device.priority());
        json.writeNumberField("maxArenaBytes", device.limits().maxArenaBytes());
        json.writeStringField("maxArenaName", device.limits().maxArenaName());
        json.writeNumberField("maxBindingBytes", device.limits().maxBindingBytes());
        json.writeNumberField("alignmentBytes", device.limits().alignmentBytes());
        json.writeNumberField("bindingAlignmentBytes", device.limits().bindingAlignmentBytes());
        json.writeArrayFieldStart("capabilities");
        for (Capability capability : device.capabilities().stream().sorted().toList()) {
            json.writeString(Shown.label(capability));
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
