package io.devicearena.wgpu.testing;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;

/** What a test needs that a machine may lack: without it the test is skipped, or fails where it must not be lacking. */
public final class Needs {
    private Needs() {}

    /** Ends the test: as failed if the build was told to require the provider wgpu, else as skipped. */
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
