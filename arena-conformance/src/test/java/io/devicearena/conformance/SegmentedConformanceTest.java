package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;

/** The reference with small segments passes every clause. */
class SegmentedConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new SegmentedProvider();
    }
}
