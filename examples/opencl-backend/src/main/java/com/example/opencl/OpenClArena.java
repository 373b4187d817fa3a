package com.example.opencl;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import io.devicearena.spi.AbstractDeviceArena;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** An arena in a buffer of OpenCL. The superclass checks and guards; this class moves the bytes. */
final class OpenClArena extends AbstractDeviceArena {
    private final ClMemory memory;

    /** Opens the arena, or a view of it: each ends its use of the memory. */
    OpenClArena(
            ArenaDevice device,
            MemoryPlan plan,
            ArenaOptions options,
            ArenaGeometry geometry,
            ClMemory memory,
            Runnable use) {
        super(device, plan, options, geometry, use);
        this.memory = memory;
    }

    @Override
    protected void writeRange(long offset, MemorySegment source) {
        if (source.isNative()) {
            OpenCl.write(memory.queue, memory.buffer, offset, source);
        } else {
            Staging.inPieces(source.byteSize(), (position, piece) -> {
                MemorySegment.copy(source, position, piece, 0, piece.byteSize());
                OpenCl.write(memory.queue, memory.buffer, offset + position, piece);
            });
        }
    }

    @Override
    protected void readRange(long offset, MemorySegment destination) {
        if (destination.isNative()) {
            OpenCl.read(memory.queue, memory.buffer, offset, destination);
        } else {
            Staging.inPieces(destination.byteSize(), (position, piece) -> {
                OpenCl.read(memory.queue, memory.buffer, offset + position, piece);
                MemorySegment.copy(piece, 0, destination, position, piece.byteSize());
            });
        }
    }

    @Override
    protected void readSpans(List<Span> spans) {
        ClRead read = new ClRead(memory, spans);
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
    protected Transfer beginReads(List<Span> spans, long elements) {
        return memory.guard.begin(new ClRead(memory, spans), elements, this);
    }

    @Override
    protected HostAllocation allocateHostMemory(long bytes) {
        return new ClHostMemory(memory, bytes);
    }

    @Override
    protected void fillRange(long offset, long length, int word) {
        try (Arena call = Arena.ofConfined()) {
            MemorySegment pattern = call.allocateFrom(ValueLayout.JAVA_INT, word);
            boolean whole = ((offset | length) & (Integer.BYTES - 1)) == 0; // OpenCL wants multiples of the pattern
            if (whole || word == (word & 0xFF) * 0x01010101) {
                MemorySegment unit = whole ? pattern : pattern.asSlice(0, 1);
                OpenCl.fill(memory.queue, memory.buffer, unit, offset, length);
            } else {
                super.fillRange(offset, length, word);
            }
        }
    }

    @Override
    protected void copyRange(long from, long to, long length) {
        if (Math.abs(from - to) >= length) { // OpenCL refuses ranges that overlap
            OpenCl.copy(memory.queue, memory.buffer, from, to, length);
        } else {
            super.copyRange(from, to, length);
        }
    }

    @Override
    protected void flushWrites() {
        OpenCl.finish(memory.queue);
    }

    @Override
    protected DeviceArena openView(MemoryPlan plan, ArenaOptions options, ArenaGeometry view, Runnable use) {
        return new OpenClArena(device(), plan, options, view, memory, use);
    }
}
