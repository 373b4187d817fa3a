package io.devicearena.cuda.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The PTX of {@code src/test/cuda/test_kernels.cu}. Threads: immutable. */
public final class TestKernels {
    private TestKernels() {}

    /** The text. */
    public static String text() {
        try (InputStream file = TestKernels.class.getResourceAsStream("/io/devicearena/cuda/test_kernels.ptx")) {
            return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
