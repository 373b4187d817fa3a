package com.example.mlp.kernels;

/**
 * How the work of a dense layer is dealt out. Its results do not depend on it, but for the order of the additions.
 *
 * @param threads of a workgroup, a power of two
 * @param rows that a workgroup computes: its inputs are loaded once for all of them
 * @param loads of each row that a thread has in flight
 */
public record Tuning(int threads, int rows, int loads) {
    public Tuning {
        if (threads < 2 || Integer.bitCount(threads) != 1) {
            throw new IllegalArgumentException("threads: expected a power of two from 2 up, got " + threads);
        }
        if (rows < 1 || loads < 1) {
            throw new IllegalArgumentException("rows and loads: expected 1 or more, got " + rows + " and " + loads);
        }
    }

    /** What suits most GPUs; the bench finds what suits yours. */
    public static Tuning usual(WeightLoad format) {
        return format.isHalf() ? new Tuning(32, 2, 4) : new Tuning(32, 1, 8);
    }

    @Override
    public String toString() {
        return threads + "x" + rows + "x" + loads;
    }
}
