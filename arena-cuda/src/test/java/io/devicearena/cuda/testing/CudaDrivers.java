package io.devicearena.cuda.testing;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.cuda.CudaDeviceArenaProvider;
import io.devicearena.spi.Availability;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Which driver the tests of this JVM run on: the test driver over host memory, or, where {@code DEVICEARENA_REQUIRE}
 * names cuda, that of the machine. The provider reads its library once, so there is one for all tests.
 *
 * <p>Threads: safe for any thread.
 */
public final class CudaDrivers {
    public static final NodeId VALUE = NodeId.of(1);
    public static final NodeId OTHER = NodeId.of(2);

    private static final String LIBRARY = "devicearena.cuda.library";

    private static final boolean IS_REAL = Arrays.asList(
                    String.valueOf(System.getenv("DEVICEARENA_REQUIRE")).split("\\s*,\\s*"))
            .contains("cuda");

    private CudaDrivers() {}

    /** The provider, on the driver of this JVM; the test is skipped where there is neither a driver nor gcc. */
    public static CudaDeviceArenaProvider provider() {
        if (!IS_REAL && System.getProperty(LIBRARY) == null) {
            System.setProperty(LIBRARY, TestDriver.library().toString());
        }
        return new CudaDeviceArenaProvider();
    }

    /** What another virtual machine needs to use that driver. */
    public static List<String> options() {
        return IS_REAL ? List.of() : options(TestDriver.library());
    }

    /** What another virtual machine needs to use a library. */
    public static List<String> options(Path library) {
        return List.of("-D" + LIBRARY + "=" + library);
    }

    /** The same on the test driver as it is at the start; skips the test on another. */
    public static CudaDeviceArenaProvider testProvider() {
        Assumptions.assumeFalse(IS_REAL, "DEVICEARENA_REQUIRE names cuda, so tests use the driver of the machine");
        CudaDeviceArenaProvider provider = provider();
        TestDriver.reset();
        return provider;
    }

    /** The first device. */
    public static ArenaDevice device(CudaDeviceArenaProvider provider) {
        return ((Availability.Ready) provider.probe()).devices().getFirst();
    }

    /** A plan of two values of so many bytes. */
    public static MemoryPlan plan(long bytes) {
        return new MemoryPlan(
                2 * bytes,
                Map.of(VALUE, new BufferSlot(0, bytes), OTHER, new BufferSlot(bytes, bytes)),
                List.of(VALUE, OTHER));
    }

    /** An arena of two values of so many bytes. */
    public static DeviceArena open(CudaDeviceArenaProvider provider, long bytes) {
        return provider.openArena(device(provider), plan(bytes), ArenaOptions.defaults());
    }
}
