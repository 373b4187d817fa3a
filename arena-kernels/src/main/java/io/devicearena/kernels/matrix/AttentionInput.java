package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** One row: the splits of an attention, put together. */
record AttentionInput(NodeId partials, int heads, int headDim, int splits) implements RowInput {
    AttentionInput {
        Objects.requireNonNull(partials, "partials");
        if (heads < 1 || splits < 1 || headDim < 4 || headDim % 4 != 0) {
            throw new IllegalArgumentException("attention of " + partials
                    + ": expected 1 or more heads and splits, and heads that are a multiple of 4 long, got " + heads
                    + ", " + splits + ", " + headDim);
        }
    }

    @Override
    public int columns() {
        return heads * headDim;
    }

    @Override
    public int tokens() {
        return 1;
    }

    @Override
    public List<NodeId> reads() {
        return List.of(partials);
    }

    @Override
    public void addTo(StepKernel kernel, boolean tiles) {
        kernel.use("INPUT", "matrix/input-attention")
                .set("HEAD", headDim)
                .set("SPLITS", splits)
                .read("x", partials, 4L * heads * splits * (headDim + 4));
    }

    @Override
    public void stage(HostValues host, int token, float[] to, float[] spare) {
        MemorySegment bytes = host.bytes(partials);
        for (int h = 0; h < heads; h++) {
            long first = (long) h * splits * (headDim + 4);
            float most = Float.NEGATIVE_INFINITY;
            for (int s = 0; s < splits; s++) {
                most = Math.max(most, HostFloats.get(bytes, first + (long) s * (headDim + 4) + headDim));
            }
            float total = 0;
            Arrays.fill(to, h * headDim, (h + 1) * headDim, 0);
            for (int s = 0; s < splits; s++) {
                long split = first + (long) s * (headDim + 4);
                float sum = HostFloats.get(bytes, split + headDim + 1);
                if (sum > 0) {
                    float share = (float) Math.exp(HostFloats.get(bytes, split + headDim) - most);
                    total += share * sum;
                    for (int c = 0; c < headDim; c++) {
                        to[h * headDim + c] += share * HostFloats.get(bytes, split + c);
                    }
                }
            }
            for (int c = 0; c < headDim; c++) {
                to[h * headDim + c] /= total;
            }
        }
    }
}
