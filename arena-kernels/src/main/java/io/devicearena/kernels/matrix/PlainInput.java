package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Rows as they are, or as {@link RoundRows} has rounded them. */
record PlainInput(
        NodeId id, int columns, int tokens, @Nullable NodeId cursor, boolean isRounded) implements RowInput {
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
        return !isRounded;
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
        if (isRounded) {
            text.read("x", "vec2<u32>", id, RoundRows.bytes(tokens, columns));
            text.constant("SCALES", tokens * (columns / 4.0));
            text.file("input-rounded");
        } else {
            text.read("x", "vec4<f32>", id, 4L * columns * tokens);
            text.file("input-plain");
        }
    }

    @Override
    public void stage(HostValues host, int token, float[] to, float[] spare) {
        if (isRounded) {
            RoundRows.unpack(host, id, tokens, token, to, columns);
        } else {
            MemorySegment.copy(host.bytes(id), ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * token * columns, to, 0, columns);
        }
    }
}
