package com.example.mappedfile;

import io.devicearena.conformance.DeviceArenaConformance;
import io.devicearena.spi.DeviceArenaProvider;

/** Every clause of the specification that this backend declares to keep. */
class MappedFileConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new MappedFileProvider();
    }
}
