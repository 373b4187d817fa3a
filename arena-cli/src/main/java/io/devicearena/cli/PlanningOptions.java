package io.devicearena.cli;

import io.devicearena.cli.input.PlanInput;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.output.OutputFile;
import io.devicearena.cli.output.PlanFiles;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.placement.PlacementStrategies;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a command plans, and which files it writes of the plan. */
final class PlanningOptions {
    private static final double DEFAULT_SECONDS = 10;
    private static final double MOST_SECONDS = 1e6;
    private static final Path STANDARD_OUTPUT = Path.of("/dev/fd/1"); // where there is none, no file is it

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
            description = "Bytes that offsets and sizes are rounded up to, a power of two; default: what the input or"
                    + " the device wants.")
    private @Nullable Long align;

    @Option(
            names = "--reorder",
            description =
                    "Let the plan change a graph's order of execution where that lowers the peak; what a node reads"
                            + " still runs before it.")
    private boolean reorder;

    @Option(
            names = "--share-by-op",
            description =
                    "Let values share slots as their ops' names allow, as if the graph declared it: element-wise ops"
                            + " in place, the inputs of a Concat in its slot.")
    private boolean shareByOp;

    @Option(
            names = "--backward",
            paramLabel = "FILE",
            description =
                    "A backward graph (.graph.json) that runs after FILE, planned with it in one arena; what it reads"
                            + " of FILE's values it lists as inputs with the same ids.")
    private @Nullable Path backward;

    @Option(names = "--out", paramLabel = "FILE.csv", description = "Write the plan as id,lower,upper,size,offset.")
    private @Nullable Path csv;

    @Option(names = "--html", paramLabel = "FILE", description = "Draw the plan as a page that needs no network.")
    private @Nullable Path html;

    /** The input with what was asked for: the graph that runs after it, and what the names of ops allow. */
    PlanInput completed(PlanInput input) throws IOException {
        PlanInput whole = backward == null ? input : PlanInput.training(input, backward);
        return shareByOp ? whole.sharingByOp() : whole;
    }

    /** Whether the plan is searched for, which can end early. */
    boolean isSearching() {
        return strategy.equals(PlanSearch.OPTIMAL);
    }

    /** The search or the strategy that was asked for. */
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

    /** The options of an f32 plan, whose alignment is the one asked for, else the usual one. */
    PlanOptions options(long usualAlignment, PlanSearch search) {
        PlanOptions options =
                PlanOptions.f32Uniform(align == null ? usualAlignment : align).withStrategy(search.strategy());
        return reorder ? options.withReordering() : options;
    }

    /**
     * The files that were asked for, checked so that none is refused when the work is done.
     *
     * @param file what is planned; empty for the network that ships with the program
     * @throws InputException if one cannot be written, or would take the place of a file that the command reads or writes
     */
    PlanFiles files(Optional<Path> file) {
        Optional<OutputFile> table = Optional.ofNullable(csv).map(path -> OutputFile.of("--out", path));
        Optional<OutputFile> page = Optional.ofNullable(html).map(path -> OutputFile.of("--html", path));
        for (OutputFile output :
                Stream.of(table, page).flatMap(Optional::stream).toList()) {
            file.ifPresent(input -> output.requireApartFrom(input, "the one that is planned"));
            Optional.ofNullable(backward).ifPresent(input -> output.requireApartFrom(input, "the backward graph"));
            output.requireApartFrom(STANDARD_OUTPUT, "the one that standard output goes to");
        }
        table.ifPresent(first -> page.ifPresent(second -> second.requireApartFrom(first)));
        return new PlanFiles(table, page);
    }
}
