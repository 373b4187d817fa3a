package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows as they are. */
record PlainInput(
        NodeId id, int columns, int tokens, @Nullable NodeId cursor) implements RowInput {
    PlainInput {
        Objects.requireNonNull(id, "in");
        if (tokens < 1) {
            throw new IllegalArgumentException("rows of tokens: expected 1 or more, got " + tokens);
        }
    }

    @Override
    public boolean isLastOnly() {
        return false;
    }

    @Override
    public boolean hasTiles() {
        return true;
    }

    @Override
    public boolean isStaged() {
        return false;
    }

    @Override
    public List<NodeId> reads() {
        return List.of(id);
    }

    @Override
    public List<NodeId> writes() {
        return List.of();
    }

    @Override
    public void addTo(ProductText text, boolean tiles) {
        text.read("x", "vec4<f32>", id, 4L * columns * tokens);
        text.file("input-plain");
    }

    @Override
    public void stage(HostValues host, int token, float[] to, float[] spare) {
        MemorySegment.copy(host.bytes(id), WeightRows.FLOAT, 4L * token * columns, to, 0, columns);
    }
}
