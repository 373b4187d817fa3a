package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.gpu.QueuedWrites;
import io.devicearena.wgpu.internal.gpu.SubmissionQueue;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of one run, as writes that are made with its submission. One object serves one run after the other.
 *
 * <p>Threads: one thread at a time.
 */
final class InputWrites implements QueuedWrites {
    private final HostView host;
    private final HostView hostF16;
    private List<Span> spans = List.of();
    private @Nullable Mirrors mirrors;
    private @Nullable ArenaBuffers buffers;
    private long bytes;
    private int writes;

    InputWrites(HostView host, HostView hostF16) {
        this.host = host;
        this.hostF16 = hostF16;
    }

    /** Sets the inputs of the next run. */
    void set(List<Span> inputs, Mirrors rule, ArenaBuffers target) {
        spans = inputs;
        mirrors = rule;
        buffers = target;
        bytes = 0;
        writes = 0;
        for (int i = 0; i < spans.size(); i++) {
            count(spans.get(i));
        }
    }

    private void count(Span span) {
        long offset = span.offset();
        long length = span.bytes();
        bytes += length;
        writes += parts(buffers().arena(), offset, length);
        if (hasMirror(span)) {
            bytes += length / 2;
            writes += parts(buffers().shadow(), offset / 2, length / 2);
        }
    }

    /** Whether the inputs can be written with the submission: whole words, and not too many. */
    boolean areSmall() {
        boolean small = bytes <= SubmissionQueue.MAX_WRITE_BYTES && writes <= SubmissionQueue.MAX_QUEUED_WRITES;
        for (int i = 0; i < spans.size() && small; i++) {
            Span span = spans.get(i);
            boolean castByDevice = hasMirror(span) && (span.elements() & 1) == 1;
            small = ((span.offset() | span.bytes()) & 3) == 0 && !castByDevice;
        }
        return small;
    }

    private ArenaBuffers buffers() {
        return Objects.requireNonNull(buffers);
    }

    /** Drops the references to the caller's memory. */
    void clear() {
        spans = List.of();
        bytes = 0;
        writes = 0;
        host.clear();
        hostF16.clear();
    }

    private static int parts(SegmentedBuffer buffers, long offset, long length) {
        return length == 0 ? 0 : buffers.indexOf(offset + length - 1) - buffers.indexOf(offset) + 1;
    }

    private boolean hasMirror(Span span) {
        return Objects.requireNonNull(mirrors).of(span) != Upload.Mirror.NONE;
    }

    @Override
    public long bytes() {
        return bytes;
    }

    @Override
    public int writes() {
        return writes;
    }

    @Override
    public void writeTo(Target target) {
        for (int i = 0; i < spans.size(); i++) {
            Span span = spans.get(i);
            long offset = span.offset();
            long length = span.bytes();
            host.set(span);
            write(target, buffers().arena(), host, offset, length);
            if (hasMirror(span)) {
                hostF16.setF16Of(host);
                write(target, buffers().shadow(), hostF16, offset / 2, length / 2);
            }
        }
    }

    private static void write(Target target, SegmentedBuffer to, HostView from, long offset, long length) {
        int unit = from.deviceBytes();
        int segment = to.indexOf(offset);
        for (long done = 0; done < length; segment++) {
            long begin = offset + done;
            long part = Math.min(length - done, to.end(segment) - begin);
            long address = target.place(to.buffer(segment), begin - to.start(segment), part);
            from.copyTo(address, done / unit, part / unit);
            done += part;
        }
    }
}
