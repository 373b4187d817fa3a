package io.devicearena.cuda.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DeviceArena;
import io.devicearena.cuda.CudaDeviceArenaProvider;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A program of the tests in a process of its own, which finds another machine than this one. */
public final class DriverProcess {
    private DriverProcess() {}

    /**
     * Runs a program to its end, which must be a good one.
     *
     * @param options for the virtual machine
     * @param variables settings of the test driver, or variables that the driver reads
     * @return what it printed
     */
    public static String run(List<String> options, Map<String, String> variables, Class<?> main)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // a short program ends sooner with the first compiler alone, and with the collector that starts no
                // threads
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                classPath()));
        command.addAll(options);
        command.add(main.getName());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("TESTDRIVER_") || name.startsWith("CUDA_"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** This module and the API, as jars or as folders; on a module path, the tests seem to be a part of this module. */
    private static String classPath() {
        Stream<String> places = Stream.of(CudaDeviceArenaProvider.class, DeviceArena.class, DriverProcess.class)
                .map(DriverProcess::place);
        return String.join(
                File.pathSeparator,
                Stream.concat(
                                places,
                                Stream.of(Path.of("target", "test-classes").toString()))
                        .toList());
    }

    private static String place(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
