package io.devicearena.cli;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.cli.input.GraphInput;
import io.devicearena.cli.input.OnnxInput;
import io.devicearena.cli.input.PlanInput;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.input.WeightInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.cli.output.MemoryTable;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.output.PlanFiles;
import io.devicearena.cli.output.PlanSummary;
import io.devicearena.cli.output.SegmentTable;
import io.devicearena.cli.output.TextLines;
import io.devicearena.cli.replay.Replay;
import io.devicearena.cli.replay.ReplayValue;
import io.devicearena.cli.replay.SmallReadLatency;
import io.devicearena.cli.replay.VerificationException;
import io.devicearena.cli.replay.WeightCheck;
import io.devicearena.diagnostics.MemoryReport;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.size.Dimension;
import io.devicearena.weights.LoadReport;
import io.devicearena.weights.WeightLoader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Plans a graph, opens its arena, writes and reads every value, and reports sizes and speeds. */
@Command(
        name = "run",
        description = "Plans a graph, allocates its arena on the best provider, streams seeded data through every slot"
                + " in execution order, verifies every byte, and reports sizes and speeds.")
final class RunCommand implements Callable<Integer> {
    @Mixin
    private final OutputOptions output = new OutputOptions();

    @Mixin
    private final ProviderOptions providers = new ProviderOptions();

