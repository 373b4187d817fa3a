package io.devicearena.kernels.norm;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Norms rows on the host: a thread takes some rows at a time. */
final class HostNorm implements Runnable {
    private static final int ROWS_OF_TASK = 8;

    private final NormRows rows;
    private final HostValues host;
    private final NormRows.Norm norm;
    private final MemorySegment from;
    private final MemorySegment to;
    private final float[][] weights;
    private final float[][] buffers;
    private final AtomicInteger next = new AtomicInteger();
    private final IntConsumer work = this::work;
    private int count;

    HostNorm(NormRows rows, HostValues host, NormRows.Norm norm) {
        this.rows = rows;
        this.host = host;
        this.norm = norm;
        this.from = rows.words(host, rows.in());
        this.to = rows.words(host, rows.out());
        this.weights = new float[rows.weights().size()][rows.columns()];
        this.buffers = new float[host.threads()][rows.columns()];
    }

    @Override
    public void run() {
        count = rows.valid(host);
        for (int i = 0; i < weights.length; i++) {
            HostFloats.read(HostFloats.words(host, rows.weights().get(i), rows.columns()), 0, weights[i]);
        }
        next.set(0);
        host.parallel(host.threads(), work);
    }

    private void work(int thread) {
        float[] row = buffers[thread];
        for (int first = next.getAndAdd(ROWS_OF_TASK); first < count; first = next.getAndAdd(ROWS_OF_TASK)) {
            for (int r = first; r < Math.min(count, first + ROWS_OF_TASK); r++) {
                HostFloats.read(from, (long) r * rows.columns(), row);
                norm.apply(row, weights);
                HostFloats.write(row, to, (long) r * rows.columns());
            }
        }
    }
}
