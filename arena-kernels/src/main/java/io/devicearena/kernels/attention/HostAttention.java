package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Computes {@link FullAttention} on the host: a task is a head of up to 32 rows. */
final class HostAttention implements Runnable {
    private final FullAttention step;
    private final MemorySegment queries;
    private final MemorySegment keys;
    private final MemorySegment values;
    private final MemorySegment spans;
    private final @Nullable MemorySegment cursor;
    private final MemorySegment out;
    private final WorkerTasks<AttentionBlock> tasks;
    private int rows;

    HostAttention(FullAttention step, HostValues host) {
        this.step = step;
        this.queries = HostFloats.words(host, step.queries(), step.elements());
        this.keys = HostFloats.words(host, step.keys(), step.elements());
        this.values = HostFloats.words(host, step.values(), step.elements());
        this.spans = HostFloats.words(
                host, step.sequences().spans(), 2L * step.shape().rows());
        NodeId id = step.sequences().cursor();
        this.cursor = id == null ? null : HostFloats.words(host, id, AttentionInputs.CURSOR_WORDS);
        this.out = HostFloats.words(host, step.out(), step.elements());
        this.tasks = new WorkerTasks<>(
                host,
                () -> new AttentionBlock(step.shape().headDim(), step.shape().scoreScale()),
                this::answer);
    }

    @Override
    public void run() {
        int count = cursor == null ? step.shape().rows() : HostFloats.word(cursor, 1);
        rows = count < 0 ? step.shape().rows() : Math.min(count, step.shape().rows());
        tasks.run(step.shape().heads() * Math.ceilDiv(rows, AttentionBlock.QUERIES));
    }

    private void answer(AttentionBlock block, int task) {
        int first = task / step.shape().heads() * AttentionBlock.QUERIES;
        int end = Math.min(first + AttentionBlock.QUERIES, rows);
        for (int row = first; row < end; ) {
            row = answer(block, task % step.shape().heads(), row, end);
        }
    }

    /** Answers the rows of a sequence, and returns the first of the next. */
    private int answer(AttentionBlock block, int head, int row, int end) {
        int firstKey = HostFloats.word(spans, 2L * row);
        int endKey = HostFloats.word(spans, 2L * row + 1);
        if (firstKey < 0 || firstKey > row || endKey <= row || endKey > rows) {
            throw new IllegalArgumentException("spans: expected that row " + row + " of " + rows
                    + " sees itself, and rows that are valid, got rows " + firstKey + " to " + endKey);
        }
        int to = Math.min(end, endKey);
        block.setQueries(queries, at(row, head), to - row, step.columns());
        block.setKeys(keys, values, at(firstKey, head), endKey - firstKey, step.columns());
        block.compute();
        for (int q = row; q < to; q++) {
            block.write(q - row, out, at(q, head));
        }
        return to;
    }

    private long at(int row, int head) {
        return (long) row * step.columns() + (long) head * step.shape().headDim();
    }
}
