package io.devicearena.wgpu.internal.gpu;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The small writes that wait for the next submission, in their order: their bytes are in mapped staging already, and
 * copies bring them to their buffers ahead of whatever is submitted.
 *
 * <p>The library's own write to the queue does the same, but takes a buffer for every write and gives it back: that costs
 * more than all else about a write of a few bytes.
 *
 * <p>Threads: guarded by the queue's lock.
 */
final class PendingWrites {
    /** What one chunk of staging holds; also the most that one write may have. */
    static final long CHUNK_BYTES = 512L << 10;

    /** A submission gets slow when it has many more. */
    private static final int MOST_COPIES = 1024;

    private final @Nullable GpuBuffer[] targets = new @Nullable GpuBuffer[MOST_COPIES];
    private final long[] offsets = new long[MOST_COPIES];
    private final long[] sources = new long[MOST_COPIES];
    private final long[] lengths = new long[MOST_COPIES];
    private int count;
    private @Nullable StagingBuffer chunk;
    private long used;

    boolean isEmpty() {
        return count == 0;
    }

    boolean hasRoom(long bytes) {
        return chunk != null && used + bytes <= CHUNK_BYTES && count < MOST_COPIES;
    }

    /** Goes on in a chunk, which is mapped; there is none now. */
    void begin(StagingBuffer fresh) {
        if (chunk != null) {
            throw new AssertionError("a chunk is in use");
        }
        chunk = fresh;
        used = 0;
    }

    boolean hasChunk() {
        return chunk != null;
    }

    /** Adds a write, for which there is room. */
    void add(GpuBuffer to, long offset, long source, long bytes) {
        MemorySegment.copy(AddressSpace.ALL, source, AddressSpace.ALL, chunk().address() + used, bytes);
        int last = count - 1;
        if (last >= 0 && targets[last] == to && offsets[last] + lengths[last] == offset) {
            lengths[last] += bytes; // goes on where the last one ended, on both sides
        } else {
            targets[count] = to;
            offsets[count] = offset;
            sources[count] = used;
            lengths[count] = bytes;
            count++;
        }
        used += bytes;
    }

    /** Forgets the writes to a buffer that is about to go. */
    void drop(GpuBuffer target) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (targets[i] != target) {
                targets[kept] = targets[i];
                offsets[kept] = offsets[i];
                sources[kept] = sources[i];
                lengths[kept] = lengths[i];
                kept++;
            }
        }
        Arrays.fill(targets, kept, count, null);
        count = kept;
        if (count == 0) {
            used = 0;
        }
    }

    /**
     * Makes the commands that do the writes, of which there are some; the chunk is the device's then. After a failure all
     * is as it was.
     *
     * @return the command buffer's handle
     * @throws io.devicearena.DeviceException if the device fails
     */
    long finish(GpuDevice device) {
        long encoder = Downcalls.deviceCreateCommandEncoder(device.address());
        for (int i = 0; i < count; i++) {
            GpuBuffer target = targets[i];
            if (target != null) {
                Downcalls.copy(
                        encoder, chunk().buffer().address(), sources[i], target.address(), offsets[i], lengths[i]);
            }
        }
        long commands = Downcalls.finish(encoder);
        Downcalls.releaseEncoder(encoder);
        try {
            device.errors().check("wgpuCommandEncoderFinish");
            chunk().unmap();
            device.errors().check("wgpuBufferUnmap");
        } catch (RuntimeException e) {
            Downcalls.releaseCommands(commands);
            throw e;
        }
        return commands;
    }

    /** Ends with the writes, which were submitted; returns the chunk they are in. */
    StagingBuffer end() {
        StagingBuffer submitted = chunk();
        Arrays.fill(targets, 0, count, null);
        count = 0;
        chunk = null;
        return submitted;
    }

    private StagingBuffer chunk() {
        if (chunk == null) {
            throw new AssertionError("there is no chunk");
        }
        return chunk;
    }
}
