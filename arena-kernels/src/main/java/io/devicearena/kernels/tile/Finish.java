package io.devicearena.kernels.tile;

import io.devicearena.NodeId;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.elementwise.Epilogue;
import io.devicearena.kernels.elementwise.Evaluation;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.Loops;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * An epilogue on the host, bound to values: it computes the expression of sums and stores its results. {@link #setIn}
 * is the same on a device.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class Finish {
    /** Elements that are computed at a time, of one channel or of several. */
    private static final int BLOCK = 1024;

    private static final int MOST_PARTS = 64;

    private final Epilogue epilogue;
    private final boolean isPlain;

    /** Whether neighbours are of different channels, as in the row of a matrix, or of the same. */
    private final boolean areChannels;

    /** The elements of the inputs that have one for each channel; of others none. */
    private final float[][] ofChannels;

    private final List<MemorySegment> inputs;
    private final MemorySegment out;

    /**
     * Binds an epilogue, and reads what has an element for each channel.
     *
     * @param epilogue what to do
     * @param host the values
     * @param out receives the results
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    public Finish(Epilogue epilogue, HostValues host, MemorySegment out) {
        this.epilogue = epilogue;
        this.isPlain = epilogue.expression().equals(Expression.sum());
        this.areChannels = epilogue.axis() == epilogue.shape().size() - 1;
        List<Expression.Input> all = epilogue.expression().inputs();
        this.inputs = all.stream()
                .map(Expression.Input::value)
                .map(value -> HostFloats.words(host, value.id(), value.reach()))
                .toList();
        this.ofChannels = new float[inputs.size()][];
        for (int i = 0; i < ofChannels.length; i++) {
            long channels =
                    epilogue.isOfChannel(all.get(i)) ? all.get(i).value().reach() : 0;
            ofChannels[i] = HostFloats.read(inputs.get(i), 0, (int) channels);
        }
        this.out = out;
    }

    /**
     * Records an epilogue in a kernel that has the slot {@code FINISH}: adds its text, and binds the output and what it
     * reads.
     *
     * @param kernel a kernel of a step
     * @param epilogue what becomes of a sum
     * @param out the output
     * @return the same kernel
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    public static StepKernel setIn(StepKernel kernel, Epilogue epilogue, NodeId out) {
        kernel.part("FINISH", epilogue.wgsl()).write("out", out, Loops.product(epilogue.shape()) * Float.BYTES);
        int number = 0;
        for (Expression.Input input : epilogue.expression().inputs()) {
            kernel.read("more_" + ++number, input.value().id(), input.value().reach() * Float.BYTES);
        }
        return kernel;
    }

    /**
     * Begins a kernel in CUDA that stores sums, with the parameters {@code OUTPUT} of {@code finish.cuh}: the output,
     * what the epilogue reads, and its numbers.
     *
     * @param device where the step is recorded
     * @param name of the kernel
     * @param epilogue what becomes of a sum
     * @param out the output
     * @return a kernel without its other parameters
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    public static CudaKernel kernel(CudaRecorder device, String name, Epilogue epilogue, NodeId out) {
        CudaKernel kernel = CudaKernel.of(device, name).write(out, Loops.product(epilogue.shape()) * Float.BYTES);
        List<Expression.Input> inputs = epilogue.expression().inputs();
        for (Expression.Input input : inputs) {
            kernel.readBeside(input.value().id(), input.value().reach() * Float.BYTES, out);
        }
        return kernel.nulls(Epilogue.MOST_INPUTS - inputs.size()).job(epilogue.words());
    }

    /**
     * Returns a worker for each thread.
     *
     * @param memories gives the memory of another thread at each call
     * @return gives a new worker at each call
     */
    public Supplier<Worker> workers(Supplier<TileMemory.Worker> memories) {
        return () -> new Worker(memories.get());
    }

    /** Neighbours that a block has: where their sums are, the channel of the first, and its number in the output. */
    private static final class Part {
        private int from;
        private int count;
        private int channel;
        private long first;
    }

    /**
     * What a thread computes with.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public final class Worker {
        private final Evaluation evaluation = new Evaluation(epilogue.expression(), BLOCK, this::load);
        private final TileMemory.Worker memory;
        private final Part[] parts = new Part[MOST_PARTS];
        private int count;
        private float[] sums = {};
        private int filled;

        private Worker(TileMemory.Worker memory) {
            this.memory = memory;
            Arrays.setAll(parts, i -> new Part());
        }

        /** {@return the memory of the thread} */
        public TileMemory.Worker memory() {
            return memory;
        }

        /**
         * Finishes neighbours of the output, now or at {@link #end}.
         *
         * @param all has the sums; the same array until the end
         * @param from the index of the first sum
         * @param length how many
         * @param channel of the first
         * @param first the number of the first in the output
         */
        public void finish(float[] all, int from, int length, int channel, long first) {
            if (isPlain) {
                HostFloats.write(all, from, length, out, first);
                return;
            }
            sums = all;
            for (int done = 0; done < length; ) {
                Part part = parts[count++];
                part.from = from + done;
                part.count = Math.min(length - done, BLOCK - filled);
                part.channel = areChannels ? channel + done : channel;
                part.first = first + done;
                done += part.count;
                filled += part.count;
                if (filled == BLOCK || count == MOST_PARTS) {
                    end();
                }
            }
        }

        /** Finishes what is left. */
        public void end() {
            evaluation.compute(filled);
            int at = 0;
            for (int i = 0; i < count; at += parts[i++].count) {
                HostFloats.write(evaluation.floats(), at, parts[i].count, out, parts[i].first);
            }
            count = 0;
            filled = 0;
        }

        private void load(int number, float[] floats, int[] ints, int all) {
            int at = 0;
            for (int i = 0; i < count; at += parts[i++].count) {
                if (number == Evaluation.SUM) {
                    System.arraycopy(sums, parts[i].from, floats, at, parts[i].count);
                } else {
                    load(number, parts[i], floats, at);
                }
            }
        }

        private void load(int input, Part part, float[] floats, int at) {
            float[] ofChannel = ofChannels[input];
            if (ofChannel.length == 0) {
                HostFloats.read(inputs.get(input), part.first, floats, at, part.count);
            } else if (areChannels) {
                System.arraycopy(ofChannel, part.channel, floats, at, part.count);
            } else {
                Arrays.fill(floats, at, at + part.count, ofChannel[part.channel]);
            }
        }
    }
}
