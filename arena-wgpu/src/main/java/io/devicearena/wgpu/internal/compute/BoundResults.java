package io.devicearena.wgpu.internal.compute;

import java.util.Comparator;
import java.util.List;

/**
 * The result buffers that a program is bound to, locked while the program is submitted. The order of the locks is
 * always the same, so that no two threads wait for each other.
 *
 * <p>Threads: safe for any thread.
 */
final class BoundResults {
    private final HostResult[] results;

    /** Collects the result buffers among the bound ranges. */
    BoundResults(List<? extends BoundRange> bound) {
        results = bound.stream()
                .filter(HostResult.class::isInstance)
                .map(HostResult.class::cast)
                .distinct()
                .sorted(Comparator.comparingLong(HostResult::number))
                .toArray(HostResult[]::new);
    }

    boolean contains(Object wanted) {
        for (HostResult result : results) {
            if (result == wanted) {
                return true;
            }
        }
        return false;
    }

    void lock() {
        for (HostResult result : results) {
            result.use().lock();
        }
    }

    void unlock() {
        for (HostResult result : results) {
            result.use().unlock();
        }
    }
}
