package io.devicearena.kernels.attention;

import io.devicearena.NodeId;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.StepKernel;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What steps have in common that norm and rotate the heads of some rows, and store keys and values into caches. */
record Heads(
        AttentionInputs in,
        AttentionShape shape,
        Rope rope,
        @Nullable HeadNorms norms,
        int rows) {
    Heads {
        Objects.requireNonNull(in, "in");
        rope.checkFits(shape);
        shape.checkRows(rows);
    }

    List<NodeId> reads() {
        Stream<NodeId> all =
                Stream.of(in.cursor(), in.queries(), in.keys(), in.values(), in.keyCache(), in.valueCache());
        return norms == null
                ? all.toList()
                : Stream.concat(all, Stream.of(norms.query(), norms.key()).distinct())
                        .toList();
    }

    List<NodeId> writes(NodeId out) {
        return List.of(in.keyCache(), in.valueCache(), out);
    }

    long queryElements() {
        return (long) rows * shape.queryColumns();
    }

    long keyElements() {
        return (long) rows * shape.keyColumns();
    }

    StepKernel setIn(StepKernel kernel) {
        shape.setIn(kernel)
                .constants("turns", rope.turns())
                .write("key_cache", in.keyCache(), shape.cacheElements() * Float.BYTES)
                .write("value_cache", in.valueCache(), shape.cacheElements() * Float.BYTES)
                .read("cursor", in.cursor(), Cursor.BYTES)
                .read("queries", in.queries(), queryElements() * Float.BYTES)
                .read("keys", in.keys(), keyElements() * Float.BYTES)
                .read("values", in.values(), keyElements() * Float.BYTES);
        if (norms == null) {
            return kernel;
        }
        long bytes = (long) shape.headDim() * Float.BYTES;
        return kernel.use("HEADS", "attention/heads-normed")
                .set("EPSILON", norms.epsilon())
                .read("query_norm", norms.query(), bytes)
                .read("key_norm", norms.key(), bytes);
    }

    /** Adds all values but the queries, which a step may rotate in place. */
    CudaKernel addTo(CudaKernel kernel) {
        long normBytes = (long) shape.headDim() * Float.BYTES;
        return kernel.read(in.keys(), keyElements() * Float.BYTES)
                .read(in.values(), keyElements() * Float.BYTES)
                .write(in.keyCache(), shape.cacheElements() * Float.BYTES)
                .write(in.valueCache(), shape.cacheElements() * Float.BYTES)
                .read(in.cursor(), Cursor.BYTES)
                .read(norms == null ? null : norms.query(), normBytes)
                .read(norms == null ? null : norms.key(), normBytes);
    }

    int hasNorms() {
        return norms == null ? 0 : 1;
    }

    int epsilonBits() {
        return Float.floatToRawIntBits(norms == null ? 0 : norms.epsilon());
    }
}
