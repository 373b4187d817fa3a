package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
    public boolean isRounded() {
        return false;
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
    public void stage(HostValues host, int token, float[] to, float[] spare) {
        int columns = rows.columns();
        long at = 4L * token * columns;
        MemorySegment.copy(host.bytes(rows.residual()), ValueLayout.JAVA_FLOAT_UNALIGNED, at, to, 0, columns);
        NormedRows.Update update = rows.update();
        if (update != null) {
            MemorySegment.copy(host.bytes(update.value()), ValueLayout.JAVA_FLOAT_UNALIGNED, at, spare, 0, columns);
            NodeId norm = update.norm();
            if (norm != null) {
                scale(spare, host.bytes(norm));
            }
            for (int c = 0; c < columns; c++) {
                to[c] += spare[c];
            }
            MemorySegment.copy(to, 0, host.bytes(update.sum()), ValueLayout.JAVA_FLOAT_UNALIGNED, at, columns);
        }
        scale(to, host.bytes(rows.norm()));
    }

    /** In four sums that do not wait for each other; the columns are a multiple of 8. */
    private void scale(float[] row, MemorySegment weights) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        for (int c = 0; c < rows.columns(); c += 4) {
            s0 += (double) row[c] * row[c];
            s1 += (double) row[c + 1] * row[c + 1];
            s2 += (double) row[c + 2] * row[c + 2];
            s3 += (double) row[c + 3] * row[c + 3];
        }
        double mean = ((s0 + s1) + (s2 + s3)) / rows.columns();
        float scale = (float) (1 / Math.sqrt(mean + rows.epsilon()));
        for (int c = 0; c < rows.columns(); c++) {
            row[c] *= scale * weights.get(ValueLayout.JAVA_FLOAT_UNALIGNED, 4L * c);
        }
    }
}
