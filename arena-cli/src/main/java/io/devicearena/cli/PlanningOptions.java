package io.devicearena.cli;

import io.devicearena.cli.input.DimensionRange;
import io.devicearena.cli.input.PlanInput;
import io.devicearena.cli.input.PlanInputReader;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.output.PlanFiles;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of planning, and the files that a command writes of the plan. */
final class PlanningOptions {
    private static final double DEFAULT_SECONDS = 10;
    private static final double MOST_SECONDS = 1e6;
    private static final Path STANDARD_OUTPUT = Path.of("/dev/fd/1"); // systems without it have no such file

    @Option(
            names = "--strategy",
            paramLabel = "S",
            completionCandidates = PlanSearch.Names.class,
            description =
                    "How values are placed, one of ${COMPLETION-CANDIDATES}; 'optimal' searches for the smallest plan;"
                            + " default: ${DEFAULT-VALUE}.")
    private String strategy = PlacementStrategies.all().getFirst().name();

    @Option(
            names = "--budget",
            converter = OptionConverters.Seconds.class,
            paramLabel = "SECONDS",
            description = "How long --strategy optimal may search; default: 10.")
    private @Nullable Double budget;

    @Option(
            names = "--align",
            converter = OptionConverters.Alignment.class,
            paramLabel = "N",
            description = "Bytes that offsets and sizes are rounded up to, a power of two; default: the alignment of"
                    + " the device, or the usual one for the input.")
    private @Nullable Long align;

    @Option(
            names = "--segments",
            converter = OptionConverters.Bytes.class,
            paramLabel = "BYTES",
            description = "The largest segment of the arena, a multiple of the alignment, 0 for one segment of any"
                    + " size; default: that of the device, else 0.")
    private @Nullable Long segments;

    @Option(
            names = "--reorder",
            description = "Reorder a graph's schedule where that lowers the peak; a node still runs after its inputs.")
    private boolean reorder;

    @Option(
            names = "--share-by-op",
            description =
                    "Let values share slots as their ops' names allow: element-wise ops run in place, and the inputs"
                            + " of a Concat are written into its slot.")
    private boolean shareByOp;

    @Option(
            names = "--dim",
            paramLabel = "NAME=N",
            description = "The size of a free dimension of an ONNX file, for example batch=1; x.0=1 for one without a"
                    + " name, the first of the input x. A range, for example tokens=1..512, or width=32..640:32 for"
                    + " multiples of 32, is planned once for all its sizes.")
    private List<String> dimensions = new ArrayList<>();

    @Option(
            names = "--without-reuse",
            description = "Give each value bytes of its own, to find out whether a wrong result comes from reuse.")
    private boolean withoutReuse;

    @Option(
            names = "--backward",
            paramLabel = "FILE",
            description =
                    "A backward graph (.graph.json) that runs after FILE, planned with it in one arena; it lists the"
                            + " values of FILE that it reads as inputs with the same ids.")
    private @Nullable Path backward;

