package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.gpu.SubmissionQueue.MergeKernel;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue.MergeWindow;
import io.devicearena.wgpu.internal.raw.AddressSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Small writes that wait for a submission, in order. Their bytes are in host memory, so that no writer calls the
 * library: it may not answer while a submission is made. The submission takes the bytes along in staging; copies at its
 * front bring them to their buffers.
 *
 * <p>The library's own queue write does the same with one staging buffer and one command buffer for each write, which
 * takes longer than everything else about a write of a few bytes.
 *
 * <p>Threads: guarded by the locks of {@link SubmissionQueue}.
 */
final class PendingWrites implements AutoCloseable {
    /** The most bytes; also the most bytes of one write. */
    static final long MAX_BYTES = 512L << 10;

    /** The most copies; many more slow a submission down. */
    private static final int MAX_COPIES = 1024;

    private final Arena memory = Arena.ofShared();
    /** The bytes of the copies, one behind the other. */
    private final MemorySegment bytes = memory.allocate(MAX_BYTES, Long.BYTES);

    private long used;
    /** For each copy of whole words: its buffer, or null once that is released; its place there; its bytes. */
    private final List<@Nullable GpuBuffer> targets = new ArrayList<>(MAX_COPIES);

    private final long[] offsets = new long[MAX_COPIES];
    private final long[] lengths = new long[MAX_COPIES];
    private final PendingMerges merges = new PendingMerges();
    private boolean full;

    boolean isEmpty() {
        return targets.isEmpty() && merges.isEmpty();
    }

    /** Whether a write did not find room; no write is added any more. */
    boolean isFull() {
        return full;
    }

    /** Adds a write, or returns false if there is no room. */
    boolean add(GpuBuffer to, long offset, long source, long length) {
        long at = find(to, offset, length);
        if (at < 0) {
            full |= used + length > MAX_BYTES || targets.size() == MAX_COPIES;
            if (full) {
                return false;
            }
            at = used;
            addCopy(to, offset, length);
        }
        MemorySegment.copy(AddressSpace.ALL, source, bytes, at, length);
        merges.cover(to, offset, length);
        return true;
    }

    /**
     * Finds where the bytes of a range are that one of the last two copies writes, and nothing after it: a value and
     * its mirror are two copies, and they may be written again and again before a submission.
     *
     * @return where they are; -1 if the range needs a copy of its own
     */
    private long find(GpuBuffer to, long offset, long length) {
        long begin = used;
        for (int i = targets.size() - 1; i >= Math.max(0, targets.size() - 2); i--) {
            begin -= lengths[i];
            if (targets.get(i) == to && offset < offsets[i] + lengths[i] && offsets[i] < offset + length) {
                boolean covered = offset >= offsets[i] && offset + length <= offsets[i] + lengths[i];
                return covered ? begin + (offset - offsets[i]) : -1;
            }
        }
        return -1;
    }

    /** Adds a copy. One that continues the last copy becomes a part of it. */
    private void addCopy(GpuBuffer to, long offset, long length) {
        int last = targets.size() - 1;
        if (last >= 0 && targets.get(last) == to && offsets[last] + lengths[last] == offset) {
            lengths[last] += length;
        } else {
            targets.add(to);
            offsets[last + 1] = offset;
            lengths[last + 1] = length;
        }
        used += length;
    }

    /** Adds bytes of a word, or returns false if there is no room. See {@link SubmissionQueue#merge}. */
    boolean merge(MergeWindow window, int word, int mask, int bits) {
        full |= !merges.add(window, word, mask, bits);
        return !full;
    }

    /** Whether a write is one to a buffer. */
    boolean hasTarget(GpuBuffer target) {
        return targets.contains(target) || merges.hasTarget(target);
    }

    /** Discards the writes to a buffer that is about to be released. */
    void drop(GpuBuffer target) {
        merges.drop(target);
        targets.replaceAll(each -> each == target ? null : each);
        if (merges.isEmpty() && targets.stream().allMatch(Objects::isNull)) {
            clear();
        }
    }

