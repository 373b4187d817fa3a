package io.devicearena.bench.kernels;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.StepTime;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.Kernels;
import java.util.Arrays;

/**
 * Runs a program of equal steps, and says how long a step takes.
 *
 * @param arena whose values the steps use; closed with this
 * @param program the steps; closed with this
 * @param steps their number; each may have several dispatches
 * @param written a value of at least 16 bytes that the steps write: when it can be read, they are done
 */
record TimedProgram(DeviceArena arena, KernelProgram program, int steps, NodeId written) implements AutoCloseable {
    /** A GPU that was idle may not have reached its clock. */
    private static final long WARM_UP_NANOS = 500_000_000;

    /** The median time of a step by the host's clock, in seconds, waits between dependent dispatches included. */
    double wallSeconds(int runs) {
        Batch first = Batch.builder().floats(written, DType.F32, new float[4]).build();
        long start = System.nanoTime();
        do {
            program.run(first);
        } while (System.nanoTime() - start < WARM_UP_NANOS);
        double[] seconds = new double[runs];
        for (int i = 0; i < runs; i++) {
            long begin = System.nanoTime();
            program.run(first);
            seconds[i] = (System.nanoTime() - begin) / 1e9 / steps;
        }
        Arrays.sort(seconds);
        return seconds[runs / 2];
    }

    /** The median time of a dispatch by the device's clock, in seconds; NaN on a device without one. */
    double deviceSeconds() {
        if (!facts().hasTimestamps()) {
            return Double.NaN;
        }
        long[] nanos =
                program.time().stream().mapToLong(StepTime::nanos).sorted().toArray();
        return nanos[nanos.length / 2] / 1e9;
    }

    String device() {
        return facts().deviceName();
    }

    private KernelFacts facts() {
        return arena.unwrap(Kernels.class).orElseThrow().facts();
    }

    @Override
    public void close() {
        program.close();
        arena.close();
    }
}
