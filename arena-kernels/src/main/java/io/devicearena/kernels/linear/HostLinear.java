package io.devicearena.kernels.linear;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Computes a linear layer on the host: a task is a panel of a matrix and some tokens. */
final class HostLinear implements Runnable {
    /** So that no thread waits long for the last task. */
    private static final int TASKS_OF_THREAD = 4;

    private final Linear step;
    private final HostValues host;
    private final MemorySegment in;
    private final HostPanel[] panels;
    private final WorkerTasks<LinearMemory> tasks;
    private int tokens;
    private int share;
    private int shares;

    HostLinear(Linear step, HostValues host) {
        this.host = host;
        this.step = step;
        this.in = HostFloats.words(host, step.in(), (long) step.rowsOfTokens() * step.columns());
        this.panels = step.parts().stream()
                .flatMap(part -> HostPanel.of(part, host, step.rowsOfTokens()).stream())
                .toArray(HostPanel[]::new);
        LinearMemory[] kept = host.kept(LinearMemory[].class, () -> LinearMemory.ofThreads(host.threads()));
        for (LinearMemory memory : kept) {
            memory.require(step.columns());
        }
        this.tasks = new WorkerTasks<>(host, Arrays.asList(kept).iterator()::next, this::multiply);
    }

    @Override
    public void run() {
        tokens = Cursor.requireRows(host, step.cursor(), step.rowsOfTokens());
        long wanted = (long) tokens * panels.length / (TASKS_OF_THREAD * (long) host.threads()) / 4 * 4;
        share = (int) Math.max(4, Math.min(LinearMemory.MOST_TOKENS, wanted));
        shares = (tokens - 1) / share + 1;
        tasks.run(shares * panels.length);
    }

    /** Neighbouring tasks have the same panel, so that it stays in the caches. */
    private void multiply(LinearMemory memory, int task) {
        int first = task % shares * share;
        int count = Math.min(share, tokens - first);
        HostFloats.read(in, (long) first * step.columns(), memory.inputs(), 0, count * step.columns());
        panels[task / shares].multiply(memory, first, count);
    }
}
