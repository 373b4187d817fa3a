package io.devicearena.kernels.tile;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Memory that steps compute in, one after the other: shared floats, and floats of each thread. It grows to what the
 * largest step needs; then runs allocate nothing.
 *
 * <p><b>Threads:</b> one thread at a time may make room; then each thread uses what is its own.
 */
public final class TileMemory {
    private final float[][] shared = {{}, {}};
    private final Worker[] workers;

    private TileMemory(int threads) {
        workers = new Worker[threads];
        Arrays.setAll(workers, i -> new Worker());
    }

    /**
     * The memory of a thread.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public static final class Worker {
        private float[] operand = {};
        private float[] sums = {};
        private float[] room = {};

        private Worker() {}

        /** {@return memory for what is multiplied} */
        public float[] operand() {
            return operand;
        }

        /** {@return memory for sums} */
        public float[] sums() {
            return sums;
        }

        /** {@return memory for a row} */
        public float[] room() {
            return room;
        }
    }

    /**
     * Returns the memory of all steps on some values.
     *
     * @param host the values
     * @return the same at every call
     */
    public static TileMemory of(HostValues host) {
        return host.kept(TileMemory.class, () -> new TileMemory(host.threads()));
    }

    /**
     * Makes room for a step.
     *
     * @param operand floats of what is multiplied
     * @param sums floats of sums
     * @param room floats of a row
     * @return gives the memory of another thread at each call
     */
    public Supplier<Worker> workers(int operand, int sums, int room) {
        for (Worker worker : workers) {
            worker.operand = HostFloats.grown(worker.operand, operand);
            worker.sums = HostFloats.grown(worker.sums, sums);
            worker.room = HostFloats.grown(worker.room, room);
        }
        return List.of(workers).iterator()::next;
    }

    /**
     * Makes room in memory that all threads share.
     *
     * @param side 0 or 1
     * @param floats how many
     */
    public void require(int side, int floats) {
        shared[side] = HostFloats.grown(shared[side], floats);
    }

    /**
     * Returns memory that all threads share.
     *
     * @param side 0 or 1
     * @return floats, which hold anything
     */
    public float[] shared(int side) {
        return shared[side];
    }
}
