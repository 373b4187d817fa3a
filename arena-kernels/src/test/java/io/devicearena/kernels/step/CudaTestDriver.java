package io.devicearena.kernels.step;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The driver of {@code arena-cuda}'s tests with the kernels of this module, compiled for the host, so that their CUDA C
 * is tested without a GPU. It is compiled once in each JVM. Where {@code DEVICEARENA_REQUIRE} names cuda, the driver of
 * the machine is used instead.
 */
final class CudaTestDriver {
    private static final String LIBRARY = "devicearena.cuda.library";
    private static final Path CUDA = Path.of("..", "arena-cuda", "src").toAbsolutePath();
    private static final Path KERNELS = Path.of("src", "main", "cuda").toAbsolutePath();
    private static final Path TARGET = Path.of("target", "testdriver").toAbsolutePath();

    private CudaTestDriver() {}

    /** Lets the provider cuda of this JVM use the driver; skips the test where there is neither that nor gcc. */
    static synchronized void use() {
        List<String> required =
                Arrays.asList(String.valueOf(System.getenv("DEVICEARENA_REQUIRE")).split("\\s*,\\s*"));
        if (!required.contains("cuda") && System.getProperty(LIBRARY) == null) {
            System.setProperty(LIBRARY, compile().toString());
        }
    }

    private static Path compile() {
        try {
            Files.createDirectories(TARGET);
            Path library = TARGET.resolve("libtestdriver.so");
            List<String> command = new ArrayList<>(List.of("gcc", "-shared", "-fPIC", "-O2", "-pthread"));
            command.addAll(List.of("-I", CUDA.resolve("test/native").toString(), "-I", KERNELS.toString()));
            command.addAll(List.of("-I", CUDA.resolve("main/cuda").toString(), "-o", library.toString()));
            command.addAll(files(CUDA.resolve("test/native"), ".c"));
            command.addAll(files(CUDA.resolve("test/native"), ".cpp"));
            for (String source : files(KERNELS, ".cu")) {
                command.add(hostForm(Path.of(source)).toString());
            }
            command.add("-lstdc++");
            return run(command, library);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> files(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    /** A source that registers the kernels of another one. */
    private static Path hostForm(Path source) throws IOException {
        String name = source.getFileName().toString();
        StringBuilder text = new StringBuilder("#include \"fibers.h\"\n#include \"" + name + "\"\n");
        for (String line : Files.readAllLines(source)) {
            if (line.startsWith("KERNEL ")) {
                text.append("HOST(").append(line, "KERNEL ".length(), line.indexOf('(')).append(")\n");
            }
        }
        return Files.writeString(TARGET.resolve(name.replace(".cu", ".cpp")), text);
    }

    private static Path run(List<String> command, Path library) throws IOException {
        Optional<Process> compiler = start(command);
        Assumptions.assumeTrue(compiler.isPresent(), "this machine has no gcc, so kernels in CUDA C are not tested");
        String output = new String(compiler.get().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (compiler.get().waitFor() != 0) {
                Assertions.fail("gcc does not compile the test driver:\n" + output);
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return library;
    }

    private static Optional<Process> start(List<String> command) {
        try {
            return Optional.of(new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
