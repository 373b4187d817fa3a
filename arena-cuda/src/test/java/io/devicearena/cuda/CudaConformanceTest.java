package io.devicearena.cuda;

import io.devicearena.conformance.DeviceArenaConformance;
import io.devicearena.cuda.testing.CudaDrivers;
import io.devicearena.spi.DeviceArenaProvider;

/** The provider passes every clause of the specification, on the driver that is there or on the test driver. */
class CudaConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return CudaDrivers.provider();
    }
}