    @Option(names = "--out", paramLabel = "FILE.csv", description = "Write the plan as id,lower,upper,size,offset.")
    private @Nullable Path csv;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Draw the plan as one HTML page that loads nothing else.")
    private @Nullable Path html;

    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description = "Write a timeline as Trace Event JSON, which Perfetto, chrome://tracing and speedscope open:"
                    + " live ranges by offset and the load, and of a run its transfers, waits and steps.")
    private @Nullable Path trace;

    /** Reads the input, with the sizes, the backward graph and the sharing by op that the options ask for. */
    PlanInput read(Optional<Path> file) throws IOException {
        PlanInput input = PlanInputReader.read(file, DimensionRange.of(dimensions), shareByOp);
        return backward == null ? input : PlanInputReader.training(input, backward, shareByOp);
    }

    /** The largest sizes of free dimensions by name. */
    Map<String, Long> sizes() {
        return DimensionRange.most(DimensionRange.of(dimensions));
    }

    /** Whether the names of ops declare what may share a slot. */
    boolean isSharingByOp() {
        return shareByOp;
    }

    /**
     * The page that the options ask for, for several graphs.
     *
     * @param graphs the input files
     * @throws IllegalArgumentException if there is an option that takes one graph
     */
    Optional<OutputFile> familyPage(List<Path> graphs) {
        requireOneFile("--trace", trace != null, graphs);
        requireOneFile("--backward", backward != null, graphs);
        requireOneFile("--out", csv != null, graphs);
        return files(graphs, Optional.empty()).page();
    }

    /** Refuses an option that takes one file beside several. */
    static void requireOneFile(String option, boolean given, List<Path> files) {
        if (given && files.size() > 1) {
            throw new IllegalArgumentException(option + ": expected one file, got " + files.size());
        }
    }

    /** Whether the strategy is a search, which can end early. */
    boolean isSearching() {
        return strategy.equals(PlanSearch.OPTIMAL);
    }

    /** The strategy that the options ask for. */
    PlanSearch search(OptionalLong capacity, ProgressLine progress, BooleanSupplier cancelled) {
        if (budget != null && !isSearching()) {
            throw new IllegalArgumentException("--budget: expected --strategy " + PlanSearch.OPTIMAL
                    + ", which it limits, got --strategy " + strategy);
        }
        double seconds = budget == null ? DEFAULT_SECONDS : budget;
        if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
            throw new IllegalArgumentException(
                    "--budget: expected more than 0 and at most 1000000 seconds, got " + seconds);
        }
        Duration time = Duration.ofNanos(Math.max(1, Math.round(seconds * 1e9)));
        return PlanSearch.of(strategy, time, capacity, progress, cancelled);
    }

    /**
     * The options of an f32 plan.
     *
     * @param usual the alignment and the segments that hold without {@code --align} and {@code --segments}
     * @param search how values are placed
     */
    PlanOptions options(PlanOptions usual, PlanSearch search) {
        PlanOptions aligned = align == null ? usual : PlanOptions.f32Uniform(align);
        PlanOptions options = aligned.withSegments(
                        segments == null ? wholeUnits(usual.segmentBytes(), aligned.alignment()) : segments)
                .withStrategy(search.strategy());
        PlanOptions ordered = reorder ? options.withReordering() : options;
        return withoutReuse ? ordered.withoutReuse() : ordered;
    }

    /** The largest multiple of an alignment that is no larger than a segment; the segment if there is none. */
    private static long wholeUnits(long segmentBytes, long alignment) {
        return segmentBytes < alignment ? segmentBytes : segmentBytes - segmentBytes % alignment;
    }

    /**
     * The files that the options ask for, checked before the work begins.
     *
     * @param inputs the input files; none for the network that ships with the program
     * @param further another file that the command writes
     * @throws InputException if a file cannot be written, or is another file of this command
     */
    PlanFiles files(List<Path> inputs, Optional<OutputFile> further) {
        Optional<OutputFile> table = Optional.ofNullable(csv).map(path -> OutputFile.of("--out", path));
        Optional<OutputFile> page = Optional.ofNullable(html).map(path -> OutputFile.of("--html", path));
        Optional<OutputFile> timeline = Optional.ofNullable(trace).map(path -> OutputFile.of("--trace", path));
        List<OutputFile> all = Stream.of(table, page, further, timeline)
                .flatMap(Optional::stream)
                .toList();
        for (int i = 0; i < all.size(); i++) {
            OutputFile output = all.get(i);
            String role = inputs.size() == 1 ? "the input" : "an input";
            inputs.forEach(input -> output.requireDistinctFrom(input, role));
            Optional.ofNullable(backward).ifPresent(input -> output.requireDistinctFrom(input, "the backward graph"));
            output.requireDistinctFrom(STANDARD_OUTPUT, "the one that standard output goes to");
            all.subList(0, i).forEach(output::requireDistinctFrom);
        }
        return new PlanFiles(table, page, timeline);
    }
}
