package io.devicearena.conformance;

import io.devicearena.spi.DeviceArenaProvider;
import java.util.List;

/**
 * Every clause, run against one provider. A backend author extends it in the backend's own tests:
 *
 * {@snippet :
 * class WgpuConformanceTest extends DeviceArenaConformance {
 *     @Override
 *     protected DeviceArenaProvider provider() {
 *         return new WgpuDeviceArenaProvider();
 *     }
 * }
 * }
 *
 * <p>All tests run once for each device that the provider lists. A failure names clause, provider, device, values and
 * offsets. What a device does not declare is aborted as <i>unsupported</i>, and counted; a provider that is not
 * available here is skipped with its own reason, unless the variable {@code DEVICEARENA_REQUIRE}, or the JUnit
 * parameter {@code devicearena.require}, names it: then its tests fail.
 *
 * <p>The tests are plain {@code @Test} methods that the class inherits from its topics: any runner shows them under the
 * author's class, by the names of their clauses, and runs one or all of them.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public abstract class DeviceArenaConformance extends ConformanceRun {
    /** Called by JUnit. */
    protected DeviceArenaConformance() {}

    /**
     * The provider under test.
     *
     * @return the provider, as a user's program would make it
     */
    protected abstract DeviceArenaProvider provider();

    @Override
    final List<DeviceArenaProvider> providers() {
        return List.of(provider());
    }
}
