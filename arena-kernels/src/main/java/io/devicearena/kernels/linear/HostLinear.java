package io.devicearena.kernels.linear;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Computes a linear layer on the host: a task is a panel of a matrix and some tokens. */
final class HostLinear implements Runnable {
    /** So that no thread waits long for the last task. */
    private static final int TASKS_OF_THREAD = 4;

    private final HostValues host;
    private final int rows;
    private final int columns;
    private final MemorySegment in;
    private final @Nullable MemorySegment cursor;
    private final NodeId cursorId;
    private final HostPanel[] panels;
    private final WorkerTasks<LinearMemory> tasks;
    private int tokens;
    private int share;
    private int shares;

    HostLinear(Linear step, HostValues host) {
        this.host = host;
        this.rows = step.rowsOfTokens();
        this.columns = step.columns();
        this.in = HostFloats.words(host, step.in(), (long) rows * columns);
        NodeId id = step.cursor();
        this.cursorId = id == null ? step.in() : id;
        this.cursor = id == null ? null : HostFloats.words(host, id, 4);
        this.panels = step.parts().stream()
                .flatMap(part -> HostPanel.of(part, host, rows).stream())
                .toArray(HostPanel[]::new);
        LinearMemory[] kept = host.kept(LinearMemory[].class, () -> LinearMemory.ofThreads(host.threads()));
        for (LinearMemory memory : kept) {
            memory.require(columns);
        }
        this.tasks = new WorkerTasks<>(host, Arrays.asList(kept).iterator()::next, this::multiply);
    }

    @Override
    public void run() {
        tokens = cursor == null ? rows : valid(cursor);
        long wanted = (long) tokens * panels.length / (TASKS_OF_THREAD * (long) host.threads()) / 4 * 4;
        share = (int) Math.max(4, Math.min(LinearMemory.MOST_TOKENS, wanted));
        shares = (tokens - 1) / share + 1;
        tasks.run(shares * panels.length);
    }

    private int valid(MemorySegment words) {
        int count = HostFloats.word(words, 1);
        if (count < 1 || count > rows) {
            throw new IllegalArgumentException(
                    "cursor " + cursorId + ": expected a count of 1 to " + rows + ", got " + count);
        }
        return count;
    }

    /** Neighbouring tasks have the same panel, so that it stays in the caches. */
    private void multiply(LinearMemory memory, int task) {
        int first = task % shares * share;
        int count = Math.min(share, tokens - first);
        MemorySegment.copy(
                in,
                ValueLayout.JAVA_FLOAT_UNALIGNED,
                (long) first * columns * Float.BYTES,
                memory.inputs(),
                0,
                count * columns);
        panels[task / shares].multiply(memory, first, count);
    }
}