    @Mixin
    private final PlanningOptions planning = new PlanningOptions();

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE",
            description =
                    "A graph (.onnx, .graph.json) or a table of buffers and their live ranges (.csv); default: ResNet-50."
                            + " The weights of an .onnx file are streamed too, and checked after the execution.")
    private @Nullable Path file;

    @Option(
            names = "--seed",
            paramLabel = "N",
            converter = OptionConverters.Seed.class,
            description = "The seed of the data; default: ${DEFAULT-VALUE}.")
    private long seed = 1;

    @Option(
            names = "--jfr",
            paramLabel = "FILE",
            description = "Record the run with the JDK Flight Recorder, and write the recording to FILE.")
    private @Nullable Path jfr;

    @Option(
            names = "--report-memory",
            description = "Report the memory of the open arena and its device at the end of the run.")
    private boolean reportMemory;

    private @Nullable PlannedInput plan;

    private static final int SMALLER_SIZES = 4;

    @Override
    public Integer call() throws Exception {
        providers.chosen(); // a device that does not exist is refused before a file is read
        Optional<OutputFile> recording = Optional.ofNullable(jfr).map(path -> OutputFile.of("--jfr", path));
        PlanFiles files = planning.files(Optional.ofNullable(file).stream().toList(), recording);
        return new FlightRecording(recording, files.timeline())
                .record(() -> run(files), () -> Optional.ofNullable(plan));
    }

    private int run(PlanFiles files) throws IOException {
        ProgressLine progress = output.progress();
        PlanInput input = planning.read(Optional.ofNullable(file));
        ArenaOptions options = providers.arenaOptions();
        ArenaDevice device = DeviceArenas.choose(options);
        PlanSearch search = planning.search(OptionalLong.empty(), progress, () -> false);
        PlanOptions planOptions = input.typed(planning.options(PlanOptions.forDevice(device), search));
        PlannedInput planned = PlannedInput.of(input, planOptions);
        progress.clear();
        planned.validate();
        files.write(planned);
        plan = planned;
        try (DeviceArena arena = DeviceArenas.open(planned.plan(), options)) {
            Optional<LoadReport> weights = loadWeights(arena);
            Set<NodeId> loaded = weights.map(
                            report -> Set.copyOf(report.matches().values().values()))
                    .orElse(Set.of());
            Replay.Outcome outcome = replay(arena, planned, loaded, progress);
            List<Map<String, Long>> smaller = smallerSizes(input);
            if (input instanceof GraphInput graph && !smaller.isEmpty()) {
                FamilyPlan plans = graph.plans(List.of(), planOptions);
                for (Map<String, Long> sizes : smaller) {
                    PlannedInput at = new PlannedInput(input, planOptions, plans.at(sizes));
                    try (DeviceArena view = arena.view(at.plan())) {
                        replay(view, at, loaded, progress);
                    }
                }
            }
            weights.ifPresent(report -> WeightCheck.run(arena, report.matches().values(), report.checksums()));
            Report report = new Report(
                    planned,
                    device,
                    segments(arena),
                    outcome,
                    smaller,
                    weights,
                    SmallReadLatency.medianMicros(arena),
                    reportMemory ? Optional.of(new MemoryTable(MemoryReport.now())) : Optional.empty());
            output.print(report::json, report::text);
        } catch (VerificationException e) {
            output.print(
                    json -> {
                        Report.subject(planned, device, json);
                        json.put("ok", false).put("error", e.getMessage());
                    },
                    _ -> {});
            throw e;
        }
        return 0;
    }

    private Replay.Outcome replay(DeviceArena arena, PlannedInput planned, Set<NodeId> loaded, ProgressLine progress) {
        List<ReplayValue> values = ReplayValue.of(planned).stream()
                .filter(value -> !loaded.contains(value.source()))
                .toList();
        return new Replay(arena, values, seed, progress).run();
    }

    /** The lower bounds of free dimensions, and sizes between; none for a graph without. */
    private List<Map<String, Long>> smallerSizes(PlanInput input) {
        Map<String, Dimension> dimensions =
                input.graph().map(graph -> graph.network().dimensions()).orElse(Map.of());
        SplittableRandom random = new SplittableRandom(seed);
        List<Map<String, Long>> all = new ArrayList<>();
        for (int i = 0; i < SMALLER_SIZES && !dimensions.isEmpty(); i++) {
            Map<String, Long> sizes = new TreeMap<>();
            for (Dimension dimension : dimensions.values()) {
                long steps = (dimension.most() - dimension.least()) / dimension.multipleOf();
                long up = i == 0 ? 0 : random.nextLong(steps + 1);
                sizes.put(dimension.name(), dimension.least() + up * dimension.multipleOf());
            }
            all.add(sizes);
        }
        return all;
    }

    /** Streams the weights of an ONNX file into the arena, and verifies them. */
    private Optional<LoadReport> loadWeights(DeviceArena arena) {
        if (file == null || !OnnxInput.isOnnx(file)) {
            return Optional.empty();
        }
        try (WeightInput weights = WeightInput.open(file)) {
            return Optional.of(
                    WeightLoader.of(weights.source(), arena).withVerification().load());
        }
    }

    /** The segments that the device holds the arena in. */
    private static SegmentTable segments(DeviceArena arena) {
        ArenaLimits limits = arena.device().limits();
        boolean several = limits.maxSegmentBytes() < limits.maxArenaBytes();
        return new SegmentTable(arena.segments(), several ? limits.maxSegmentBytes() : 0);
    }

    private record Report(
            PlannedInput planned,
            ArenaDevice device,
            SegmentTable segments,
            Replay.Outcome outcome,
            List<Map<String, Long>> smaller,
            Optional<LoadReport> weights,
            double tinyReadMicros,
            Optional<MemoryTable> memory) {

        static void subject(PlannedInput planned, ArenaDevice device, JsonFields json) {
            json.put("graph", planned.input().name())
                    .put("provider", device.provider())
                    .put("device", device.name())
                    .put("nodes", planned.input().count());
            PlanSummary.json(planned, json);
        }

        void json(JsonFields json) {
            subject(planned, device, json);
            segments.json(json);
            json.put("verifiedBytes", outcome.verifiedBytes());
            if (!smaller.isEmpty()) {
                json.put("sizes", 1 + smaller.size());
            }
            json.put("uploadGBps", outcome.uploadGBps())
                    .put("readbackGBps", outcome.readbackGBps())
                    .put("tinyReadMicros", tinyReadMicros);
            weights.ifPresent(report -> json.put(
                    "weights",
                    new JsonFields()
                            .put("tensors", report.matches().values().size())
                            .put("bytes", report.bytes())
                            .put("GBps", report.gigabytesPerSecond())
                            .put("verified", true)));
            memory.ifPresent(table -> table.json(json));
            json.put("ok", true);
        }

        void text(TextLines out) {
            PlanInput input = planned.input();
            String parameters = input.graph()
                    .map(graph -> ", " + HumanReadable.count(graph.parameterCount()) + " parameters")
                    .orElse("");
            out.line(
                    "graph",
                    TerminalText.name(input.name()) + ", " + HumanReadable.count(input.count(), "node") + parameters);
            out.line(
                    "provider",
                    device.provider() + ": " + TerminalText.name(device.name()) + " (" + device.description() + ")");
            PlanSummary.text(planned, segments, out);
            weights.ifPresent(report -> out.line(
                    "weights",
                    HumanReadable.count(report.matches().values().size(), "tensor") + " of the file, "
                            + HumanReadable.bytes(report.bytes()) + ", each with its checksum before and after"));
            out.line("upload", speed(outcome.uploadGBps()));
            out.line("readback", speed(outcome.readbackGBps()));
            out.line("16-byte read", String.format(Locale.ROOT, "%,.0f ns (median)", tinyReadMicros * 1e3));
            out.line("verified", HumanReadable.bytes(outcome.verifiedBytes()) + ", each equal to what was written");
            if (!smaller.isEmpty()) {
                out.line("verified at", "the upper bounds, and " + String.join(", ", texts(smaller)));
            }
            memory.ifPresent(table -> table.text(out));
        }

        private static List<String> texts(List<Map<String, Long>> sizes) {
            return sizes.stream().map(Object::toString).toList();
        }

        private static String speed(double gigabytesPerSecond) {
            return String.format(Locale.ROOT, "%.2f GB/s", gigabytesPerSecond);
        }
    }
}
