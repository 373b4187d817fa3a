package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.kernel.KernelBinding;

/**
 * The bytes that one binding of a dispatch reads or writes. Threads: immutable.
 *
 * @param what the name of the bytes in messages
 * @param writes whether the kernel may write them
 */
record ResourceUse(KernelBinding binding, GpuBuffer buffer, String what, long begin, long end, boolean writes) {
    /** Whether one of two bindings may write bytes that the other one uses. */
    boolean conflictsWith(ResourceUse other) {
        return (writes || other.writes)
                && !binding.equals(other.binding)
                && buffer == other.buffer
                && begin < other.end
                && other.begin < end;
    }

    @Override
    public String toString() {
        return what + " (bytes " + begin + " to " + end + ") at " + binding + (writes ? ", which writes" : "");
    }
}
