package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneOutputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.WorkerTasks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the rows of tokens in a table, unpacks them and scales them.
 *
 * <p>A token beyond the table is read as the table's last; an engine checks its tokens before. Rows beyond the cursor's
 * count are not written.
 *
 * <p>On a device, a table that is longer than one binding is bound in parts, with one dispatch for each.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [rows][table.columns]
 * @param table a row for each token; its columns are a multiple of 8
 * @param tokens U32 [rows]; null with 1 row, whose token is the one that the cursor has
 * @param cursor U32 [4]: a word that is not read, the number of valid rows, the token chosen last, and a word that is
 *     not read
 * @param rows the most rows, 1 or more
 * @param scale what the elements are multiplied by
 */
public record Embedding(NodeId out, Matrix table, @Nullable NodeId tokens, NodeId cursor, int rows, float scale)
        implements OneOutputStep, CudaStep {
    private static final int CUDA_THREADS = 128;

    private static final int WORKGROUP = 64;

    /** Checks the dimensions. */
    public Embedding {
        Objects.requireNonNull(table, "table");
        Objects.requireNonNull(cursor, "cursor");
        Objects.requireNonNull(out, "out");
        if (table.columns() % 8 != 0) {
            throw new IllegalArgumentException(
                    "table " + table.id() + ": expected columns that are a multiple of 8, got " + table.columns());
        }
        if (rows < 1 || (tokens == null && rows != 1)) {
            throw new IllegalArgumentException(
                    "rows: expected 1 or more, and 1 for the token of the cursor, got " + rows);
        }
        if (!Float.isFinite(scale)) {
            throw new IllegalArgumentException("scale: expected a finite number, got " + scale);
        }
    }

    @Override
    public List<NodeId> reads() {
        return Stream.concat(Stream.of(table.id(), cursor), Stream.ofNullable(tokens))
                .toList();
    }

    @Override
    public void record(StepRecorder device) {
        int most = table.mostRows(device.facts(), Integer.MAX_VALUE);
        for (int first = 0; first < table.rows(); first += most) {
            recordPart(device, first, Math.min(most, table.rows() - first));
        }
    }

    private void recordPart(StepRecorder device, int first, int count) {
        long firstByte = first * table.readRowBytes();
        Window part = table.window(device.kernels(), first, count);
        StepKernel kernel = StepKernel.of(device, "matrix/embedding")
                .set("COLUMNS", table.columns())
                .set("TABLE_ROWS", table.rows())
                .set("SCALE", scale)
                .uniformJob()
                .job("first_row", first)
                .job("part_rows", count)
                .write("out", out, (long) rows * table.columns() * Float.BYTES)
                .read("cursor", cursor, Cursor.BYTES)
                .read("words_M", table.id(), part, part.offsetOf(table.id(), firstByte), count * table.readRowBytes());
        WordsOf.unpacking(table.readType(), "FORMAT", "M").forEach(kernel::use);
        if (tokens != null) {
            kernel.use("TOKEN", "matrix/token-of-row").read("tokens", tokens, (long) rows * Integer.BYTES);
        }
        int groups = (table.columns() / 4 - 1) / WORKGROUP + 1;
        kernel.dispatch(label(), Workgroups.of(groups, rows));
    }

    @Override
    public void record(CudaRecorder device) {
        CudaKernel kernel = CudaKernel.of(device, "embedding")
                .write(out, (long) rows * table.columns() * Float.BYTES)
                .read(tokens, (long) rows * Integer.BYTES)
                .read(cursor, Cursor.BYTES);
        CudaRows.weights(kernel, table);
        kernel.job(
                        table.columns(),
                        tokens == null ? 0 : 1,
                        table.rows(),
                        Float.floatToRawIntBits(scale),
                        Matrix.TYPES.indexOf(table.readType()),
                        (int) table.readRowBytes(),
                        Integer.numberOfTrailingZeros(table.readType().blockElements()),
                        table.readType().blockBytes(),
                        0,
                        0)
                .launch(label(), Workgroups.of(rows), CUDA_THREADS);
    }

    @Override
    public Runnable bind(HostValues host) {
        MemorySegment from = HostFloats.bytes(host, table.id(), table.bytes());
        Cursor state = Cursor.of(host, cursor);
        MemorySegment ids = tokens == null ? null : HostFloats.words(host, tokens, rows);
        MemorySegment to = HostFloats.words(host, out, (long) rows * table.columns());
        int columns = table.columns();
        WorkerTasks<float[]> tasks = new WorkerTasks<>(host, () -> new float[columns], (elements, row) -> {
            int token = ids == null ? state.token() : HostFloats.word(ids, row);
            if (Integer.compareUnsigned(token, table.rows()) >= 0) {
                token = table.rows() - 1;
            }
            table.decode(from, (long) token * columns, columns, elements);
            for (int c = 0; c < columns; c++) {
                elements[c] *= scale;
            }
            HostFloats.write(elements, to, (long) row * columns);
        });
        return () -> tasks.run(Math.min(rows, state.rows()));
    }
}
