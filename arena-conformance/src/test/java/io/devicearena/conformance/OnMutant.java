package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.function.Supplier;

/** The kit on the current mutant. Its name does not end in Test, so the build does not run it by itself. */
class OnMutant extends DeviceArenaConformance {
    static Supplier<DeviceArenaProvider> provider = ReferenceProvider::new;

    @Override
    protected DeviceArenaProvider provider() {
        return provider.get();
    }
}
