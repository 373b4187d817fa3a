package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;

import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.kernel.ResultBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Memory of the host that kernels write to.
 *
 * <p>A submission that uses mapped memory ends the process. So whoever submits commands that are bound to it holds {@link
 * #use} meanwhile, and whoever reads it holds that from the submission until it is no longer mapped. Threads: safe for any
 * thread.
 */
final class HostResult extends BoundRange implements ResultBuffer {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final long number = NUMBERS.incrementAndGet();
    private final ReentrantLock use = new ReentrantLock();
    private final StagingBuffer staging;

    HostResult(KernelCache memory, StagingBuffer staging) {
        super(
                memory,
                new GpuBindGroup.Range(staging.buffer(), 0, staging.buffer().bytes()));
        this.staging = staging;
    }

    /** Its place in the order in which several are held. */
    long number() {
        return number;
    }

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
