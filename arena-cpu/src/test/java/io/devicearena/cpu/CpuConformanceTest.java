package io.devicearena.cpu;

import io.devicearena.conformance.DeviceArenaConformance;
import io.devicearena.spi.DeviceArenaProvider;

/** The provider passes every clause of the specification. */
class CpuConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new CpuDeviceArenaProvider();
    }
}
