package com.example.llm;

import io.devicearena.DeviceException;
import java.io.PrintStream;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** What a failed command says, one line, and its exit code: 2 for bad input, 1 for an output or a device that fails. */
final class Failure {
    private static final int FAILED = 1;
    private static final int BAD_INPUT = 2;

    private Failure() {}

    /** Lets a command end with a line on {@code err} and a code. */
    static CommandLine handledBy(CommandLine command, PrintStream err) {
        return command.setParameterExceptionHandler((e, arguments) -> report(err, e))
                .setExecutionExceptionHandler((e, line, result) -> report(err, e));
    }

    private static int report(PrintStream err, Exception e) {
        String message = e.getMessage() == null ? e.toString() : e.getMessage();
        err.println("llm: " + message.lines().map(String::strip).collect(Collectors.joining(" ")));
        return e instanceof OutputException || e instanceof DeviceException ? FAILED : BAD_INPUT;
    }
}
