package com.example.opencl;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StagedRead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Spans of an arena on their way into native memory. Threads: as {@link StagedRead} says. */
final class ClRead implements StagedRead {
    private final OpenClBackend memory;
    private final List<Span> spans;
    private final Arena owner = Arena.ofShared();
    private final MemorySegment staging;
    /** Of the last command, behind which all others of its queue are complete. */
    private MemorySegment event = MemorySegment.NULL;

    /** Enqueues the reads. */
    ClRead(OpenClBackend memory, List<Span> spans) {
        this.memory = memory;
        this.spans = spans;
        long bytes = spans.stream().mapToLong(Span::bytes).sum();
        try {
            staging = owner.allocate(Math.max(bytes, 1), Long.BYTES);
            long position = 0;
            for (Span span : spans) {
                MemorySegment landing = staging.asSlice(position, span.bytes());
                MemorySegment last = event;
                event = OpenCl.beginRead(memory.queue, memory.buffer, span.offset(), landing);
                OpenCl.releaseEvent(last);
                position += span.bytes();
            }
            OpenCl.flush(memory.queue);
        } catch (OutOfMemoryError e) {
            release(false);
            throw new ArenaOutOfMemoryException("host memory: the system refused " + bytes + " bytes for a read", e);
        } catch (RuntimeException e) {
            release(false);
            throw e;
        }
    }

    @Override
    public boolean hasArrived() {
        return event.address() == 0 || OpenCl.isComplete(event);
    }

    /** Waits until the bytes have arrived. */
    void await() {
        if (event.address() != 0) {
            OpenCl.finish(memory.queue);
            hasArrived(); // throws if the command failed
        }
    }

    @Override
    public void land() {
        long position = 0;
        for (Span span : spans) {
            if (span.floats()) {
                TypedCasts.read(staging, position, span.dtype(), span.memory(), 0, span.elements());
            } else {
                MemorySegment.copy(staging, position, span.memory(), 0, span.bytes());
            }
            position += span.bytes();
        }
    }

    @Override
    public void release(boolean landed) {
        if (!landed && event.address() != 0) {
            OpenCl.finish(memory.queue); // the device may still write
        }
        OpenCl.releaseEvent(event);
        owner.close();
    }
}