    /** Copies the bytes to staging, and records the writes. */
    void record(Commands recording, WriteStaging staging) {
        staging.require(used + merges.bytes());
        if (used > 0) {
            long address = staging.reserve(used);
            MemorySegment.copy(bytes, 0, AddressSpace.ALL, address, used);
            for (int i = 0; i < targets.size(); i++) {
                GpuBuffer target = targets.get(i);
                if (target != null) {
                    recording.copyReserved(address, target, offsets[i], lengths[i]);
                }
                address += lengths[i];
            }
        }
        merges.record(recording, staging);
    }

    /** Removes the writes, which were submitted. */
    void clear() {
        targets.clear();
        merges.clear();
        used = 0;
        full = false;
    }

    @Override
    public void close() {
        memory.close();
    }

    /**
     * Bytes of words that wait for the next submission: the ends of writes that begin or end within words. The device
     * copies whole words only, so {@link MergeKernel} writes these, once for each window, behind the copies.
     *
     * <p>A word has one entry, in which later bytes replace earlier ones. A later write of the whole word removes it,
     * so it does not matter that the kernel runs last.
     *
     * <p>Threads: one thread at a time.
     */
    @SuppressWarnings("ReferenceEquality") // there is one object for each window
    static final class PendingMerges {
        static final int MAX_WORDS = 1024;
        static final int ENTRY_BYTES = 4 * Integer.BYTES;

        /** The most bytes of staging. */
        static final long MAX_BYTES = (long) MAX_WORDS * ENTRY_BYTES;

        private static final int TABLE_BITS = 11;
        private static final int FIBONACCI = 0x9E37_79B9;

        /** For each word: its window, where it begins in its buffer, and the bits to write; none if it is covered. */
        private final List<MergeWindow> windows = new ArrayList<>(MAX_WORDS);

        private final long[] positions = new long[MAX_WORDS];
        private final int[] masks = new int[MAX_WORDS];
        private final int[] bits = new int[MAX_WORDS];
        /** Finds the entry of a word: 1 more than its index, in a hash table that is at most half full. */
        private final int[] table = new int[1 << TABLE_BITS];
        /** The windows, each once. */
        private final List<MergeWindow> distinct = new ArrayList<>();

        boolean isEmpty() {
            return windows.isEmpty();
        }

        /** Adds bytes of a word, or returns false if there is no room. See {@link SubmissionQueue#merge}. */
        boolean add(MergeWindow window, int word, int mask, int newBits) {
            long position = window.begin() + (long) word * Integer.BYTES;
            int place = (word * FIBONACCI) >>> (32 - TABLE_BITS);
            while (table[place] != 0 && !isEntry(table[place] - 1, window, position)) {
                place = (place + 1) & (table.length - 1);
            }
            int index = table[place] - 1;
            if (index < 0) {
                index = windows.size();
                if (index == MAX_WORDS) {
                    return false;
                }
                windows.add(window);
                if (!distinct.contains(window)) {
                    distinct.add(window);
                }
                table[place] = index + 1;
                positions[index] = position;
                masks[index] = 0;
                bits[index] = 0;
            }
            masks[index] |= mask;
            bits[index] = (bits[index] & ~mask) | (newBits & mask);
            return true;
        }

        private boolean isEntry(int index, MergeWindow window, long position) {
            return positions[index] == position && windows.get(index) == window;
        }

        /** Forgets the bytes of whole words that a later write covers. */
        void cover(GpuBuffer to, long offset, long bytes) {
            for (int i = 0; i < windows.size(); i++) {
                if (positions[i] >= offset
                        && positions[i] < offset + bytes
                        && windows.get(i).buffer() == to) {
                    masks[i] = 0;
                    bits[i] = 0;
                }
            }
        }

        /** The most bytes of staging that {@link #record} reserves now. */
        long bytes() {
            return (long) windows.size() * ENTRY_BYTES;
        }

        /** Whether a word is one of a buffer. */
        boolean hasTarget(GpuBuffer target) {
            return distinct.stream().anyMatch(window -> window.buffer() == target);
        }

