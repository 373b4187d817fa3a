package com.example.opencl;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.DeviceToken;
import io.devicearena.ReadBatch;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.memory.StagedRead;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/** Regions of an arena on their way into native memory. Threads: as {@link StagedRead} says. */
final class ClRead implements StagedRead {
    private final ClMemory memory;
    private final List<ReadBatch.Region> regions;
    private final long[] counts;
    private final Arena owner = Arena.ofShared();
    private final MemorySegment staging;
    /** Of the last command, behind which all others of its queue are complete. */
    private MemorySegment event = MemorySegment.NULL;

    /** Enqueues the reads: of each region, so many bytes from an offset. */
    ClRead(ClMemory memory, List<ReadBatch.Region> regions, long[] offsets, long[] counts) {
        this.memory = memory;
        this.regions = regions;
        this.counts = counts;
        long bytes = 0;
        for (int i = 0; i < counts.length; i++) {
            bytes += bytes(i);
        }
        try {
            staging = owner.allocate(Math.max(bytes, 1), Long.BYTES);
            long position = 0;
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0) {
                    MemorySegment landing = staging.asSlice(position, bytes(i));
                    MemorySegment last = event;
                    event = OpenCl.beginRead(memory.queue, memory.buffer, offsets[i], landing);
                    OpenCl.releaseEvent(last);
                    position += bytes(i);
                }
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

    private long bytes(int region) {
        return counts[region]
                * switch (regions.get(region)) {
                    case ReadBatch.Output output -> output.dtype().bytes();
                    case ReadBatch.Elements elements -> elements.dtype().bytes();
                    case ReadBatch.Bytes _ -> 1;
                };
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
    public Optional<DeviceToken> token() {
        return event.address() == 0
                ? Optional.empty()
                : Optional.of(new DeviceToken("cl_event", event.address()));
    }

    @Override
    public void land() {
        long position = 0;
        for (int i = 0; i < counts.length; i++) {
            ReadBatch.Region region = regions.get(i);
            if (counts[i] > 0 && region instanceof ReadBatch.Output output) {
                TypedCasts.read(staging, position, output.dtype(), output.destination(), 0, counts[i]);
            } else {
                MemorySegment.copy(staging, position, region.destination(), 0, bytes(i));
            }
            position += bytes(i);
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
