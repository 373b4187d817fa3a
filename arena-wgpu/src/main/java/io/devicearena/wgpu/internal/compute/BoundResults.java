package io.devicearena.wgpu.internal.compute;

import java.util.Comparator;
import java.util.List;

/**
 * The result buffers that some commands are bound to, held while these are submitted; always in the same order, so that
 * nobody waits for each other. Threads: safe for any thread.
 */
final class BoundResults {
    private final HostResult[] results;

    /** Those among what is bound. */
    BoundResults(List<? extends BoundRange> bound) {
        results = bound.stream()
                .filter(HostResult.class::isInstance)
                .map(HostResult.class::cast)
                .distinct()
                .sorted(Comparator.comparingLong(HostResult::number))
                .toArray(HostResult[]::new);
    }

    boolean contains(Object asked) {
        for (HostResult result : results) {
            if (result == asked) {
                return true;
            }
        }
        return false;
    }

    void hold() {
        for (HostResult result : results) {
            result.use().lock();
        }
    }

    void release() {
        for (HostResult result : results) {
            result.use().unlock();
        }
    }
}
