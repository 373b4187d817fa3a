package io.devicearena.wgpu.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A program that a test starts in a process of its own. */
public record ChildProcess(Process process, Path out, Path err) {
    /** The lines of output that a failure shows. */
    private static final int LAST_LINES = 25;

    /** A short program ends sooner with the first compiler alone, and with the collector that starts no threads. */
    private static final List<String> SHORT_RUN = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    /** The exit code of a program, and what it printed. */
    public record Result(int exitCode, String out, String err) {}

    /** Starts a program; it sees the environment of this process with some variables changed. */
    public static ChildProcess start(Path scratch, Map<String, String> variables, List<String> command)
            throws IOException {
        Path out = Files.createTempFile(scratch, "out", ".txt");
        Path err = Files.createTempFile(scratch, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(variables);
        return new ChildProcess(builder.start(), out, err);
    }

    /** Starts Java. */
    public static ChildProcess startJava(Path scratch, Map<String, String> variables, List<String> arguments)
            throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return start(
                scratch,
                variables,
                Stream.of(List.of(java), SHORT_RUN, arguments)
                        .flatMap(List::stream)
                        .toList());
    }

    /** Runs Java, and waits for its end. */
    public static Result java(Path scratch, Map<String, String> variables, List<String> arguments)
            throws IOException, InterruptedException {
        return startJava(scratch, variables, arguments).await();
    }

    /**
     * Runs a main class of the tests on the class path; it must end by itself with exit code 0. If native code ends the
     * process, or the program hangs, the test fails with its last output.
     *
     * @param scratch a folder for its output
     * @param limit the time after which it counts as hung
     * @param options for the virtual machine
     */
    public static Result runMain(Path scratch, Class<?> main, Duration limit, String... options)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(
                "-Ddevicearena.wgpu.cache=" + System.getProperty("devicearena.wgpu.cache", scratch.toString()),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                main.getName()));
        ChildProcess child = startJava(scratch, Map.of(), arguments);
        if (!child.process().waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            child.process().destroyForcibly().waitFor();
            fail(main.getSimpleName() + " did not end within " + limit + "; it printed last:\n"
                    + last(Files.readString(child.out())));
        }
        Result result = child.await();
        assertThat(result.exitCode())
                .as(() -> main.getSimpleName() + " printed last:\n" + last(result.out()) + "\nand as errors:\n"
                        + last(result.err()))
                .isZero();
        return result;
    }

    /** Waits for the end of the program. */
    public Result await() throws IOException, InterruptedException {
        int exitCode = process.waitFor();
        return new Result(exitCode, Files.readString(out), Files.readString(err));
    }

    private static String classPath() throws IOException {
        return Stream.of(NativesJars.ours(), NativesJars.files(), List.of(NativesJars.testClasses()))
                .flatMap(List::stream)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String last(String text) {
        List<String> lines = text.lines().toList();
        return String.join("\n", lines.subList(Math.max(lines.size() - LAST_LINES, 0), lines.size()));
    }
}
