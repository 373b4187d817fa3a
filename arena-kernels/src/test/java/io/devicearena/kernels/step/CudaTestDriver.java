package io.devicearena.kernels.step;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The driver of {@code arena-cuda}'s tests with the kernels of this module, compiled for the host, so that their CUDA C
 * is tested without a GPU. Where {@code DEVICEARENA_REQUIRE} names cuda, the driver of the machine is used instead.
 */
final class CudaTestDriver {
    private static final String LIBRARY = "devicearena.cuda.library";

    /** The exit code of the compiler's script where there is no gcc. */
    private static final int MISSING = 3;

    private CudaTestDriver() {}

    /** Lets the provider cuda of this JVM use the driver; skips the test where there is neither that nor gcc. */
    static synchronized void use() {
        String required = String.valueOf(System.getenv("DEVICEARENA_REQUIRE"));
        if (System.getProperty(LIBRARY) == null
                && !Arrays.asList(required.split("\\s*,\\s*")).contains("cuda")) {
            System.setProperty(LIBRARY, compile().toString());
        }
    }

    private static Path compile() {
        Path library = Path.of("target", "testdriver", "libtestdriver.so").toAbsolutePath();
        try {
            Process compiler = new ProcessBuilder("sh", "../tools/cuda/driver", library.toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = compiler.waitFor();
            Assumptions.assumeTrue(code != MISSING, () -> "KERNELS IN CUDA C ARE NOT TESTED: " + output);
            Assertions.assertEquals(0, code, () -> "gcc does not compile the test driver:\n" + output);
            return library;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
