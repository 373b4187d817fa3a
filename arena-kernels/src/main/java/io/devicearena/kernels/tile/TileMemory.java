package io.devicearena.kernels.tile;

import io.devicearena.kernels.HostValues;
import java.util.Arrays;
import java.util.List;

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
     * Makes room for a step, and returns the memory of each thread.
     *
     * @param operand floats of what is multiplied
     * @param sums floats of sums
     * @param room floats of a row
     * @return the memories
     */
    public List<Worker> workers(int operand, int sums, int room) {
        for (Worker worker : workers) {
            worker.operand = grown(worker.operand, operand);
            worker.sums = grown(worker.sums, sums);
            worker.room = grown(worker.room, room);
        }
        return List.of(workers);
    }

    /**
     * Makes room in memory that all threads share.
     *
     * @param side 0 or 1
     * @param floats how many
     */
    public void require(int side, int floats) {
        shared[side] = grown(shared[side], floats);
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

    private static float[] grown(float[] had, int floats) {
        return had.length >= floats ? had : new float[floats];
    }
}
