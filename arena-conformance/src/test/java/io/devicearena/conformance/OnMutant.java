package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.function.Supplier;

/** The kit on the mutant of the moment. Its name keeps the build from running it as a test of its own. */
class OnMutant extends DeviceArenaConformance {
    static Supplier<DeviceArenaProvider> provider = ReferenceProvider::new;

    @Override
    protected DeviceArenaProvider provider() {
        return provider.get();
    }
}
