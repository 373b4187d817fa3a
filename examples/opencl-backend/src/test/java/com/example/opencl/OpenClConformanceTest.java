package com.example.opencl;

import io.devicearena.conformance.DeviceArenaConformance;
import io.devicearena.spi.DeviceArenaProvider;

/** Every clause of the specification that this backend declares to keep, on every device. */
class OpenClConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new OpenClProvider();
    }
}
