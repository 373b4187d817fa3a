package io.devicearena.diagnostics;

import io.devicearena.ArenaDevice;
import java.util.Objects;

/**
 * The memory of all open arenas of a device.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param device the device
 * @param arenas how many arenas are open, views not counted
 * @param arenaBytes the sizes of the arenas together
 * @param shadowBytes the sizes of their f16 shadows together
 * @param stagingBytes the staging that the device has now, 0 or more
 * @param peakStagingBytes the most staging that it has had since it was opened
 */
public record DeviceMemory(
        ArenaDevice device, int arenas, long arenaBytes, long shadowBytes, long stagingBytes, long peakStagingBytes) {
    /** Makes the figures. */
    public DeviceMemory {
        Objects.requireNonNull(device, "device");
    }
}
