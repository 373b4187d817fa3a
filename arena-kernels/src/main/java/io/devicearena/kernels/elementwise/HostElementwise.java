package io.devicearena.kernels.elementwise;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.elementwise.Expression.Binary;
import io.devicearena.kernels.elementwise.Expression.Constant;
import io.devicearena.kernels.elementwise.Expression.Input;
import io.devicearena.kernels.elementwise.Expression.Select;
import io.devicearena.kernels.elementwise.Expression.Unary;
import io.devicearena.kernels.shape.Strided;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Computes an expression on the host: a block of elements at a time, operation by operation, so that what is between
 * operations stays in the first cache.
 */
final class HostElementwise implements Runnable {
    /** Elements of a block: ten operations take 40 KiB. */
    private static final int BLOCK = 1024;

    private static final int BLOCKS_OF_TASK = 16;

    private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    private final Loops loops;
    private final List<Expression> parts;
    private final int[][] operands;
    private final List<MemorySegment> inputs = new ArrayList<>();
    private final List<Strided> views;
    private final MemorySegment out;
    private final WorkerTasks<Block[]> tasks;

    /** The results of an operation for a block, as floats or as integers. */
    private static final class Block {
        private final float[] floats;
        private final int[] ints;
        private final Loops.Walk walk;

        Block(Expression part, Loops loops) {
            boolean isFloat = part.type() == Expression.Type.F32;
            floats = new float[isFloat ? BLOCK : 0];
            ints = new int[isFloat ? 0 : BLOCK];
            walk = loops.walk();
            if (part instanceof Constant(int bits, Expression.Type _)) {
                Arrays.fill(floats, Float.intBitsToFloat(bits));
                Arrays.fill(ints, bits);
            }
        }
    }

    HostElementwise(
            HostValues host, NodeId out, Loops loops, Operations operations, List<Strided> views, List<Long> shape) {
        this.loops = loops;
        this.views = views;
        this.parts = operations.parts();
        this.operands = parts.stream().map(operations::operandsOf).toArray(int[][]::new);
        this.out = HostFloats.words(host, out, loops.count());
        views.forEach(view -> inputs.add(HostFloats.words(host, view.id(), view.reach(shape))));
        this.tasks = new WorkerTasks<>(
                host, () -> parts.stream().map(part -> new Block(part, loops)).toArray(Block[]::new), this::compute);
    }

    @Override
    public void run() {
        long task = (long) BLOCK * BLOCKS_OF_TASK;
        tasks.run(Math.toIntExact((loops.count() + task - 1) / task));
    }

    private void compute(Block[] blocks, int task) {
        long begin = (long) task * BLOCK * BLOCKS_OF_TASK;
        long end = Math.min(loops.count(), begin + (long) BLOCK * BLOCKS_OF_TASK);
        for (long first = begin; first < end; first += BLOCK) {
            int count = (int) Math.min(BLOCK, end - first);
            for (int i = 0; i < blocks.length; i++) {
                compute(i, blocks, first, count);
            }
            Block last = blocks[blocks.length - 1];
            if (last.floats.length > 0) {
                MemorySegment.copy(last.floats, 0, out, FLOAT, first * Float.BYTES, count);
            } else {
                MemorySegment.copy(last.ints, 0, out, INT, first * Integer.BYTES, count);
            }
        }
    }

    private void compute(int part, Block[] blocks, long first, int count) {
        Block to = blocks[part];
        int[] from = operands[part];
        switch (parts.get(part)) {
            case Input input -> load(input.number(), to, first, count);
            case Constant _ -> {}
            case Unary unary -> compute(unary.operation(), blocks[from[0]], to, count);
            case Binary binary -> compute(binary.operation(), blocks[from[0]], blocks[from[1]], to, count);
            case Select _ -> select(blocks[from[0]].ints, blocks[from[1]], blocks[from[2]], to, count);
        }
    }

    private static void compute(UnaryOperation operation, Block x, Block to, int count) {
        switch (operation) {
            case TO_F32 -> {
                for (int i = 0; i < count; i++) {
                    to.floats[i] = x.ints[i];
                }
            }
            case TO_I32 -> {
                for (int i = 0; i < count; i++) {
                    to.ints[i] = (int) x.floats[i];
                }
            }
            default -> {
                if (x.floats.length > 0) {
                    operation.apply(x.floats, to.floats, count);
                } else {
                    operation.apply(x.ints, to.ints, count);
                }
            }
        }
    }

    private static void compute(BinaryOperation operation, Block a, Block b, Block to, int count) {
        if (a.floats.length == 0) {
            operation.apply(a.ints, b.ints, to.ints, count);
        } else if (operation.isComparison()) {
            operation.compare(a.floats, b.floats, to.ints, count);
        } else {
            operation.apply(a.floats, b.floats, to.floats, count);
        }
    }

    private static void select(int[] condition, Block yes, Block no, Block to, int count) {
        for (int i = 0; i < count; i++) {
            if (to.floats.length > 0) {
                to.floats[i] = condition[i] != 0 ? yes.floats[i] : no.floats[i];
            } else {
                to.ints[i] = condition[i] != 0 ? yes.ints[i] : no.ints[i];
            }
        }
    }

    /** Reads the elements of a block, run by run of the innermost loop. */
    private void load(int number, Block to, long first, int count) {
        MemorySegment from = inputs.get(number);
        long begin = views.get(number).first();
        if (loops.isDense(number)) {
            read(from, begin + first, 1, to, 0, count);
            return;
        }
        long step = loops.step(number);
        long place = first % loops.run();
        to.walk.go(first / loops.run());
        for (int done = 0; done < count; to.walk.next()) {
            int length = (int) Math.min(loops.run() - place, count - done);
            read(from, begin + to.walk.offset(number) + place * step, step, to, done, length);
            done += length;
            place = 0;
        }
    }

    private static void read(MemorySegment from, long index, long step, Block to, int at, int length) {
        if (to.floats.length > 0) {
            if (step == 1) {
                MemorySegment.copy(from, FLOAT, index * Float.BYTES, to.floats, at, length);
            } else if (step == 0) {
                Arrays.fill(to.floats, at, at + length, from.get(FLOAT, index * Float.BYTES));
            } else {
                for (int i = 0; i < length; i++) {
                    to.floats[at + i] = from.get(FLOAT, (index + i * step) * Float.BYTES);
                }
            }
        } else {
            for (int i = 0; i < length; i++) {
                to.ints[at + i] = from.get(INT, (index + i * step) * Integer.BYTES);
            }
        }
    }
}
