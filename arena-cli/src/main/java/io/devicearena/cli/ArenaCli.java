package io.devicearena.cli;

import io.devicearena.cli.input.BackendPath;
import io.devicearena.cli.message.ErrorReporter;
import io.devicearena.cli.message.InputException;
import io.devicearena.cli.output.StandardStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/**
 * The command {@code arena}. Exit codes: 0 done, 1 failed, 2 wrong usage or input.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@Command(
        name = "arena",
        description = "Plans, allocates and verifies device memory for the tensors of a graph.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        subcommands = {
            RunCommand.class,
            PlanCommand.class,
            FitCommand.class,
            WeightsCommand.class,
            LoadCommand.class,
            ProvidersCommand.class,
            ConformanceCommand.class,
            KernelsCommand.class,
            TraceCommand.class
        },
        footer = {
            "",
            "./arena --class-path JARS COMMAND adds the jars of other backends to the class path, separated by colons;"
                    + " it comes before the command.",
            "",
            "Exit codes: 0 done, 1 failed, 2 wrong usage or input."
        })
public final class ArenaCli implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    /** Makes the command. */
    public ArenaCli() {}

    /**
     * Runs a command and ends the process with its exit code.
     *
     * @param args the words of the command line
     */
    public static void main(String[] args) {
        System.exit(commandLine()
                .setOut(StandardStream.output())
                .setErr(StandardStream.error())
                .execute(args));
    }

    /**
     * Makes the command line.
     *
     * @return a command line whose streams a test may replace
     */
    public static CommandLine commandLine() {
        return new CommandLine(new ArenaCli())
                .registerConverter(Path.class, new OptionConverters.PathName())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(ArenaCli::execute)
                .setParameterExceptionHandler(ErrorReporter::wrongUsage)
                .setExecutionExceptionHandler(ErrorReporter::failed);
    }

    /**
     * Runs the chosen command, or prints its help. An error of the virtual machine is reported in one line, like any
     * other, and so is standard output that cannot be written.
     */
    private static int execute(ParseResult parsed) {
        CommandLine command = parsed.commandSpec().commandLine();
        try {
            BackendPath.require();
            int exitCode = new RunLast().execute(parsed);
            command.getOut().flush();
            return exitCode;
        } catch (UncheckedIOException | InputException e) {
            return ErrorReporter.failed(e, command, parsed);
        } catch (Error e) {
            return ErrorReporter.virtualMachineError(e, command);
        }
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "command: expected one of run, plan, fit, weights, load, providers, conformance, kernels, trace, got none");
    }
}
