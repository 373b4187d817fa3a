package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

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
    public @Nullable NodeId cursor() {
        return null;
    }

    @Override
    public boolean isLastOnly() {
        return false;
    }

    @Override
    public boolean hasTiles() {
        return false;
    }

    @Override
    public boolean isStaged() {
        return true;
    }

    @Override
    public boolean isRounded() {
        return false;
    }

    @Override
    public List<NodeId> reads() {
        return List.of(partials);
    }

    @Override
    public List<NodeId> writes() {
        return List.of();
    }

    @Override
    public void addTo(ProductText text, boolean tiles) {
        text.read("x", "vec4<f32>", partials, 4L * heads * splits * (headDim + 4));
        text.constant("HEAD", headDim);
        text.constant("SPLITS", splits);
        text.repeat("#S", splits);
        text.file("input-attention");
    }

    @Override
    public void stage(HostValues host, int token, float[] to, float[] spare) {
        MemorySegment bytes = host.bytes(partials);
        for (int h = 0; h < heads; h++) {
            long first = (long) h * splits * (headDim + 4);
            float most = Float.NEGATIVE_INFINITY;
            for (int s = 0; s < splits; s++) {
                most = Math.max(most, at(bytes, first + (long) s * (headDim + 4) + headDim));
            }
            float total = 0;
            Arrays.fill(to, h * headDim, (h + 1) * headDim, 0);
            for (int s = 0; s < splits; s++) {
                long split = first + (long) s * (headDim + 4);
                float sum = at(bytes, split + headDim + 1);
                if (sum > 0) {
                    float share = (float) Math.exp(at(bytes, split + headDim) - most);
                    total += share * sum;
                    for (int c = 0; c < headDim; c++) {
                        to[h * headDim + c] += share * at(bytes, split + c);
                    }
                }
            }
            for (int c = 0; c < headDim; c++) {
                to[h * headDim + c] /= total;
            }
        }
    }

    private static float at(MemorySegment bytes, long index) {
        return bytes.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4 * index);
    }
}
