package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.kernel.ResultBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Host memory that kernels write to.
 *
 * <p>To submit commands that use mapped memory ends the process. So a thread holds {@link #use} while it submits
 * commands that are bound to the buffer, and a reader holds it from the submission until the buffer is unmapped.
 *
 * <p>Threads: safe for any thread.
 */
final class HostResult extends ClosableRange implements ResultBuffer {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private final ReentrantLock use = new ReentrantLock();
    private final StagingBuffer staging;

    HostResult(ArenaContext arena, String label, StagingBuffer staging) {
        super(arena, "result buffer", label, staging.buffer());
        this.staging = staging;
    }

    /** Its position in the order in which several are locked. */
    long number() {
        return number;
    }

    /** The lock of the buffer. */
    ReentrantLock use() {
        return use;
    }

    StagingBuffer staging() {
        return staging;
    }

    @Override
    void free() {
        arena().backend().kernels().free(staging);
    }
}
