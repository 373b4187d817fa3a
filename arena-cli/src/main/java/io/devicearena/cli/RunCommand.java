package io.devicearena.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The main job: plan, allocate, stream, verify, report. */
@Command(
        name = "run",
        description = "Plans a graph, allocates its arena on the best provider, streams seeded data through every slot"
                + " in execution order, verifies every byte, and reports sizes and speeds.")
final class RunCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Mixin
    private final PlanFlags planFlags = new PlanFlags();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description = "A graph (.graph.json) or buffers with lives (.csv); default: ResNet-50.")
    private @Nullable Path file;

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = Numbers.Seed.class,
            description = "The seed of the data; default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Override
    public Integer call() throws IOException {
        Progress progress = new Progress(spec.commandLine().getErr());
        PlanFiles files = planFlags.files(Optional.ofNullable(file));
        Input input = planFlags.completed(Input.read(Optional.ofNullable(file)));
        ArenaOptions options = providers.arenaOptions();
        ArenaDevice device = DeviceArenas.choose(options);
        PlanSearch search = planFlags.search(OptionalLong.empty(), progress, () -> false);
        PlanOptions planOptions = planFlags.options(device.limits().alignmentBytes(), search);
        PlanResult planned = input.plan(planOptions);
        progress.end();
        input.validate(planned, planOptions);
        files.write(input, planned, planOptions);
        PrintWriter out = spec.commandLine().getOut();
        try (DeviceArena arena = DeviceArenas.open(planned.plan(), options)) {
            Replay.Outcome outcome = new Replay(arena, ReplayValue.of(input, planned), seed, progress).run();
            Report report = new Report(input, planned, device, planOptions, outcome, TinyRead.medianMicros(arena));
            if (output.json) {
                Json.print(out, report::json);
            } else {
                report.text(out);
            }
        } catch (VerificationException e) {
            if (output.json) {
                Json.print(out, json -> {
                    Report.subject(input, planned, device, json);
                    json.writeBooleanField("ok", false);
                    json.writeStringField("error", e.getMessage());
                });
            }
            throw e;
        }
        return 0;
    }

    private record Report(
            Input input,
            PlanResult planned,
            ArenaDevice device,
            PlanOptions options,
            Replay.Outcome outcome,
            double tinyReadMicros) {

        static void subject(Input input, PlanResult planned, ArenaDevice device, JsonGenerator json)
                throws IOException {
            json.writeStringField("graph", input.name());
            json.writeStringField("provider", device.provider());
            json.writeStringField("device", device.name());
            json.writeNumberField("nodes", input.count());
            PlanFigures.json(planned, json);
        }

        void json(JsonGenerator json) throws IOException {
            subject(input, planned, device, json);
            json.writeNumberField("verifiedBytes", outcome.verifiedBytes());
            json.writeNumberField("uploadGBps", outcome.uploadGBps());
            json.writeNumberField("readbackGBps", outcome.readbackGBps());
            json.writeNumberField("tinyReadMicros", tinyReadMicros);
            json.writeBooleanField("ok", true);
        }

        void text(PrintWriter out) {
            String parameters = input.graph()
                    .map(graph -> ", " + Figures.count(graph.parameterCount()) + " parameters")
                    .orElse("");
            line(out, "graph", Shown.name(input.name()) + ", " + Figures.count(input.count(), "node") + parameters);
            line(out, "provider", device.provider() + ": " + device.name() + " (" + device.description() + ")");
            PlanFigures.text(planned, options, out);
            line(out, "upload", speed(outcome.uploadGBps()));
            line(out, "readback", speed(outcome.readbackGBps()));
            line(out, "16-byte read", String.format(Locale.ROOT, "%.3f µs (median)", tinyReadMicros));
            line(out, "verified", Figures.bytes(outcome.verifiedBytes()) + ", each as it was written");
            out.flush();
        }

        private static String speed(double gigabytesPerSecond) {
            return String.format(Locale.ROOT, "%.2f GB/s", gigabytesPerSecond);
        }

        private static void line(PrintWriter out, String name, String value) {
            PlanFigures.line(out, name, value);
        }
    }
}
