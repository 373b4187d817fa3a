package io.devicearena.kernels.matrix;

import io.devicearena.kernels.step.StepKernel;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.wgpu.kernel.KernelFacts;
import java.util.List;

/**
 * How the rows of matrices are shared out when each is multiplied by one token.
 *
 * @param subgroup the size of the device's subgroups, 0 to add through workgroup memory
 * @param threads of a workgroup
 * @param lanes neighbours that share a row, a power of two
 * @param perLane rows of each of them
 * @param unrolled units that a thread loads at a time
 */
record RowGeometry(int subgroup, int threads, int lanes, int perLane, int unrolled) {
    /** More tokens are faster in tiles: a row kernel reads the weights again for each. */
    static final int MOST_TOKENS = 4;

    private static final int FEW_THREADS = 128;

    /** Where a row is staged: they share the work. */
    private static final int MANY_THREADS = 256;

    /** Of a row in one subgroup. */
    private static final int MOST_LANES = 32;

    /** How many threads keep a large device busy; beyond that, a thread computes several rows and loads less input. */
    private static final long BUSY_THREADS = 1 << 17;

    /**
     * Where a device is not busy, a thread waits for few loads one after the other. More would make the kernel longer:
     * measured on an NVIDIA H200, short steps take the time in which their instructions arrive.
     */
    private static final int MOST_UNROLLED = 4;

    /** Of a lane's time, that may be lost at the end of rows for the sake of longer loads. */
    private static final double BEARABLE = 0.85;

    static RowGeometry of(RowInput input, List<ProductPart> parts, int subgroup) {
        int most = subgroup == 0 ? MOST_LANES : Math.min(subgroup, MOST_LANES);
        int threads = input.isStaged() ? MANY_THREADS : FEW_THREADS;
        long rows = parts.stream().mapToLong(part -> part.matrix().rows()).sum();
        if (rows * most <= BUSY_THREADS) {
            int lanes = most;
            // rows that are staged are shared by few workgroups, others can have a workgroup each
            while (!input.isStaged() && lanes < threads && mostSteps(input, parts, lanes) > 1) {
                lanes *= 2;
            }
            return new RowGeometry(
                    subgroup, threads, lanes, 1, Math.min(MOST_UNROLLED, mostSteps(input, parts, lanes)));
        }
        double best = 0;
        for (int lanes = most; lanes >= 4; lanes /= 2) {
            best = Math.max(best, efficiency(input, parts, lanes));
        }
        int lanes = most;
        while (lanes > 4 && efficiency(input, parts, lanes) < BEARABLE * best) {
            lanes /= 2;
        }
        int perLane = 1;
        while (perLane < most(input, parts) && rows * lanes / (2L * perLane) >= BUSY_THREADS) {
            perLane *= 2;
        }
        return new RowGeometry(subgroup, threads, lanes, perLane, perLane == 1 ? 2 : 1);
    }

    /**
     * Two rows share what a thread loads of the input. One is faster where a unit takes many registers or bytes, or
     * where the input is short; the thread computes two of its units at a time instead. Both were measured on NVIDIA
     * GPUs.
     */
    private static int most(RowInput input, List<ProductPart> parts) {
        boolean single = parts.stream()
                .map(part -> part.matrix().readType())
                .anyMatch(type -> type == TensorType.F32 || type == TensorType.Q6_K);
        return single || input.isRounded() ? 1 : 2;
    }

    /** How often a lane loads a unit of a row, at most, of the part with the most units. */
    private static int mostSteps(RowInput input, List<ProductPart> parts, int lanes) {
        return parts.stream()
                .map(ProductPart::matrix)
                .mapToInt(matrix -> (WordsOf.units(matrix, input.isRounded()) - 1) / lanes + 1)
                .max()
                .orElseThrow();
    }

    private static double efficiency(RowInput input, List<ProductPart> parts, int lanes) {
        double useful = 0;
        double all = 0;
        for (ProductPart part : parts) {
            Matrix matrix = part.matrix();
            int units = WordsOf.units(matrix, input.isRounded());
            useful += (double) units * matrix.rows();
            int steps = (units - 1) / lanes + 1;
            all += (double) steps * lanes * matrix.rows();
        }
        return useful / all;
    }

    int rowsOfGroup() {
        return threads / lanes * perLane;
    }

    void setIn(StepKernel kernel, RowInput input, KernelFacts facts) {
        long memory = 4L * threads + (input.isStaged() ? 4L * input.columns() : 0);
        if (memory > facts.maxWorkgroupMemoryBytes()) {
            throw new IllegalArgumentException("columns: expected a row in the memory of a workgroup, "
                    + facts.maxWorkgroupMemoryBytes() + " bytes, got " + input.columns()
                    + "; norm the rows before, and use Product");
        }
        kernel.lanes(subgroup)
                .set("THREADS", threads)
                .set("LANES", lanes)
                .set("PER_LANE", perLane)
                .set("UNROLLED", unrolled);
        if (input.isStaged()) {
            kernel.set("VECTORS", (input.columns() / 4 - 1) / threads + 1);
        }
    }
}
