package io.devicearena.wgpu;

import io.devicearena.conformance.DeviceArenaConformance;
import io.devicearena.spi.DeviceArenaProvider;
import org.junit.jupiter.api.Tag;

/** The provider passes every clause of the specification. */
@Tag("slow")
class WgpuConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new WgpuDeviceArenaProvider();
    }
}
