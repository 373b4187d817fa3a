package io.devicearena.kernels.reduction;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Reduces on the host, always in loops over neighbours that HotSpot vectorises: a panel of neighbouring outputs at a
 * time, each with a result; or one output, whose row is dealt out to many results that are combined in the end.
 */
final class HostReduce implements Runnable {
    /** Results that are computed at a time. */
    private static final int LANES = 256;

    /** Elements that a task reads, about. */
    private static final long TASK = 16_384;

    private final Reduction reduction;
    private final Loops kept;
    private final Loops reduced;
    private final MemorySegment from;
    private final MemorySegment to;

    /** Outputs of a panel; 1 if rows are reduced. */
    private final int panel;

    private final long outputsOfTask;
    private final WorkerTasks<Results> tasks;

    /** The memory of a thread. */
    private static final class Results {
        private final float[] values = new float[LANES];
        private final int[] numbers = new int[LANES];
        private final float[] read = new float[LANES];
        private final Loops.Walk kept;
        private final Loops.Walk reduced;

        Results(Loops kept, Loops reduced) {
            this.kept = kept.walk();
            this.reduced = reduced.walk();
        }
    }

    HostReduce(HostValues host, Reduce step, Loops kept, Loops reduced) {
        this.reduction = step.reduction();
        this.kept = kept;
        this.reduced = reduced;
        this.from = HostFloats.words(host, step.in(), kept.count() * reduced.count());
        this.to = HostFloats.words(host, step.out(), kept.count());
        boolean isRow = reduced.step(0) == 1 || kept.step(0) != 1;
        this.panel = isRow ? 1 : (int) Math.min(LANES, kept.run());
        this.outputsOfTask = Math.max(panel, TASK / reduced.count() / panel * panel);
        this.tasks = new WorkerTasks<>(host, () -> new Results(kept, reduced), this::reduce);
    }

    @Override
    public void run() {
        tasks.run(Math.toIntExact((kept.count() + outputsOfTask - 1) / outputsOfTask));
    }

    private void reduce(Results results, int task) {
        long end = Math.min(kept.count(), (task + 1) * outputsOfTask);
        long output = task * outputsOfTask;
        while (output < end) {
            int count = 1;
            if (panel == 1) {
                row(results, output);
            } else {
                count = (int) Math.min(Math.min(panel, end - output), kept.run() - output % kept.run());
                panel(results, output, count);
            }
            output += count;
        }
    }

    /** Where the elements of an output begin; the walk over them begins anew. */
    private long begin(Results results, long output) {
        results.kept.go(output / kept.run());
        results.reduced.go(0);
        return results.kept.offset(0) + output % kept.run() * kept.step(0);
    }

    private void panel(Results results, long output, int count) {
        Arrays.fill(results.values, reduction.start());
        Arrays.fill(results.numbers, 0);
        long first = begin(results, output);
        for (long i = 0; i < reduced.count(); i++) {
            read(first + results.reduced.offset(0) + i % reduced.run() * reduced.step(0), 1, results.read, count);
            if (reduction == Reduction.ARG_MAX) {
                note(results, count, (int) i);
            }
            reduction.combine(results.values, results.read, count);
            if ((i + 1) % reduced.run() == 0) {
                results.reduced.next();
            }
        }
        for (int i = 0; i < count; i++) {
            write(output + i, results.values[i], results.numbers[i]);
        }
    }

    private static void note(Results results, int count, int number) {
        for (int i = 0; i < count; i++) {
            results.numbers[i] = results.read[i] > results.values[i] ? number : results.numbers[i];
        }
    }

    private void row(Results results, long output) {
        int lanes = (int) Math.min(LANES, reduced.run());
        Arrays.fill(results.values, 0, lanes, reduction.start());
        long first = begin(results, output);
        float largest = Float.NEGATIVE_INFINITY;
        int number = 0;
        for (long begin = 0; begin < reduced.count(); begin += reduced.run(), results.reduced.next()) {
            long place = first + results.reduced.offset(0);
            for (long i = 0; i < reduced.run(); i += lanes) {
                int count = (int) Math.min(lanes, reduced.run() - i);
                read(place + i * reduced.step(0), reduced.step(0), results.read, count);
                reduction.combine(results.values, results.read, count);
                for (int j = 0; reduction == Reduction.ARG_MAX && j < count; j++) {
                    if (results.read[j] > largest) {
                        largest = results.read[j];
                        number = (int) (begin + i + j);
                    }
                }
            }
        }
        write(output, reduction.combined(results.values, results.read, lanes), number);
    }

    private void read(long first, long step, float[] to, int count) {
        if (step == 1) {
            HostFloats.read(from, first, to, 0, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            to[i] = HostFloats.get(from, first + i * step);
        }
    }

    private void write(long output, double result, int number) {
        boolean isNumber = reduction == Reduction.ARG_MAX;
        float value = reduction.finish(result, reduced.count());
        HostFloats.setWord(to, output, isNumber ? number : Float.floatToRawIntBits(value));
    }
}
