package io.devicearena.cuda.internal.transfer;

import io.devicearena.spi.memory.Span;
import java.util.List;

/**
 * A batch of reads: ranges gathered to page-locked memory, which land from there in the caller's memory. Ranges whose
 * memory is page-locked go straight there.
 *
 * <p>Threads: safe for any thread.
 */
final class Download {
    private final PageLockedMemories pageLocked;
    private final LargeTransfer large;

    Download(PageLockedMemories pageLocked, LargeTransfer large) {
        this.pageLocked = pageLocked;
        this.large = large;
    }

    /** The staging that some spans need at most. */
    static long stagingBytes(List<Span> spans, int first, int end) {
        long bytes = RangeCopies.UNIT;
        for (int i = first; i < end; i++) {
            bytes += spans.get(i).bytes() + RangeCopies.UNIT;
        }
        return bytes;
    }

    /**
     * Begins reads of spans into a block, after all work so far on a stream, and into page-locked memory.
     *
     * @param begin where the block has room
     * @param arena the address of the arena on the device
     * @param byKernel whether a kernel reads one range too: behind other work the copy engine begins late
     */
    void begin(
            List<Span> spans,
            int first,
            int end,
            long arena,
            PinnedBlock block,
            long begin,
            long stream,
            boolean byKernel) {
        long position = begin;
        for (int i = first; i < end; i++) {
            Span span = spans.get(i);
            long from = arena + span.offset();
            long to = pageLocked.address(span);
            if (to == 0) {
                position = RangeCopies.place(position, from);
                to = block.host + position;
                position += span.bytes();
            }
            block.copies.put(from, to, 0, span.bytes(), stream);
        }
        block.copies.make(stream, byKernel);
    }

    /** Copies what has arrived to the caller's memory. */
    void land(List<Span> spans, int first, int end, long arena, PinnedBlock block, long begin) {
        long position = begin;
        for (int i = first; i < end; i++) {
            Span span = spans.get(i);
            if (pageLocked.address(span) == 0) {
                position = RangeCopies.place(position, arena + span.offset());
                long elements = block.view.set(span);
                if (span.bytes() > Upload.MAX_BYTES) {
                    large.copy(false, block.host + position, block.view, elements);
                } else {
                    block.view.copyFrom(block.host + position, 0, elements);
                }
                position += span.bytes();
            }
        }
    }
}
