package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.raw.Downcalls;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The small writes that wait for the next submission, in their order: their bytes are in mapped staging already, and
 * copies at the front of the submission bring them to their buffers.
 *
 * <p>The library's own write to the queue does the same, but takes a buffer for every write and gives it back, and
 * submits them as commands of their own: that costs more than all else about a write of a few bytes.
 *
 * <p>Threads: guarded by the queue's lock, from {@link #record} to {@link #end} or {@link #cancel} without a gap.
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
    /** Whether the copies are in an encoder, so that no write may be added. */
    private boolean recorded;
    /** Where the host puts what was reserved, or 0; it is the last write then. */
    private long reserved;

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
        requireNotRecorded();
        MemorySegment.copy(AddressSpace.ALL, source, AddressSpace.ALL, chunk().address() + used, bytes);
        int last = count - 1;
        if (last >= 0 && targets[last] == to && offsets[last] + lengths[last] == offset) {
            lengths[last] += bytes; // goes on where the last one ended, on both sides
        } else {
            append(to, offset, bytes);
        }
        used += bytes;
    }

    private void append(GpuBuffer to, long offset, long bytes) {
        targets[count] = to;
        offsets[count] = offset;
        sources[count] = used;
        lengths[count] = bytes;
        count++;
    }

    private void requireNotRecorded() {
        if (recorded) {
            throw new AssertionError("a small write while commands are recorded");
        }
    }

    /** Adds a write to a buffer's start, for which there is room, and whose bytes come later. */
    void reserve(GpuBuffer to, long bytes) {
        requireNotRecorded();
        reserved = chunk().address() + used;
        append(to, 0, bytes);
        used += bytes;
    }

    /** Puts bytes where they were reserved; what they don't fill is left as it is. */
    void fill(long source, long bytes) {
        if (reserved == 0 || bytes > lengths[count - 1]) {
            throw new AssertionError(bytes + " bytes that were not reserved");
        }
        MemorySegment.copy(AddressSpace.ALL, source, AddressSpace.ALL, reserved, bytes);
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

    /** Records the copies at the front of an encoder. */
    void record(long encoder) {
        recorded = true;
        for (int i = 0; i < count; i++) {
            GpuBuffer target = targets[i];
            if (target != null) {
                Downcalls.copy(
                        encoder, chunk().buffer().address(), sources[i], target.address(), offsets[i], lengths[i]);
            }
        }
    }

    /** What was recorded will not be submitted: the writes wait on, but for what was reserved. */
    void cancel() {
        recorded = false;
        if (reserved != 0) {
            reserved = 0;
            count--;
            targets[count] = null;
            used -= lengths[count];
        }
    }

    /** Hands the chunk to the device, ahead of the submission of the commands that copy from it. */
    void unmap() {
        if (count > 0) {
            chunk().unmap();
        }
    }

    /** Ends with the writes, which were submitted; returns the chunk that they are in, or null if there were none. */
    @Nullable StagingBuffer end() {
        recorded = false;
        reserved = 0;
        if (count == 0) {
            return null;
        }
        Arrays.fill(targets, 0, count, null);
        count = 0;
        return takeChunk();
    }

    /** Takes the chunk away; no write waits in it. */
    StagingBuffer takeChunk() {
        StagingBuffer taken = chunk();
        chunk = null;
        return taken;
    }

    private StagingBuffer chunk() {
        if (chunk == null) {
            throw new AssertionError("there is no chunk");
        }
        return chunk;
    }
}
