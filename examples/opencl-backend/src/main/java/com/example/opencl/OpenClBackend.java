package com.example.opencl;

import io.devicearena.spi.ArenaBackend;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;

/**
 * The buffer of an arena, and the queue whose commands use it, in order. The arena in front checks and guards; this
 * class moves the bytes.
 *
 * <p>Threads: safe for any thread.
 */
final class OpenClBackend implements ArenaBackend {
    private final MemorySegment context;
    final MemorySegment queue;
    final MemorySegment buffer;

    private OpenClBackend(MemorySegment context, MemorySegment queue, MemorySegment buffer) {
        this.context = context;
        this.queue = queue;
        this.buffer = buffer;
    }

    static OpenClBackend allocate(ClDevice device, long bytes) {
        MemorySegment queue = OpenCl.createQueue(device.context(), device.id);
        MemorySegment buffer = MemorySegment.NULL;
        try (Arena call = Arena.ofConfined()) {
            buffer = OpenCl.createBuffer(device.context(), OpenCl.CL_MEM_READ_WRITE, bytes);
            OpenCl.fill(queue, buffer, call.allocate(ValueLayout.JAVA_BYTE), 0, bytes);
            OpenCl.finish(queue); // drivers allocate at first use
            return new OpenClBackend(device.context(), queue, buffer);
        } catch (RuntimeException | Error e) {
            if (buffer.address() != 0) {
                OpenCl.releaseBuffer(buffer);
            }
            OpenCl.releaseQueue(queue);
            throw e;
        }
    }

    @Override
    public void write(long offset, MemorySegment source) {
        if (source.isNative()) {
            OpenCl.write(queue, buffer, offset, source);
        } else {
            Staging.inPieces(source.byteSize(), (position, piece) -> {
                MemorySegment.copy(source, position, piece, 0, piece.byteSize());
                OpenCl.write(queue, buffer, offset + position, piece);
            });
        }
    }

    @Override
    public void read(long offset, MemorySegment destination) {
        if (destination.isNative()) {
            OpenCl.read(queue, buffer, offset, destination);
        } else {
            Staging.inPieces(destination.byteSize(), (position, piece) -> {
                OpenCl.read(queue, buffer, offset + position, piece);
                MemorySegment.copy(piece, 0, destination, position, piece.byteSize());
            });
        }
    }

    @Override
    public void read(List<Span> spans) {
        ClRead read = new ClRead(this, spans);
        boolean landed = false;
        try {
            read.await();
            read.land();
            landed = true;
        } finally {
            read.release(landed);
        }
    }

    @Override
    public Optional<StagedRead> beginRead(List<Span> spans) {
        return Optional.of(new ClRead(this, spans));
    }

    @Override
    public HostAllocation allocateHost(long bytes) {
        return new ClHostMemory(
                queue,
                OpenCl.createBuffer(context, OpenCl.CL_MEM_READ_WRITE | OpenCl.CL_MEM_ALLOC_HOST_PTR, bytes),
                bytes);
    }

    @Override
    public void fill(long offset, long length, byte value) {
        try (Arena call = Arena.ofConfined()) {
            OpenCl.fill(queue, buffer, call.allocateFrom(ValueLayout.JAVA_BYTE, value), offset, length);
        }
    }

    @Override
    public void copy(long from, long to, long length) {
        if (Math.abs(from - to) >= length) { // OpenCL refuses ranges that overlap
            OpenCl.copy(queue, buffer, from, to, length);
        } else {
            ArenaBackend.super.copy(from, to, length);
        }
    }

    @Override
    public void flush() {
        OpenCl.finish(queue);
    }

    @Override
    public void close() {
        OpenCl.finish(queue);
        OpenCl.releaseBuffer(buffer);
        OpenCl.releaseQueue(queue);
    }
}