        /** Discards the bytes for a buffer. */
        void drop(GpuBuffer target) {
            cover(target, 0, target.bytes());
            distinct.removeIf(window -> window.buffer() == target);
            if (distinct.isEmpty()) {
                clear();
            }
        }

        /** Records the kernel for each window. */
        void record(Commands recording, WriteStaging staging) {
            for (int i = 0; i < distinct.size(); i++) {
                record(recording, staging, distinct.get(i));
            }
        }

        private void record(Commands recording, WriteStaging staging, MergeWindow window) {
            int live = 0;
            for (int i = 0; i < windows.size(); i++) {
                live += windows.get(i) == window && masks[i] != 0 ? 1 : 0;
            }
            if (live == 0) {
                return;
            }
            long bytes = (long) live * ENTRY_BYTES;
            long address = staging.reserve(bytes);
            long at = address;
            for (int i = 0; i < windows.size(); i++) {
                if (windows.get(i) == window && masks[i] != 0) {
                    int word = (int) ((positions[i] - window.begin()) / Integer.BYTES);
                    AddressSpace.ALL.set(ValueLayout.JAVA_INT, at, word);
                    AddressSpace.ALL.set(ValueLayout.JAVA_INT, at + 4, masks[i]);
                    AddressSpace.ALL.set(ValueLayout.JAVA_INT, at + 8, bits[i]);
                    AddressSpace.ALL.set(ValueLayout.JAVA_INT, at + 12, live); // the kernel reads that of the first
                    at += ENTRY_BYTES;
                }
            }
            MergeKernel kernel = window.kernel();
            recording.copyReserved(address, kernel.list(), 0, bytes);
            int workgroups = (live + MergeKernel.WORKGROUP - 1) / MergeKernel.WORKGROUP;
            recording.dispatch(kernel.pipeline(), window.group(), kernel.listGroup(), workgroups);
        }

        void clear() {
            if (!windows.isEmpty()) {
                windows.clear();
                distinct.clear();
                Arrays.fill(table, 0);
            }
        }
    }

    /**
     * The staging that the small writes of one submission travel in: mapped chunks, of which mostly one is needed.
     *
     * <p>Threads: one thread at a time, the one that submits.
     */
    static final class WriteStaging {
        /** The size of a chunk: the writes of one {@link PendingWrites} never need two. */
        private static final long CHUNK_BYTES = PendingWrites.MAX_BYTES + PendingMerges.MAX_BYTES;

        private final StagingRing ring;
        private final List<StagingBuffer> chunks = new ArrayList<>();
        /** The bytes of the last chunk that are in use. */
        private long used;

        /**
         * Makes an empty one.
         *
         * @param most the most chunks of a submission
         */
        WriteStaging(GpuDevice device, int most) {
            ring = new StagingRing(device, CHUNK_BYTES, most, false);
        }

        /**
         * Makes sure that the next bytes to be reserved are in one chunk; waits for the device if it reads all chunks.
         */
        void require(long bytes) {
            if (chunks.isEmpty() || used + bytes > CHUNK_BYTES) {
                chunks.add(ring.acquire());
                used = 0;
            }
        }

        /** Reserves bytes; returns their address. */
        long reserve(long bytes) {
            require(bytes);
            long address = chunk().address() + used;
            used += bytes;
            return address;
        }

        /** The chunk of the bytes that were reserved last. */
        StagingBuffer chunk() {
            return chunks.getLast();
        }

        /** Unmaps the chunks, before the submission of the commands that copy from them. */
        void unmap() {
            chunks.forEach(StagingBuffer::unmap);
        }

        /** Releases the chunks, which were submitted. */
        void release() {
            try {
                while (!chunks.isEmpty()) {
                    ring.release(chunks.removeLast());
                }
            } catch (RuntimeException | Error e) {
                cancel();
                throw e;
            }
        }

        /** Discards the chunks after a failure. */
        void cancel() {
            while (!chunks.isEmpty()) {
                ring.discard(chunks.removeLast());
            }
        }

        /** Closes the chunks that nothing uses. */
        void trim() {
            ring.trim();
        }
    }
}
