package com.example.opencl;

import io.devicearena.spi.memory.GuardedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The buffer of an arena, and the queue whose commands use it, in order. The guard frees both.
 *
 * <p>Threads: safe for any thread. It must not refer to an arena.
 */
final class ClMemory {
    private final MemorySegment context;
    final MemorySegment queue;
    final MemorySegment buffer;
    final GuardedMemory guard = new GuardedMemory(this::free);

    private ClMemory(MemorySegment context, MemorySegment queue, MemorySegment buffer) {
        this.context = context;
        this.queue = queue;
        this.buffer = buffer;
    }

    static ClMemory allocate(ClDevice device, long bytes) {
        MemorySegment queue = OpenCl.createQueue(device.context(), device.id);
        MemorySegment buffer = MemorySegment.NULL;
        try (Arena call = Arena.ofConfined()) {
            buffer = OpenCl.createBuffer(device.context(), OpenCl.CL_MEM_READ_WRITE, bytes);
            OpenCl.fill(queue, buffer, call.allocate(ValueLayout.JAVA_BYTE), 0, bytes);
            OpenCl.finish(queue); // drivers allocate at first use
            return new ClMemory(device.context(), queue, buffer);
        } catch (RuntimeException | Error e) {
            if (buffer.address() != 0) {
                OpenCl.releaseBuffer(buffer);
            }
            OpenCl.releaseQueue(queue);
            throw e;
        }
    }

    /** Makes a buffer in memory of the host, for {@link ClHostMemory}. */
    MemorySegment createHostBuffer(long bytes) {
        return OpenCl.createBuffer(context, OpenCl.CL_MEM_READ_WRITE | OpenCl.CL_MEM_ALLOC_HOST_PTR, bytes);
    }

    private void free() {
        OpenCl.finish(queue);
        OpenCl.releaseBuffer(buffer);
        OpenCl.releaseQueue(queue);
    }
}
