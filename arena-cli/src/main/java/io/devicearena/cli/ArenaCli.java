package io.devicearena.cli;

import io.devicearena.cli.message.ErrorReporter;
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
            WeightsCommand.class,
            LoadCommand.class,
            ProvidersCommand.class,
            ConformanceCommand.class
        },
        footer = {"", "Exit codes: 0 done, 1 failed, 2 wrong usage or input."})
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
        System.exit(commandLine().execute(args));
    }

    /**
     * Makes the command line.
     *
     * @return a command line whose streams a test may replace
     */
    public static CommandLine commandLine() {
        return new CommandLine(new ArenaCli())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(ArenaCli::execute)
                .setParameterExceptionHandler(ErrorReporter::wrongUsage)
                .setExecutionExceptionHandler(ErrorReporter::failed);
    }

    /** Runs the chosen command. An error of the virtual machine is reported in one line, like any other. */
    private static int execute(ParseResult parsed) {
        try {
            return new RunLast().execute(parsed);
        } catch (Error e) {
            return ErrorReporter.virtualMachineError(e, parsed.commandSpec().commandLine());
        }
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "command: expected one of run, plan, weights, load, providers, conformance, got none");
    }
}
