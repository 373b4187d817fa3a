package io.devicearena.wgpu.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;

/** Skips a test on a machine that lacks what it needs; fails it if the build requires the provider wgpu. */
public final class Needs {
    private Needs() {}

    /** Ends the test: as failed if {@code DEVICEARENA_REQUIRE} names wgpu, else as skipped. */
    public static AssertionError missing(String what) {
        boolean required = Arrays.asList(
                        String.valueOf(System.getenv("DEVICEARENA_REQUIRE")).split("\\s*,\\s*"))
                .contains("wgpu");
        if (required) {
            fail("DEVICEARENA_REQUIRE names wgpu, but this machine has no " + what);
        }
        Assumptions.abort("this machine has no " + what);
        return new AssertionError("both ways end the test");
    }
}
