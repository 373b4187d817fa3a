package io.devicearena.cli.testing;

import io.devicearena.cli.ArenaCli;
import io.devicearena.cli.output.StandardStream;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that runs several command lines of {@code arena} one after the other, on the streams of its process. Behind
 * each it prints a line with the exit code on standard error.
 */
public final class CommandLines {
    /** The argument between two command lines. */
    private static final String NEXT = ";;";

    /** An option of Java for a program that needs no GPU: the probe of the provider wgpu takes longer than the rest. */
    public static final String NO_WGPU = "-Ddevicearena.wgpu.library=/nonexistent";

    private CommandLines() {}

    public static void main(String... arguments) {
        List<String> command = new ArrayList<>();
        for (String argument : arguments) {
            if (argument.equals(NEXT)) {
                run(command);
                command.clear();
            } else {
                command.add(argument);
            }
        }
        run(command);
    }

    private static void run(List<String> command) {
        PrintWriter err = StandardStream.error();
        int exitCode = ArenaCli.commandLine()
                .setOut(StandardStream.output())
                .setErr(err)
                .execute(command.toArray(String[]::new));
        err.println("exit code " + exitCode);
    }

    /** The command of Java up to the first command line. */
    public static List<String> java(String... options) {
        return javaOn(ChildProcess.runtimePathWithTests(), List.of(options));
    }

    /** The same on a class path that has this program. */
    public static List<String> javaOn(String classPath, List<String> options) {
        List<String> java = new ArrayList<>(options);
        java.addAll(List.of("-cp", classPath, CommandLines.class.getName()));
        return java;
    }

    /** The arguments of the program for some command lines. */
    public static List<String> of(List<List<String>> commands) {
        List<String> arguments = new ArrayList<>();
        for (List<String> command : commands) {
            if (!arguments.isEmpty()) {
                arguments.add(NEXT);
            }
            arguments.addAll(command);
        }
        return arguments;
    }
}
