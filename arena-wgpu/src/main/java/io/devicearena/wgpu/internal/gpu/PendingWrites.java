package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.AddressSpace;
import io.devicearena.wgpu.internal.raw.Downcalls;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The small writes that wait for the next submission, in order. Their bytes are in mapped staging; copies at the front
 * of the submission bring them to their buffers.
 *
 * <p>The library's own queue write does the same with one staging buffer and one command buffer for each write, which
 * takes longer than everything else about a write of a few bytes.
 *
 * <p>Threads: guarded by the lock of {@link SubmissionQueue}, which is held from {@link #record} to {@link #end} or
 * {@link #cancel}.
 */
final class PendingWrites {
    /** The size of one chunk of staging; also the most bytes of one write. */
    static final long CHUNK_BYTES = 512L << 10;

    /** The most copies of one submission; many more slow it down. */
    private static final int MAX_COPIES = 1024;

    private final @Nullable GpuBuffer[] targets = new @Nullable GpuBuffer[MAX_COPIES];
    private final long[] offsets = new long[MAX_COPIES];
    private final long[] sources = new long[MAX_COPIES];
    private final long[] lengths = new long[MAX_COPIES];
    private int count;
    private @Nullable StagingBuffer chunk;
    private long used;
    /** Whether the copies are in an encoder already, so that no write may be added. */
    private boolean recorded;
    /** The address of the reserved bytes, which are the last write; 0 without a reservation. */
    private long reserved;

    boolean isEmpty() {
        return count == 0;
    }

    boolean hasRoom(long bytes) {
        return hasRoom(bytes, 1);
    }

    /** Whether several writes of so many bytes in total have room. */
    boolean hasRoom(long bytes, int writes) {
        return chunk != null && used + bytes <= CHUNK_BYTES && count + writes <= MAX_COPIES;
    }

    /** Continues in a mapped chunk; there must be none now. */
    void useChunk(StagingBuffer fresh) {
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
            lengths[last] += bytes; // continues the last write, in the buffer and in staging
        } else {
            append(to, offset, bytes);
        }
        used += bytes;
    }

    /** Adds a write, for which there is room; returns the address where the caller supplies the bytes. */
    long place(GpuBuffer to, long offset, long bytes) {
        requireNotRecorded();
        long address = chunk().address() + used;
        append(to, offset, bytes);
        used += bytes;
        return address;
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

    /** Adds a write to the start of a buffer, for which there is room; {@link #fill} supplies the bytes. */
    void reserve(GpuBuffer to, long bytes) {
        requireNotRecorded();
        reserved = chunk().address() + used;
        append(to, 0, bytes);
        used += bytes;
    }

    /** Supplies reserved bytes; the rest of the reservation keeps its content. */
    void fill(long source, long bytes) {
        if (reserved == 0 || bytes > lengths[count - 1]) {
            throw new AssertionError(bytes + " bytes that were not reserved");
        }
        MemorySegment.copy(AddressSpace.ALL, source, AddressSpace.ALL, reserved, bytes);
    }

    /** Discards the writes to a buffer that is about to be released. */
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

    /** Cancels a recording: the writes wait for the next submission, and the reservation ends. */
    void cancel() {
        recorded = false;
        if (reserved != 0) {
            reserved = 0;
            count--;
            targets[count] = null;
            used -= lengths[count];
        }
    }

    /** Unmaps the chunk, before the submission of the commands that copy from it. */
    void unmap() {
        if (count > 0) {
            chunk().unmap();
        }
    }

    /** Removes the writes, which were submitted; returns their chunk, or null if there were none. */
    @Nullable StagingBuffer end() {
        recorded = false;
        reserved = 0;
        if (count == 0) {
            return null;
        }
        Arrays.fill(targets, 0, count, null);
        count = 0;
        return removeChunk();
    }

    /** Removes the chunk; no write waits in it. */
    StagingBuffer removeChunk() {
        StagingBuffer removed = chunk();
        chunk = null;
        return removed;
    }

    private StagingBuffer chunk() {
        if (chunk == null) {
            throw new AssertionError("there is no chunk");
        }
        return chunk;
    }
}
