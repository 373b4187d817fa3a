package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;

/**
 * The clauses of the kit, to be called with a mutant as their subject. Its name does not end in Test, so the build does
 * not run it by itself.
 */
class OnMutant extends DeviceArenaConformance {
    @Override
    protected DeviceArenaProvider provider() {
        return new ReferenceProvider();
    }
}
