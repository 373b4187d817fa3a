package com.example.embeddings.steps;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * The mean of the rows of each sequence, brought to length 1. The sum has the same direction, so nothing is divided by
 * the number of rows.
 *
 * @param out F32 [sequences][width]
 * @param in F32 [rows][width]
 * @param width elements of a row, a multiple of 128
 * @param shape of the batch
 */
public record MeanPool(NodeId out, NodeId in, int width, BatchShape shape) implements KernelStep {
    /** Of a workgroup. */
    private static final int THREADS = 128;

    /** Checks the width. */
    public MeanPool {
        if (width < THREADS || width % THREADS != 0) {
            throw new IllegalArgumentException("width: expected a multiple of " + THREADS + ", got " + width);
        }
    }

    @Override
    public String label() {
        return "mean-pool";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in, shape.ranges());
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        new Dispatch(device)
                .with("PER_THREAD", width / THREADS)
                .withFile("mean-pool")
                .record(label(), Workgroups.of(shape.sequences()), out, in, shape.ranges());
    }

    @Override
    public Runnable bind(HostValues host) {
        ThreadLocal<float[][]> rows = ThreadLocal.withInitial(() -> new float[2][width]);
        IntConsumer pool = sequence -> pool(host, sequence, rows.get()[0], rows.get()[1]);
        return () -> host.parallel(shape.sequences(), pool);
    }

    private void pool(HostValues host, int sequence, float[] sum, float[] row) {
        int first = Floats.word(host, shape.ranges(), 2L * sequence);
        int end = Floats.word(host, shape.ranges(), 2L * sequence + 1);
        if (first == end) {
            return;
        }
        Arrays.fill(sum, 0);
        for (int t = first; t < end; t++) {
            Floats.read(host, in, (long) t * width, row, 0, width);
            for (int c = 0; c < width; c++) {
                sum[c] += row[c];
            }
        }
        double squares = 0;
        for (float element : sum) {
            squares += (double) element * element;
        }
        float scale = (float) (1 / Math.sqrt(Math.max(squares, Float.MIN_NORMAL)));
        for (int c = 0; c < width; c++) {
            sum[c] *= scale;
        }
        Floats.write(host, out, (long) sequence * width, sum, 0, width);
    }
}
