package io.devicearena.bench.plans;

import io.devicearena.ArenaOptions;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Measures the quality of plans, and compares it with the committed baseline.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@Command(
        name = "plans",
        description =
                "Prints how close each placement strategy comes to the lower bound, and its time, for traces of real"
                        + " programs; 1.0000 is optimal.",
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Exit codes: 0 done, 1 a figure is worse than the baseline, 2 wrong usage or input.",
            "Times differ between machines: a time is a loss only above 3 times the committed one, and 50 ms over it."
        })
public final class PlansCommand implements Callable<Integer> {
    /** Set by the launcher: the folder of the repository. */
    private static final String ROOT_PROPERTY = "devicearena.root";

    private static final int LOSS = 1;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "0..1", paramLabel = "REGEX", description = "Which problems, by name; default: all.")
    private @Nullable Pattern problems;

    @Option(
            names = "--strategy",
            split = ",",
            paramLabel = "LIST",
            description = "Which strategies, separated by commas; default: all.")
    private List<String> strategies = new ArrayList<>();

    @Option(
            names = "--baseline",
            description = "Compare with the committed figures; exit code 1 and a line for each loss.")
    private boolean baseline;

    @Option(names = "--update", description = "Measure everything and write it as the new baseline.")
    private boolean update;

    @Option(
            names = "--traces",
            paramLabel = "DIR",
            description = "Also measure the .csv, .csv.gz and .graph.tsv files of this folder; the baseline does not"
                    + " have them.")
    private @Nullable Path further;

    @Option(names = "--scale", description = "Instead of traces: generated problems of 1,000 to 1,000,000 buffers.")
    private boolean scale;

    @Option(
            names = "--engines",
            description = "Instead of strategies: models of what engines do today, beside the plan; without REGEX for"
                    + " ResNet-50 and a training step of GPT-2.")
    private boolean engines;

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    private boolean json;

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = "Accepted as by every command: must be available. Traces are planned without a device, so no"
                    + " figure depends on it.")
    private @Nullable String provider;

    private final Path root;

    /** Makes the command for the repository that the launcher names, or else for the current folder. */
    public PlansCommand() {
        this(Path.of(System.getProperty(ROOT_PROPERTY, "")));
    }

    PlansCommand(Path root) {
        this.root = root;
    }

    @Override
    public Integer call() throws IOException {
        requireValidOptions();
        if (provider != null) {
            DeviceArenas.choose(ArenaOptions.defaults().withProvider(provider));
        }
        PrintWriter out = spec.commandLine().getOut();
        if (engines) {
            new EngineTable(out, json)
                    .print(
                            TraceFolder.read(root.resolve("traces")),
                            name -> problems == null ? EngineTable.USUAL.contains(name) : isChosenProblem(name));
            return 0;
        }
        if (!json) {
            row(out, "problem", "buffers", "strategy", "ratio", "first ms", "median ms");
        }
        if (scale) {
            finish(measured(ScaleProblems.all(), _ -> PlacementStrategies.all(), out), out);
            return 0;
        }
        Path file = root.resolve("arena-bench").resolve("baseline").resolve("plans.json");
        if (baseline && !Files.exists(file)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--baseline: expected " + file + ", found no such file; write it with --update");
        }
        List<PlanFigures> committed = baseline ? chosen(PlanFiguresJson.read(file)) : List.of();
        List<PlanFigures> figures = measured(TraceFolder.read(root.resolve("traces")), MeasuredStrategies::of, out);
        if (update) {
            try (Writer target = Files.newBufferedWriter(file)) {
                PlanFiguresJson.write(figures, target);
            }
        }
        List<PlanFigures> all = new ArrayList<>(figures);
        if (further != null) {
            all.addAll(measured(TraceFolder.read(further), MeasuredStrategies::of, out));
        }
        finish(all, out);
        List<String> losses = QualityBaseline.losses(committed, figures);
        losses.forEach(loss -> spec.commandLine().getErr().println("arena: " + loss));
        return losses.isEmpty() ? 0 : LOSS;
    }

    private void requireValidOptions() {
        List<String> names =
                MeasuredStrategies.of(0).stream().map(PlacementStrategy::name).toList();
        for (String strategy : strategies) {
            if (!names.contains(strategy)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--strategy: expected names of " + String.join(", ", names) + ", got '" + strategy + "'");
            }
        }
        if (scale && (baseline || update || further != null)) {
            throw new ParameterException(
                    spec.commandLine(), "--scale: expected it without --baseline, --update and --traces");
        }
        if (engines && (scale || baseline || update || further != null || !strategies.isEmpty())) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--engines: expected it without --scale, --baseline, --update, --traces and --strategy");
        }
        if (update && (baseline || !strategies.isEmpty() || problems != null)) {
            throw new ParameterException(
                    spec.commandLine(), "--update: expected it without --baseline, --strategy and REGEX, to write all");
        }
    }

    /** The committed figures of the problems and strategies that this run measures. */
    private List<PlanFigures> chosen(List<PlanFigures> committed) {
        return committed.stream()
                .filter(figures -> isChosenProblem(figures.problem()))
                .map(figures -> new PlanFigures(
                        figures.problem(),
                        figures.buffers(),
                        figures.lowerBoundBytes(),
                        figures.strategies().stream()
                                .filter(result -> isChosen(result.strategy()))
                                .toList()))
                .toList();
    }

    private boolean isChosenProblem(String name) {
        return problems == null || problems.matcher(name).find();
    }

    private boolean isChosen(String strategy) {
        return strategies.isEmpty() || strategies.contains(strategy);
    }

    /** Measures problem by problem, and prints each as soon as it is measured. */
    private List<PlanFigures> measured(
            List<TraceProblem> traces, IntFunction<List<PlacementStrategy>> choice, PrintWriter out) {
        List<PlanFigures> measured = new ArrayList<>();
        for (TraceProblem trace : traces) {
            if (isChosenProblem(trace.name())) {
                PlanFigures figures = PlanMeasurement.of(
                        trace,
                        choice.apply(trace.problem().count()).stream()
                                .filter(strategy -> isChosen(strategy.name()))
                                .toList());
                measured.add(figures);
                if (!json) {
                    print(figures, out);
                }
            }
        }
        return measured;
    }

    private void finish(List<PlanFigures> figures, PrintWriter out) throws IOException {
        if (json) {
            PlanFiguresJson.write(figures, out);
        }
        out.flush();
    }

    private static void print(PlanFigures figures, PrintWriter out) {
        for (PlanFigures.Result result : figures.strategies()) {
            row(
                    out,
                    figures.problem(),
                    String.format(Locale.ROOT, "%,d", figures.buffers()),
                    result.strategy(),
                    String.format(Locale.ROOT, "%.4f", figures.ratio(result)),
                    String.format(Locale.ROOT, "%.2f", result.coldMillis()),
                    String.format(Locale.ROOT, "%.2f", result.millis()));
        }
        out.flush();
    }

    private static void row(PrintWriter out, Object... cells) {
        out.println(String.format(Locale.ROOT, "%-34s %9s  %-24s %8s %10s %10s", cells));
    }
}
