package io.devicearena.cli.message;

import io.devicearena.discovery.ProviderUnavailableException;
import io.devicearena.plan.InvalidPlanException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.TypeConversionException;

/** Tells what went wrong in one line on standard error, and which exit code that is. */
public final class ErrorReporter {
    public static final int FAILED = 1;
    static final int WRONG_USAGE = 2;

    private ErrorReporter() {}

    public static int wrongUsage(ParameterException fault, String[] args) {
        CommandLine command = fault.getCommandLine();
        // picocli tells Java's type of what its option expects; the option's own words tell the range
        String message = fault.getCause() instanceof TypeConversionException wrong
                        && fault.getArgSpec() instanceof OptionSpec option
                ? option.longestName() + ": " + wrong.getMessage()
                : fault.getMessage();
        tell(command.getErr(), message + "; see '" + command.getCommandSpec().qualifiedName() + " --help'");
        return WRONG_USAGE;
    }

    public static int failed(Exception fault, CommandLine command, @Nullable ParseResult parsed) {
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            if (cause instanceof OutOfMemoryError memory) { // in a helper's thread, for instance
                return broken(memory, command);
            }
        }
        // What an argument caused is the caller's to mend, whichever layer noticed it; the rest is a failure.
        // No argument causes a plan that the validator refuses.
        boolean usage = fault instanceof InputException
                || (fault instanceof IllegalArgumentException && !(fault instanceof InvalidPlanException))
                || fault instanceof ProviderUnavailableException;
        String message = message(fault);
        // what a system says of a file needs no class of ours to be understood
        boolean plain = usage || fault instanceof IOException;
        tell(command.getErr(), plain ? message : fault.getClass().getSimpleName() + ": " + message);
        return usage ? WRONG_USAGE : FAILED;
    }

    public static int broken(Error fault, CommandLine command) {
        tell(
                command.getErr(),
                fault instanceof OutOfMemoryError
                        ? "memory: expected the work to fit a heap of "
                                + HumanReadable.bytes(Runtime.getRuntime().maxMemory())
                                + ", got more; allow more, for example with JAVA_TOOL_OPTIONS=-Xmx8g, or plan a smaller"
                                + " input"
                        : fault.toString());
        return FAILED;
    }

    private static String message(Exception fault) {
        if (fault instanceof FileSystemException refused) {
            return refused.getFile() + ": " + IoErrorText.why(refused);
        }
        return fault.getMessage() == null ? fault.toString() : fault.getMessage();
    }

    private static void tell(PrintWriter err, String message) {
        err.println("arena: " + TerminalText.message(message));
        err.flush();
    }
}
