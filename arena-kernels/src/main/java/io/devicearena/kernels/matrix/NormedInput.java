package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of a residual stream by their norm. */
record NormedInput(NormedRows rows) implements RowInput {
    @Override
    public int columns() {
        return rows.columns();
    }

    @Override
    public int tokens() {
        return rows.rows();
    }

    @Override
    public @Nullable NodeId cursor() {
        return rows.cursor();
    }

    @Override
    public boolean isLastOnly() {
        return rows.cursor() != null;
    }

    @Override
    public boolean hasTiles() {
        return true;
    }

    @Override
    public boolean isStaged() {
        return true;
    }

    @Override
    public List<NodeId> reads() {
        List<NodeId> all = new ArrayList<>(List.of(rows.residual(), rows.norm()));
        rows.added().ifPresent(update -> {
            all.add(update.value());
            NodeId norm = update.norm();
            if (norm != null) {
                all.add(norm);
            }
        });
        return all;
    }

    @Override
    public List<NodeId> writes() {
        return rows.added().map(update -> List.of(update.sum())).orElse(List.of());
    }

    @Override
    public void addTo(ProductText text, boolean tiles) {
        long bytes = 4L * rows.columns() * rows.rows();
        text.read("x", "vec4<f32>", rows.residual(), bytes);
        text.read("norm", "vec4<f32>", rows.norm(), 4L * rows.columns());
        NormedRows.Update update = rows.update();
        if (update == null) {
            text.file("residual-plain");
        } else {
            text.read("update", "vec4<f32>", update.value(), bytes);
            text.write("sums", "vec4<f32>", update.sum(), bytes);
            NodeId norm = update.norm();
            if (norm != null) {
                text.read("post", "vec4<f32>", norm, 4L * rows.columns());
            }
            text.file(norm == null ? "residual-added" : "residual-normed");
        }
        text.constant("EPSILON", rows.epsilon());
        text.file(tiles ? "input-normed-tile" : "input-normed-row");
    }

    @Override
    public void stage(HostValues host, int token, float[] to) {
        long at = 4L * token * rows.columns();
        MemorySegment.copy(host.bytes(rows.residual()), WeightRows.FLOAT, at, to, 0, rows.columns());
        NormedRows.Update update = rows.update();
        if (update != null) {
            float[] added = new float[rows.columns()];
            MemorySegment.copy(host.bytes(update.value()), WeightRows.FLOAT, at, added, 0, added.length);
            NodeId norm = update.norm();
            if (norm != null) {
                scale(added, host.bytes(norm));
            }
            for (int c = 0; c < added.length; c++) {
                to[c] += added[c];
            }
            MemorySegment.copy(to, 0, host.bytes(update.sum()), WeightRows.FLOAT, at, added.length);
        }
        scale(to, host.bytes(rows.norm()));
    }

    private void scale(float[] row, MemorySegment weights) {
        double squares = 0;
        for (int c = 0; c < rows.columns(); c++) {
            squares += (double) row[c] * row[c];
        }
        float scale = (float) (1 / Math.sqrt(squares / rows.columns() + rows.epsilon()));
        for (int c = 0; c < rows.columns(); c++) {
            row[c] *= scale * weights.get(WeightRows.FLOAT, 4L * c);
        }
    }
}
