package io.devicearena.cli.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Runs Java in its own process, as a user would. */
public final class ChildProcess {
    /** The file of the kit with the name of the clause: each of the processes that run tests has its own. */
    private static final String RUNNING = "devicearena.conformance.running";

    private static final String NATIVE_MODULES = "io.devicearena.cuda,io.devicearena.wgpu";

    private ChildProcess() {}

    public record Result(int exitCode, String out, String err) {}

    private static final Pattern NEEDED =
            Pattern.compile("arena-|picocli|jackson|junit|opentest4j|apiguardian|protobuf");

    /** The jars and folders of this build that a user's program has on its class path. */
    public static String runtimePath() {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        return Arrays.stream(path.split(Pattern.quote(File.pathSeparator), -1))
                .filter(entry -> NEEDED.matcher(entry).find())
                .filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The same, and the classes of the tests. */
    public static String runtimePathWithTests() {
        String tests = ChildProcess.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();
        return runtimePath() + File.pathSeparator + tests;
    }

    public static Result java(Path folder, List<String> arguments) throws IOException, InterruptedException {
        return java(folder, Map.of(), arguments);
    }

    /** Runs Java with changed environment variables. */
    public static Result java(Path folder, Map<String, String> variables, List<String> arguments)
            throws IOException, InterruptedException {
        return run(folder, variables, command(arguments));
    }

    /**
     * Runs Java in a line of the shell.
     *
     * @param line the line, with {@code "$@"} in the place of the command
     */
    public static Result shell(Path folder, Map<String, String> variables, String line, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", line, "sh"));
        command.addAll(command(arguments));
        return run(folder, variables, command);
    }

    private static List<String> command(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // a short program ends sooner with the first compiler alone, and with the collector that starts no threads
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        if (System.getProperty(RUNNING) != null) {
            command.add("-D" + RUNNING + "=" + System.getProperty(RUNNING));
        }
        // as ./arena does: providers may load native libraries on both paths
        command.add("--enable-native-access=" + (arguments.contains("--module-path") ? NATIVE_MODULES : "ALL-UNNAMED"));
        command.addAll(arguments);
        return command;
    }

    /** Runs any program. */
    public static Result run(Path folder, Map<String, String> variables, List<String> command)
            throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "out", ".txt");
        Path err = Files.createTempFile(folder, "err", ".txt");
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("NODEVICE_SELECT", "1");
        builder.environment().putAll(variables);
        Process process = builder.start();
        int exitCode = process.waitFor();
        return new Result(
                exitCode,
                Objects.requireNonNull(Files.readString(out, StandardCharsets.UTF_8)),
                Objects.requireNonNull(Files.readString(err, StandardCharsets.UTF_8)));
    }
}
