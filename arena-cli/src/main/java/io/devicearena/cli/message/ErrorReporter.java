package io.devicearena.cli.message;

import io.devicearena.DeviceException;
import io.devicearena.discovery.ProviderUnavailableException;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/**
 * Reports an error in one line on standard error, and gives its exit code.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class ErrorReporter {
    /** The exit code of a command that failed. */
    public static final int FAILED = 1;

    /** The exit code of wrong arguments and wrong input files. */
    public static final int WRONG_USAGE = 2;

    private ErrorReporter() {}

    /**
     * Reports wrong arguments.
     *
     * @param fault what picocli found
     * @param args the arguments; they have no effect
     * @return {@link #WRONG_USAGE}
     */
    public static int wrongUsage(ParameterException fault, String[] args) {
        CommandLine command = fault.getCommandLine();
        // picocli's own message names a Java type; the converter's message names the valid range
        ArgSpec argument = fault.getArgSpec();
        String message = fault.getCause() instanceof TypeConversionException wrong && argument != null
                ? (argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel()) + ": "
                        + wrong.getMessage()
                : fault.getMessage();
        report(command.getErr(), message + "; see '" + command.getCommandSpec().qualifiedName() + " --help'");
        return WRONG_USAGE;
    }

    /**
     * Reports an exception of a command.
     *
     * @param fault the exception
     * @param command the command that threw it
     * @param parsed its arguments; they have no effect
     * @return {@link #WRONG_USAGE} if an argument or an input file caused it, else {@link #FAILED}
     */
    public static int failed(Exception fault, CommandLine command, @Nullable ParseResult parsed) {
        if (fault instanceof UncheckedIOException && fault.getCause() instanceof IOException wrapped) {
            return failed(wrapped, command, parsed);
        }
        // a device that refuses memory says so itself, and what to do
        for (Throwable cause = fault; cause != null && !(cause instanceof DeviceException); cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError memory) { // in a worker thread, for example
                return virtualMachineError(memory, command);
            }
        }
        // The caller can fix what an argument caused, whichever layer noticed it. A plan that the validator rejects is
        // a fault of ours, never of an argument.
        boolean usage = fault instanceof InputException
                || (fault instanceof IllegalArgumentException && !(fault instanceof InvalidPlanException))
                || fault instanceof WeightFileException
                || fault instanceof OnnxException
                || fault instanceof ProviderUnavailableException;
        String message = message(fault);
        // the text of a file system error is clear without the name of its class
        boolean plain = usage || fault instanceof IOException;
        report(command.getErr(), plain ? message : fault.getClass().getSimpleName() + ": " + message);
        return usage ? WRONG_USAGE : FAILED;
    }

    /**
     * Reports an error of the virtual machine.
     *
     * @param fault the error, most often that memory is short
     * @param command the command that ended with it
     * @return {@link #FAILED}
     */
    public static int virtualMachineError(Error fault, CommandLine command) {
        report(
                command.getErr(),
                fault instanceof OutOfMemoryError memory
                        ? MemoryErrorText.of(memory, Runtime.getRuntime().maxMemory())
                        : fault.toString());
        return FAILED;
    }

    private static String message(Exception fault) {
        if (fault instanceof FileSystemException refused) {
            return refused.getFile() + ": " + IoErrorText.why(refused);
        }
        return fault.getMessage() == null ? fault.toString() : fault.getMessage();
    }

    private static void report(PrintWriter err, String message) {
        err.println("arena: " + TerminalText.message(message));
        err.flush();
    }
}
