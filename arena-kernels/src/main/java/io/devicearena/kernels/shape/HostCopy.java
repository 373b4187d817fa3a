package io.devicearena.kernels.shape;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies elements on the host: whole runs where both values have them, else squares of rows and columns, so that a
 * cache line is used whole while it is near.
 */
final class HostCopy implements Runnable {
    /** The side of a square. */
    private static final int SIDE = 32;

    /** Elements of a task, about. */
    private static final long TASK = 16_384;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final HostValues host;
    private final MemorySegment to;
    private final MemorySegment from;
    private final StridedCopy step;
    private final Loops loops;
    private final long rows;
    private final long rowsOfTask;

    HostCopy(HostValues host, StridedCopy step, Loops loops) {
        this.host = host;
        this.step = step;
        this.to = HostFloats.words(host, step.to().id(), step.to().reach());
        this.from = HostFloats.words(host, step.from().id(), step.from().reach());
        this.loops = loops;
        this.rows = loops.count() / loops.run();
        this.rowsOfTask = Math.max(SIDE, TASK / loops.run() / SIDE * SIDE);
    }

    @Override
    public void run() {
        host.parallel(Math.toIntExact((rows + rowsOfTask - 1) / rowsOfTask), this::rows);
    }

    private void rows(int task) {
        boolean isRun = loops.step(0) == 1 && loops.step(1) == 1;
        int side = isRun ? 1 : SIDE;
        long end = Math.min(rows, (task + 1) * rowsOfTask);
        Loops.Walk[] walks = new Loops.Walk[side];
        for (int i = 0; i < side; i++) {
            walks[i] = loops.walk();
            walks[i].go(task * rowsOfTask + i);
        }
        for (long first = task * rowsOfTask; first < end; first += side) {
            int count = (int) Math.min(side, end - first);
            for (long column = 0; column < loops.run(); column += isRun ? loops.run() : SIDE) {
                for (int i = 0; i < count; i++) {
                    copy(walks[i], column, isRun ? loops.run() : Math.min(SIDE, loops.run() - column));
                }
            }
            for (Loops.Walk walk : walks) {
                for (int i = 0; i < side; i++) {
                    walk.next();
                }
            }
        }
    }

    /** Copies elements of a row. */
    private void copy(Loops.Walk row, long column, long count) {
        long target = (step.to().first() + row.offset(0) + column * loops.step(0)) * Integer.BYTES;
        long source = (step.from().first() + row.offset(1) + column * loops.step(1)) * Integer.BYTES;
        long targetStep = loops.step(0) * Integer.BYTES;
        long sourceStep = loops.step(1) * Integer.BYTES;
        if (targetStep == Integer.BYTES && sourceStep == Integer.BYTES) {
            MemorySegment.copy(from, source, to, target, count * Integer.BYTES);
            return;
        }
        for (int i = 0; i < (int) count; i++) {
            to.set(INT, target + i * targetStep, from.get(INT, source + i * sourceStep));
        }
    }
}
