package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
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
    public void addTo(StepKernel kernel, boolean tiles) {
        if (isRounded) {
            kernel.use("INPUT", "matrix/input-rounded")
                    .set("SCALES", tokens * (columns / 4.0))
                    .read("x", id, RoundRows.bytes(tokens, columns));
        } else {
            kernel.read("x", id, 4L * columns * tokens);
        }
    }

    @Override
    public void stage(HostValues host, int token, float[] to, float[] spare) {
        if (isRounded) {
            RoundRows.unpack(host, id, tokens, token, to, columns);
        } else {
            HostFloats.read(host.bytes(id), (long) token * columns, to, 0, columns);
        }
    }
}
