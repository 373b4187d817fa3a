package io.devicearena.cli.output;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.conformance.junit.ClauseResult;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Tally;
import io.devicearena.conformance.runner.ConformanceReport;
import io.devicearena.conformance.runner.ConformanceRequest;
import io.devicearena.conformance.runner.DeviceResult;
import io.devicearena.conformance.runner.Environment;
import io.devicearena.conformance.runner.ProviderResult;
import io.devicearena.spi.Availability;
import java.io.IOException;

/**
 * The report of the conformance kit as JSON.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class ConformanceJson {
    private ConformanceJson() {}

    /**
     * Writes the fields of a document.
     *
     * @param report the report
     * @param request what was asked of the kit
     * @param json where it is written
     * @throws IOException if writing fails
     */
    public static void write(ConformanceReport report, ConformanceRequest request, JsonGenerator json)
            throws IOException {
        Environment environment = report.environment();
        json.writeStringField("version", environment.version());
        json.writeNumberField("spiVersion", environment.spiVersion());
        json.writeStringField("java", environment.java());
        json.writeStringField("system", environment.system());
        json.writeStringField("started", report.started().toString());
        json.writeNumberField("millis", report.duration().toMillis());
        json.writeArrayFieldStart("required");
        for (String name : request.required()) {
            json.writeString(name);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("providers");
        for (ProviderResult provider : report.providers()) {
            provider(provider, json);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("problems");
        for (String problem : report.problems()) {
            json.writeString(problem);
        }
        json.writeEndArray();
        json.writeBooleanField("ok", report.ok());
    }

    private static void provider(ProviderResult provider, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", provider.name());
        json.writeStringField("implementation", provider.report().implementation());
        switch (provider.report().availability()) {
            case Availability.Ready ready -> json.writeBooleanField("available", true);
            case Availability.Missing missing -> {
                json.writeBooleanField("available", false);
                json.writeStringField("reason", missing.reason());
                json.writeStringField("remedy", missing.remedy());
            }
        }
        counts(provider.tally(), json);
        json.writeArrayFieldStart("devices");
        for (DeviceResult device : provider.devices()) {
            if (device.device().isPresent()) {
                json.writeStartObject();
                json.writeNumberField("index", device.device().get().index());
                json.writeStringField("name", device.device().get().name());
                counts(device.tally(), json);
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        clauses("failures", provider, true, json);
        clauses("notTested", provider, false, json);
        json.writeEndObject();
    }

    private static void counts(Tally tally, JsonGenerator json) throws IOException {
        json.writeNumberField("passed", tally.count(Outcome.PASSED));
        json.writeNumberField("failed", tally.count(Outcome.FAILED));
        json.writeNumberField("unsupported", tally.count(Outcome.UNSUPPORTED));
        json.writeNumberField("leftOut", tally.count(Outcome.LEFT_OUT));
        json.writeNumberField("notAvailable", tally.count(Outcome.NOT_AVAILABLE));
    }

    private static void clauses(String field, ProviderResult provider, boolean failed, JsonGenerator json)
            throws IOException {
        json.writeArrayFieldStart(field);
        for (DeviceResult device : provider.devices()) {
            for (ClauseResult result : device.clauses()) {
                if (result.outcome() != Outcome.PASSED && (result.outcome() == Outcome.FAILED) == failed) {
                    json.writeStartObject();
                    json.writeStringField("clause", result.clause().id());
                    json.writeStringField("name", result.clause().name());
                    json.writeStringField("device", device.id());
                    json.writeStringField("outcome", result.outcome().label());
                    json.writeStringField("message", result.message());
                    json.writeEndObject();
                }
            }
        }
        json.writeEndArray();
    }
}
