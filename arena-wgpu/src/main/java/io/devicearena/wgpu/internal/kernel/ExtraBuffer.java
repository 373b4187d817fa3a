package io.devicearena.wgpu.internal.kernel;

import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.kernel.KernelBuffer;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Memory besides the arena. Threads: safe for any thread. */
final class ExtraBuffer extends BoundRange implements KernelBuffer {
    private final KernelArena arena;
    private final GpuBuffer buffer;

    ExtraBuffer(KernelArena arena, GpuBuffer buffer) {
        super(arena.memory(), new GpuBindGroup.Range(buffer, 0, buffer.bytes()));
        this.arena = arena;
        this.buffer = buffer;
    }

    @Override
    String noun() {
        return "an extra buffer";
    }

    @Override
    public void write(long offset, MemorySegment source) {
        long length = Objects.requireNonNull(source, "source").byteSize();
        requireRange(offset, length);
        if (((offset | length) & 3) != 0) {
            throw new IllegalArgumentException("range: expected offset and length in multiples of 4, got offset "
                    + offset + " and length " + length);
        }
        requireAccess("source", source);
        if (length > 0) {
            arena.enter();
            try {
                arena.upload().writeBytes(buffer, offset, source);
            } finally {
                arena.leave();
            }
        }
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        long length = Objects.requireNonNull(destination, "destination").byteSize();
        if (destination.isReadOnly()) {
            throw new IllegalArgumentException("destination: expected writable memory, got a read-only segment of "
                    + length + " bytes; pass memory of your own");
        }
        requireRange(offset, length);
        requireAccess("destination", destination);
        if (length > 0) {
            arena.enter();
            try {
                arena.readback().readBytes(buffer, offset, destination);
            } finally {
                arena.leave();
            }
        }
    }

    private void requireRange(long offset, long length) {
        if (offset < 0 || length > buffer.bytes() || offset > buffer.bytes() - length) {
            throw new IllegalArgumentException("range: expected one within the buffer of " + buffer.bytes()
                    + " bytes, got offset " + offset + " and length " + length);
        }
    }

    static void requireAccess(String name, MemorySegment segment) {
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException(name + ": expected memory that this thread may access, got a segment of "
                    + segment.byteSize() + " bytes confined to another; allocate it from a shared arena");
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException(name + ": expected live memory, got a segment of " + segment.byteSize()
                    + " bytes whose arena is closed");
        }
    }
}
