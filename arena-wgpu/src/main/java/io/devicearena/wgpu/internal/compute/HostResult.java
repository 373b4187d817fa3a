package io.devicearena.wgpu.internal.compute;

import io.devicearena.kernel.ResultBuffer;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Host memory that kernels write to.
 *
 * <p>To submit commands that use mapped memory ends the process. So a thread holds a lock while it submits
 * commands that are bound to the buffer, and a reader holds it from the submission until the buffer is unmapped.
 *
 * <p>Threads: safe for any thread.
 */
final class HostResult extends ClosableRange implements ResultBuffer {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private final ReentrantLock use = new ReentrantLock();
    final StagingBuffer staging;

    HostResult(ArenaContext arena, String label, StagingBuffer staging) {
        super(arena, "result buffer", label, staging.buffer(), staging);
        this.staging = staging;
    }

    /** The result buffers among bound ranges, in the order in which threads lock them: none waits for another. */
    static List<HostResult> among(List<BoundRange> bound) {
        return bound.stream()
                .filter(HostResult.class::isInstance)
                .map(HostResult.class::cast)
                .distinct()
                .sorted(Comparator.comparingLong(result -> result.number))
                .toList();
    }

    static void lock(List<HostResult> results) {
        for (int i = 0; i < results.size(); i++) { // no iterator: a run allocates nothing
            results.get(i).use.lock();
        }
    }

    static void unlock(List<HostResult> results) {
        for (int i = 0; i < results.size(); i++) {
            results.get(i).use.unlock();
        }
    }
}
