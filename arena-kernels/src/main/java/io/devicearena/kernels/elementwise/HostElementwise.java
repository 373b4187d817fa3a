package io.devicearena.kernels.elementwise;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/** Computes an expression of strided inputs on the host. */
final class HostElementwise implements Runnable {
    /** Elements of a block: ten operations take 40 KiB. */
    private static final int BLOCK = 1024;

    private static final int BLOCKS_OF_TASK = 16;

    private final Elementwise step;
    private final Loops loops;
    private final List<Strided> views;
    private final List<MemorySegment> inputs;
    private final MemorySegment out;
    private final WorkerTasks<Worker> tasks;

    HostElementwise(HostValues host, Elementwise step, Loops loops) {
        this.step = step;
        this.loops = loops;
        this.out = HostFloats.words(host, step.out(), loops.count());
        this.views = step.values();
        this.inputs = views.stream()
                .map(view -> HostFloats.words(host, view.id(), view.reach()))
                .toList();
        this.tasks = new WorkerTasks<>(host, Worker::new, Worker::run);
    }

    @Override
    public void run() {
        long task = (long) BLOCK * BLOCKS_OF_TASK;
        tasks.run(Math.toIntExact((loops.count() + task - 1) / task));
    }

    /** The memory of a thread. */
    private final class Worker {
        private final Evaluation evaluation = new Evaluation(step.expression(), BLOCK, this::load);
        private final Loops.Walk walk = loops.walk();
        private long first;

        void run(int task) {
            first = (long) task * BLOCK * BLOCKS_OF_TASK;
            long end = Math.min(loops.count(), first + (long) BLOCK * BLOCKS_OF_TASK);
            for (; first < end; first += BLOCK) {
                int count = (int) Math.min(BLOCK, end - first);
                evaluation.compute(count);
                if (evaluation.floats().length > 0) {
                    HostFloats.write(evaluation.floats(), 0, count, out, first);
                } else {
                    MemorySegment.copy(
                            evaluation.ints(), 0, out, ValueLayout.JAVA_INT_UNALIGNED, first * Integer.BYTES, count);
                }
            }
        }

        /** Reads the elements of a block, run by run of the innermost loop. */
        private void load(int number, float[] floats, int[] ints, int count) {
            MemorySegment from = inputs.get(number);
            Strided view = views.get(number);
            if (loops.isDense(number)) {
                read(from, view.first() + first, 1, floats, ints, 0, count);
                return;
            }
            long stride = loops.step(number);
            long place = first % loops.run();
            walk.go(first / loops.run());
            for (int done = 0; done < count; walk.next()) {
                int length = (int) Math.min(loops.run() - place, count - done);
                read(from, view.first() + walk.offset(number) + place * stride, stride, floats, ints, done, length);
                done += length;
                place = 0;
            }
        }
    }

    private static void read(MemorySegment from, long index, long step, float[] floats, int[] ints, int at, int count) {
        if (floats.length == 0) {
            for (int i = 0; i < count; i++) {
                ints[at + i] = HostFloats.word(from, index + i * step);
            }
        } else if (step == 1) {
            HostFloats.read(from, index, floats, at, count);
        } else if (step == 0) {
            Arrays.fill(floats, at, at + count, HostFloats.get(from, index));
        } else {
            for (int i = 0; i < count; i++) {
                floats[at + i] = HostFloats.get(from, index + i * step);
            }
        }
    }
}
