package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;

/** What the mutants are mutants of passes every clause. */
class ReferenceConformanceTest extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new ReferenceProvider();
    }
}
