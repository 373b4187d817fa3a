package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.cli.input.WeightGraph;
import io.devicearena.cli.input.WeightInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.TextLines;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.weights.LoadProgress;
import io.devicearena.weights.LoadReport;
import io.devicearena.weights.WeightLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Streams a file of weights into an arena. */
@Command(
        name = "load",
        description =
                "Plans the tensors of a safetensors, GGUF or ONNX file, opens an arena for them, streams them in, and"
                        + " reports the speed.")
final class LoadCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Option(
            names = "--verify",
            description = "Read every tensor back from the device, and compare its checksum (CRC-32C).")
    private boolean verify;

    @Option(
            names = "--readers",
            paramLabel = "N",
            description = "Threads that read the file, 1 to 64. Default: the processors of the machine, at most 8.")
    private @Nullable Integer readers;

    @Parameters(
            paramLabel = "FILE",
            description = "A safetensors file, model.safetensors.index.json, an ONNX file, or a GGUF file; of one that"
                    + " is split any part.")
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private Path file;

    @Override
    public Integer call() throws IOException {
        ProgressLine progress = output.progress();
        providers.chosen(); // a device that does not exist is refused before a file is read
        ArenaOptions options = providers.arenaOptions();
        try (WeightInput weights = WeightInput.open(file)) {
            ArenaDevice device = DeviceArenas.choose(options);
            MemoryPlan plan = plan(weights, device);
            long begin = System.nanoTime();
            try (DeviceArena arena = DeviceArenas.open(plan, options)) {
                double openSeconds = (System.nanoTime() - begin) / 1e9;
                WeightLoader loader =
                        WeightLoader.of(weights.source(), arena).withListener(step -> show(step, progress));
                if (readers != null) {
                    loader = loader.withReaders(readers);
                }
                LoadReport report = (verify ? loader.withVerification() : loader).load();
                progress.clear();
                print(device, report, openSeconds);
            }
        } finally {
            progress.clear();
        }
        return 0;
    }

    /** The plan of an arena for all tensors of a file. */
    static MemoryPlan plan(WeightInput weights, ArenaDevice device) {
        return MemoryPlanner.plan(
                        new WeightGraph(weights.source().tensors().values()),
                        PlanOptions.forDevice(device).withDeclaredTypes())
                .plan();
    }

    private static void show(LoadProgress step, ProgressLine progress) {
        if (progress.isDue()) {
            progress.show(String.format(
                    Locale.ROOT,
                    "loading %5.1f %%, %.2f GB/s, %s",
                    100.0 * step.bytes() / Math.max(1, step.totalBytes()),
                    step.gigabytesPerSecond(),
                    TerminalText.name(step.tensor().name())));
        }
    }

    private void print(ArenaDevice device, LoadReport report, double openSeconds) throws IOException {
        output.print(
                json -> json.put("provider", device.provider())
                        .put("device", device.name())
                        .put("tensors", report.matches().values().size())
                        .put("bytes", report.bytes())
                        .put("openSeconds", openSeconds)
                        .put("seconds", report.seconds())
                        .put("GBps", report.gigabytesPerSecond())
                        .put("verified", verify),
                out -> text(device, report, out));
    }

    private void text(ArenaDevice device, LoadReport report, TextLines out) {
        out.line("provider", device.provider() + ": " + TerminalText.name(device.name()));
        out.line("tensors", HumanReadable.count(report.matches().values().size()));
        out.line("loaded", HumanReadable.bytes(report.bytes()));
        out.line(
                "speed",
                String.format(Locale.ROOT, "%.2f GB/s, %.3f s", report.gigabytesPerSecond(), report.seconds()));
        if (verify) {
            out.line("verified", "each tensor was read back, and has the checksum of the file");
        }
    }
}
