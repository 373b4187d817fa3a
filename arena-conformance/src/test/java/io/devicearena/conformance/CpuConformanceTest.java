package io.devicearena.conformance;

import io.devicearena.cpu.CpuDeviceArenaProvider;
import io.devicearena.spi.DeviceArenaProvider;

/** The provider passes every clause of the specification. It is tested here, so that its module needs no kit. */
class CpuConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new CpuDeviceArenaProvider();
    }
}
