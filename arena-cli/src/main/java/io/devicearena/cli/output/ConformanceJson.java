package io.devicearena.cli.output;

import io.devicearena.cli.json.JsonFields;
import io.devicearena.conformance.junit.Outcome;
import io.devicearena.conformance.junit.Tally;
import io.devicearena.conformance.runner.ConformanceReport;
import io.devicearena.conformance.runner.ConformanceRequest;
import io.devicearena.conformance.runner.DeviceResult;
import io.devicearena.conformance.runner.Environment;
import io.devicearena.conformance.runner.ProviderResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

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
     */
    public static void write(ConformanceReport report, ConformanceRequest request, JsonFields json) {
        Environment environment = report.environment();
        json.put("version", environment.version())
                .put("spiVersion", environment.spiVersion())
                .put("java", environment.java())
                .put("system", environment.system())
                .put("started", report.started())
                .put("millis", report.duration().toMillis())
                .put("required", request.required())
                .put(
                        "providers",
                        report.providers().stream()
                                .map(ConformanceJson::provider)
                                .toList())
                .put("problems", report.problems())
                .put("ok", report.ok());
    }

    private static JsonFields provider(ProviderResult provider) {
        JsonFields json = new JsonFields();
        ProviderJson.begin(provider.report(), json);
        counts(provider.tally(), json);
        List<JsonFields> devices = new ArrayList<>();
        for (DeviceResult result : provider.devices()) {
            result.device().ifPresent(device -> {
                JsonFields fields =
                        new JsonFields().put("index", device.index()).put("name", device.name());
                counts(result.tally(), fields);
                devices.add(fields);
            });
        }
        return json.put("devices", devices)
                .put("failures", clauses(provider, Outcome.FAILED::equals))
                .put("notTested", clauses(provider, outcome -> outcome != Outcome.PASSED && outcome != Outcome.FAILED));
    }

    private static void counts(Tally tally, JsonFields json) {
        json.put("passed", tally.count(Outcome.PASSED))
                .put("failed", tally.count(Outcome.FAILED))
                .put("unsupported", tally.count(Outcome.UNSUPPORTED))
                .put("leftOut", tally.count(Outcome.LEFT_OUT))
                .put("notAvailable", tally.count(Outcome.NOT_AVAILABLE));
    }

    private static List<JsonFields> clauses(ProviderResult provider, Predicate<Outcome> chosen) {
        return provider.devices().stream()
                .flatMap(device -> device.clauses().stream()
                        .filter(result -> chosen.test(result.outcome()))
                        .map(result -> new JsonFields()
                                .put("clause", result.clause().id())
                                .put("name", result.clause().name())
                                .put("device", device.id())
                                .put("outcome", result.outcome().label())
                                .put("message", result.message())))
                .toList();
    }
}
