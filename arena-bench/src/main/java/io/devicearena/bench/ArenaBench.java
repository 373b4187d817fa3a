package io.devicearena.bench;

import io.devicearena.ArenaDevice;
import io.devicearena.bench.kernels.KernelsCommand;
import io.devicearena.bench.plans.PlansCommand;
import io.devicearena.bench.soak.BoundedExit;
import io.devicearena.bench.soak.SoakCommand;
import io.devicearena.bench.table.EarlierRows;
import io.devicearena.bench.table.Pace;
import io.devicearena.bench.table.ReferenceFigures;
import io.devicearena.bench.table.SpeedRow;
import io.devicearena.bench.table.SpeedTable;
import io.devicearena.bench.table.SpeedTablePrinter;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.discovery.ProviderReport;
import io.devicearena.spi.Availability;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs the benchmarks and prints one table: with JMH, or with {@code --table} call by call on each device.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@Command(
        name = "arena bench",
        description =
                "Measures casts, planning and the arena of every available provider, with plain copies for comparison.",
        mixinStandardHelpOptions = true,
        subcommands = {KernelsCommand.class, PlansCommand.class, SoakCommand.class})
public final class ArenaBench implements Callable<Integer> {
    /** Enough for the largest graph and arrays, on a machine with 4 GiB. */
    private static final String HEAP = "-Xmx3g";

    private static final long LARGE = 64L << 20;

    private static final int FAILED = 1;
    private static final int WRONG_USAGE = 2;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "REGEX",
            description = "Which benchmarks, for example Cast, Arena or Plan; with --table which cases, for example"
                    + " shadow; default: all.")
    private @Nullable String pattern;

    @Option(names = "--quick", description = "A few short iterations, for a first impression.")
    private boolean quick;

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    private boolean json;

    @Option(
            names = "--paired",
            description = "Instead of the table: large transfers and plain copies in turn in one process, as ratios.")
    private boolean paired;

    @Option(
            names = "--table",
            description =
                    "Instead of JMH: time each call through the public API, with the heap bytes that it allocates;"
                            + " for GPUs.")
    private boolean table;

    @Option(
            names = "--reference",
            paramLabel = "FILE",
            description = "With --table: compare with the medians of another arena, one JSON object a line.")
    private @Nullable Path reference;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description = "With --table: measure nothing; print the best median of each case from the JSON of earlier"
                    + " runs.")
    private List<Path> earlier = new ArrayList<>();

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "Measure values of this size; default: 16 bytes to 64 MiB, with --table to 256 MiB.")
    private @Nullable Long bytes;

    @Option(names = "--provider", paramLabel = "NAME", description = "Measure this provider; default: all available.")
    private @Nullable String provider;

    /** Makes the command. */
    public ArenaBench() {}

    /**
     * Runs the benchmarks and ends the process with its exit code.
     *
     * @param args the words of the command line
     */
    public static void main(String[] args) {
        CommandLine command = commandLine();
        BoundedExit.exit(command.execute(args), command.getErr());
    }

    /** The command line; a test may replace its streams. */
    static CommandLine commandLine() {
        return new CommandLine(new ArenaBench())
                .setParameterExceptionHandler((fault, words) -> {
                    fault.getCommandLine()
                            .getErr()
                            .println("arena: " + problem(fault) + "; see '"
                                    + fault.getCommandLine().getCommandSpec().qualifiedName() + " --help'");
                    return WRONG_USAGE;
                })
                .setExecutionExceptionHandler((fault, failed, parsed) -> {
                    failed.getErr().println("arena: " + fault.getMessage());
                    return fault instanceof IllegalArgumentException ? WRONG_USAGE : FAILED;
                });
    }

    /** Names an unknown option alone: what follows it may be its value, or a file. */
    private static String problem(ParameterException fault) {
        return fault instanceof UnmatchedArgumentException unmatched
                ? unmatched.getUnmatched().stream()
                        .filter(word -> word.startsWith("-"))
                        .findFirst()
                        .map(word -> word + ": expected an option of '"
                                + fault.getCommandLine().getCommandSpec().qualifiedName() + "', got another one")
                        .orElseGet(() -> "expected no further argument, got '"
                                + unmatched.getUnmatched().getFirst() + "'")
                : String.valueOf(fault.getMessage());
    }

    @Override
    public Integer call() throws RunnerException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (paired) {
            if (json) {
                throw new ParameterException(
                        spec.commandLine(), "--paired: expected it without --json; it prints text only");
            }
            for (String name : providers()) {
                PairedCopies.run(name, bytes == null ? LARGE : bytes, out);
            }
            out.flush();
            return 0;
        }
        if (table) {
            speedTable(out);
            return 0;
        }
        if (reference != null || !earlier.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(), (reference != null ? "--reference" : "--from") + ": expected it with --table");
        }
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(pattern == null ? "io\\.devicearena\\.bench\\." : pattern)
                .param("provider", providers().toArray(String[]::new))
                .forks(quick ? 1 : 3)
                .jvmArgsAppend(HEAP)
                .warmupIterations(quick ? 2 : 4)
                .warmupTime(TimeValue.milliseconds(quick ? 50 : 500))
                .measurementIterations(quick ? 5 : 10)
                .measurementTime(TimeValue.milliseconds(quick ? 50 : 250))
                .shouldFailOnError(true)
                .verbosity(Boolean.getBoolean("devicearena.progress") ? VerboseMode.NORMAL : VerboseMode.SILENT);
        if (bytes != null) {
            options.param("bytes", Long.toString(bytes));
        }
        SpeedTablePrinter printer = new SpeedTablePrinter(out, json, ReferenceFigures.none());
        Collection<RunResult> results = new Runner(options.build()).run();
        printer.head();
        results.forEach(result -> printer.row(BenchRow.of(result)));
        printer.end();
        return 0;
    }

    private void speedTable(PrintWriter out) throws IOException {
        ReferenceFigures figures = reference == null ? ReferenceFigures.none() : ReferenceFigures.read(reference);
        SpeedTablePrinter printer = new SpeedTablePrinter(out, json, figures);
        if (earlier.isEmpty()) {
            measure(printer, out);
        } else {
            List<SpeedRow> best = EarlierRows.best(earlier);
            printer.head();
            best.forEach(printer::row);
        }
        printer.end();
    }

    private void measure(SpeedTablePrinter printer, PrintWriter out) {
        SpeedTable cases = new SpeedTable(
                quick ? Pace.QUICK : Pace.FULL,
                bytes == null ? SpeedTable.SIZES : List.of(bytes),
                pattern == null ? name -> true : Pattern.compile(pattern).asPredicate(),
                printer::row,
                spec.commandLine().getErr()::println);
        List<String> names = providers();
        if (!json) {
            for (String name : names) {
                ArenaDevice device = SpeedTable.device(name);
                out.println("# " + name + ": " + device.name() + " (" + device.description() + ")");
            }
        }
        printer.head();
        cases.measureHost();
        for (String name : names) {
            cases.measure(name);
        }
    }

    private List<String> providers() {
        List<String> available = DeviceArenas.providers().stream()
                .filter(report -> report.availability() instanceof Availability.Ready)
                .map(ProviderReport::name)
                .toList();
        if (provider == null) {
            return available;
        }
        if (!available.contains(provider)) {
            throw new IllegalArgumentException(
                    "--provider: expected one of " + String.join(", ", available) + ", got '" + provider + "'");
        }
        return List.of(provider);
    }
}
