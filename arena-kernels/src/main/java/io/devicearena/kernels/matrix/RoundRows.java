package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Rounds rows to 8 bits: in blocks of 32 columns, each element to a multiple of the 127th part of the block's largest
 * magnitude. An element is off by at most half of that. A {@linkplain io.devicearena.kernels.matrix.Product#rounded()
 * rounded product} reads them; several products can read the same rows.
 *
 * <p>A block whose largest magnitude is below 2<sup>-100</sup> becomes zeros. Elements must be finite: a block with one
 * that is not has no defined value.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> blocks of 32 bytes with one scale are those of Q8_0 in the GGUF format. Here the scale is F32.
 *
 * @param out receives {@link #bytes} bytes: I8 [rows][columns], then the scales, F32 [rows][columns / 32]
 * @param in F32 [rows][columns]
 * @param rows 1 or more
 * @param columns a multiple of 32, 32 or more
 */
public record RoundRows(NodeId out, NodeId in, int rows, int columns) implements OneInputStep {
    /** Columns that share a scale. */
    public static final int BLOCK = 32;

    /** Blocks whose largest magnitude is smaller are zeros: 127 divided by it could be too large for a float. */
    private static final float LEAST = 0x1p-100f;

    private static final int MOST_BYTE = 127;
    private static final int WORKGROUP = 256;
    private static final int COLUMNS_OF_THREAD = 4;

    /** The last vector that a kernel reads is whole, also with an odd number of blocks. */
    private static final int VECTOR_BYTES = 16;

    /** Checks the dimensions. */
    public RoundRows {
        checkDimensions(rows, columns);
    }

    private static void checkDimensions(int rows, int columns) {
        if (rows < 1 || columns < 1 || columns % BLOCK != 0) {
            throw new IllegalArgumentException("rows to round: expected 1 or more rows, of columns that are a multiple"
                    + " of " + BLOCK + ", got " + rows + " x " + columns);
        }
    }

    /**
     * Returns the size of the output.
     *
     * @param rows 1 or more
     * @param columns a multiple of 32, 32 or more
     * @return its bytes, a multiple of 16
     * @throws IllegalArgumentException if the dimensions are others
     */
    public static long bytes(int rows, int columns) {
        checkDimensions(rows, columns);
        long elements = (long) rows * columns;
        return (elements + elements / BLOCK * Float.BYTES + VECTOR_BYTES - 1) / VECTOR_BYTES * VECTOR_BYTES;
    }

    @Override
    public void record(StepRecorder device) {
        long elements = (long) rows * columns;
        long threads = elements / COLUMNS_OF_THREAD;
        long groups = Math.min((threads - 1) / WORKGROUP + 1, device.facts().maxWorkgroups());
        StepKernel.of(device, "matrix/round-rows")
                .set("FOURS", threads)
                .set("GROUPS", groups)
                .set("LEAST", LEAST)
                .write("y", out, bytes(rows, columns))
                .read("x", in, elements * Float.BYTES)
                .dispatch(label(), Workgroups.of((int) groups));
    }

    @Override
    public Runnable bind(HostValues host) {
        MemorySegment from = HostFloats.words(host, in, (long) rows * columns);
        MemorySegment to = HostFloats.bytes(host, out, bytes(rows, columns));
        return () -> host.parallel(rows, row -> {
            for (int c = 0; c < columns; c += BLOCK) {
                roundBlock(from, to, (long) row * columns + c);
            }
        });
    }

    private void roundBlock(MemorySegment from, MemorySegment to, long first) {
        float most = 0;
        for (long i = first; i < first + BLOCK; i++) {
            most = Math.max(most, Math.abs(HostFloats.get(from, i)));
        }
        boolean isZero = most < LEAST;
        float perStep = isZero ? 0 : MOST_BYTE / most;
        for (long i = first; i < first + BLOCK; i++) {
            to.set(ValueLayout.JAVA_BYTE, i, (byte) Math.rint(HostFloats.get(from, i) * perStep));
        }
        HostFloats.set(to, scaleOf((long) rows * columns, first), isZero ? 0 : most / MOST_BYTE);
    }

    /** The number of the float that is the scale of an element. */
    private static long scaleOf(long elements, long index) {
        return elements / Float.BYTES + index / BLOCK;
    }

    /**
     * Unpacks a row that was rounded.
     *
     * @param host the values
     * @param id the output of a step that rounds {@code rows} rows
     * @param rows 1 or more
     * @param row the number of the row, less than {@code rows}
     * @param to receives the row, from its first element on
     * @param columns of a row, a multiple of 32
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public static void unpack(HostValues host, NodeId id, int rows, int row, float[] to, int columns) {
        MemorySegment from = HostFloats.bytes(host, id, bytes(rows, columns));
        long first = (long) row * columns;
        for (int c = 0; c < columns; c++) {
            float scale = HostFloats.get(from, scaleOf((long) rows * columns, first + c));
            to[c] = scale * from.get(ValueLayout.JAVA_BYTE, first + c);
        }
    }
}
