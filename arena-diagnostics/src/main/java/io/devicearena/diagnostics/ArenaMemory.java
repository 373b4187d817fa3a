package io.devicearena.diagnostics;

import io.devicearena.ArenaDevice;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The memory of an open arena and its views.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param label the label of the arena
 * @param device where the memory is
 * @param bytes the size of the arena, scratch included, 1 or more
 * @param segments the number of its segments, 1 or more
 * @param shadowBytes the size of its f16 shadow, 0 for none
 * @param uses how many arenas use the memory: the arena, unless it is closed, and its open views
 * @param age how long the memory has been open
 * @param openedAt the stack of the caller that opened it, the caller first; empty unless the property {@code
 *     devicearena.leaks} asked for it
 */
public record ArenaMemory(
        String label,
        ArenaDevice device,
        long bytes,
        int segments,
        long shadowBytes,
        int uses,
        Duration age,
        List<StackTraceElement> openedAt) {
    /** Makes the figures; the list is copied. */
    public ArenaMemory {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(age, "age");
        openedAt = List.copyOf(openedAt);
    }
}
