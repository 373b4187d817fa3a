package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;

/**
 * The capacity of one run, in units of the alignment, and the highest address of each buffer in it.
 *
 * <p>Threads: one thread at a time.
 */
final class CapacityLimit {
    private final LiveRanges component;
    private final long[] highest;
    private long units;

    CapacityLimit(LiveRanges component) {
        this.component = component;
        this.highest = new long[component.count()];
    }

    /** Sets the capacity in bytes above the origin; false if a single buffer exceeds it. */
    boolean set(long bytes) {
        units = (bytes - 1) / component.alignment() + 1;
        for (int i = 0; i < highest.length; i++) {
            highest[i] = component.highestOffset(i, bytes);
            if (highest[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** The capacity in units; the last unit may be a partial one. */
    long units() {
        return units;
    }

    /** Whether a buffer may begin at an address: it ends within the capacity and crosses no boundary. */
    boolean allows(int buffer, long address) {
        return address <= highest[buffer] && component.skipBoundary(address, component.size(buffer)) == address;
    }
}
