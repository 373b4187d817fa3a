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

/**
 * A program of the tests in a process of its own, with everything on the class path: what ends the process, or never ends,
 * is then a failure with a name.
 */
public final class ChildProgram {
    /** How much of what a program printed is shown when it fails. */
    private static final int LAST_LINES = 25;

    private ChildProgram() {}

    /**
     * Runs a program that must end by itself, with exit code 0.
     *
     * @param scratch a folder for what it prints
     * @param limit how long it may take
     * @param options for the virtual machine
     */
    public static Processes.Result run(Path scratch, Class<?> main, Duration limit, String... options)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(
                "-Ddevicearena.wgpu.cache=" + System.getProperty("devicearena.wgpu.cache", scratch.toString()),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath(),
                main.getName()));
        Processes.Running running = Processes.startJava(scratch, Map.of(), arguments);
        if (!running.process().waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            running.process().destroyForcibly().waitFor();
            fail(main.getSimpleName() + " did not end within " + limit + "; it printed last:\n" + last(running.out()));
        }
        Processes.Result result = running.await();
        assertThat(result.exitCode())
                .as(() -> main.getSimpleName() + " printed last:\n" + last(result.out()) + "\nand as errors:\n"
                        + last(result.err()))
                .isZero();
        return result;
    }

    private static String classPath() throws IOException {
        return Stream.of(NativesJars.ours(), NativesJars.files(), List.of(NativesJars.testClasses()))
                .flatMap(List::stream)
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String last(Path file) throws IOException {
        return last(Files.readString(file));
    }

    private static String last(String text) {
        List<String> lines = text.lines().toList();
        return String.join("\n", lines.subList(Math.max(lines.size() - LAST_LINES, 0), lines.size()));
    }
}
