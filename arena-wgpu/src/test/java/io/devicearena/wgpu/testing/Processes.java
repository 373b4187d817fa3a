package io.devicearena.wgpu.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Runs programs of their own. */
public final class Processes {
    private Processes() {}

    /** What a program said, and how it ended. */
    public record Result(int exitCode, String out, String err) {}

    /** A program that runs. */
    public record Running(Process process, Path out, Path err) {
        /** Waits for its end. */
        public Result await() throws IOException, InterruptedException {
            int exitCode = process.waitFor();
            return new Result(exitCode, Files.readString(out), Files.readString(err));
        }
    }

    /** Starts a program; it sees this environment with some variables changed. */
    public static Running start(Path scratch, Map<String, String> variables, List<String> command) throws IOException {
        Path out = Files.createTempFile(scratch, "out", ".txt");
        Path err = Files.createTempFile(scratch, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(variables);
        return new Running(builder.start(), out, err);
    }

    /** Runs Java, and waits for its end. */
    public static Result java(Path scratch, Map<String, String> variables, List<String> arguments)
            throws IOException, InterruptedException {
        return startJava(scratch, variables, arguments).await();
    }

    /** Starts Java. */
    public static Running startJava(Path scratch, Map<String, String> variables, List<String> arguments)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return start(
                scratch,
                variables,
                Stream.concat(Stream.of(java), arguments.stream()).toList());
    }
}
