package com.example.mlp.bench;

import com.example.mlp.kernels.DenseKernel;
import java.util.Locale;

/**
 * What one kernel took.
 *
 * @param gpuMicros the median by the device's clock, or NaN where it has none; each dispatch is a pass of its own then,
 *     whose beginning and end count
 * @param wallMicros by the host's clock, many dispatches in one submission and the wait for them, for each: what an
 *     engine gets
 * @param error the largest difference to the host's result, over what rounding explains; at most 1
 */
record KernelTime(DenseKernel kernel, double gpuMicros, double wallMicros, double error) {
    static final String HEAD = String.format(
            Locale.ROOT,
            "%-12s %7s %-16s %8s %5s %6s %9s %9s %9s %9s %6s",
            "shape",
            "tokens",
            "weights",
            "threads",
            "rows",
            "loads",
            "GPU µs",
            "GPU GB/s",
            "wall µs",
            "wall GB/s",
            "error");

    private double bytes() {
        return (double) kernel.rows() * kernel.columns() * kernel.format().bytesPerWeight();
    }

    /** By the host's clock. */
    double gigabytesPerSecond() {
        return bytes() / wallMicros / 1e3;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-12s %7d %-16s %8d %5d %6d %9.1f %9.1f %9.1f %9.1f %6.3f",
                kernel.rows() + "x" + kernel.columns(),
                kernel.tokens(),
                kernel.format(),
                kernel.tuning().threads(),
                kernel.tuning().rows(),
                kernel.tuning().loads(),
                gpuMicros,
                bytes() / gpuMicros / 1e3,
                wallMicros,
                bytes() / wallMicros / 1e3,
                error);
    }
}
