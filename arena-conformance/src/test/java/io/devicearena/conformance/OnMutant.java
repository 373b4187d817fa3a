package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;

/**
 * The kit on the current mutant. Its name does not end in Test, so the build does not run it by itself. A mutant that
 * hangs is caught in seconds instead of minutes.
 */
@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OnMutant extends DeviceArenaConformance {
    static Supplier<DeviceArenaProvider> provider = ReferenceProvider::new;

    @Override
    protected DeviceArenaProvider provider() {
        return provider.get();
    }
}
