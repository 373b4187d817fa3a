package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
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
final class HostResult extends BoundRange implements ResultBuffer {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private final ReentrantLock use = new ReentrantLock();
    private final StagingBuffer staging;

    HostResult(KernelCache owner, StagingBuffer staging) {
        super(
                owner,
                new GpuBindGroup.Range(staging.buffer(), 0, staging.buffer().bytes()));
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
    String noun() {
        return "a result buffer";
    }
}
