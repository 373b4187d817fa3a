package io.devicearena.kernels.matrix;

import io.devicearena.NodeId;
import io.devicearena.kernel.Window;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * A matrix of weights in an arena, row after row.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id the value that holds it
 * @param type how its elements are stored, one of {@link #TYPES}
 * @param rows 1 or more
 * @param columns the elements of a row, 1 or more, a multiple of the block of the type
 * @param isMirrored whether kernels read the f16 mirror of the value, in the arena's shadow; its type is F32
 */
public record Matrix(NodeId id, TensorType type, int rows, int columns, boolean isMirrored) {
    /** The types of weights that there are kernels for. */
    public static final List<TensorType> TYPES = List.of(
            TensorType.F32,
            TensorType.F16,
            TensorType.BF16,
            TensorType.Q8_0,
            TensorType.Q4_0,
            TensorType.Q4_1,
            TensorType.Q5_0,
            TensorType.Q4_K,
            TensorType.Q5_K,
            TensorType.Q6_K);

    /** Rows are split at multiples of it: then every part begins at a multiple of 16 bytes. */
    private static final int SPLIT_ROWS = 8;

    /** Checks the type and the dimensions. */
    public Matrix {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(type, "type");
        if (!TYPES.contains(type)) {
            throw new IllegalArgumentException("matrix " + id + ": expected one of " + TYPES + ", got " + type);
        }
        if (isMirrored && type != TensorType.F32) {
            throw new IllegalArgumentException("matrix " + id + ": expected F32, which has a mirror, got " + type);
        }
        if (rows < 1 || columns < 1 || columns % type.blockElements() != 0) {
            throw new IllegalArgumentException(
                    "matrix " + id + ": expected 1 or more rows, and columns that are a multiple of "
                            + type.blockElements() + " for " + type + ", got " + rows + " x " + columns);
        }
    }

    /**
     * Makes a matrix that kernels read as it is stored.
     *
     * @param id the value that holds it
     * @param type how its elements are stored, one of {@link #TYPES}
     * @param rows 1 or more
     * @param columns the elements of a row, 1 or more, a multiple of the block of the type
     */
    public Matrix(NodeId id, TensorType type, int rows, int columns) {
        this(id, type, rows, columns, false);
    }

    /** {@return the bytes of the matrix in the arena} */
    public long bytes() {
        return rows * type.rowBytes(columns);
    }

    /** {@return the type of what kernels read: that of the mirror, if they read it} */
    public TensorType readType() {
        return isMirrored ? TensorType.F16 : type;
    }

    /** {@return the bytes of a row of what kernels read} */
    public long readRowBytes() {
        return readType().rowBytes(columns);
    }

    /**
     * Returns the window of what kernels read.
     *
     * @param kernels of the arena
     * @return a window of the whole value, or of its mirror
     */
    public Window window(Kernels kernels) {
        return isMirrored ? kernels.shadowWindow(id) : kernels.window(id);
    }

    /** Returns the window of some rows of what kernels read. */
    Window window(Kernels kernels, int first, int count) {
        long at = first * readRowBytes();
        long bytes = count * readRowBytes();
        return isMirrored ? kernels.shadowWindow(id, at, bytes) : kernels.window(id, at, bytes);
    }

    /** The rows that one binding and one dispatch can have, or no limit if all can be in one. */
    int mostRows(KernelFacts facts, long dispatchRows) {
        if (rows * readRowBytes() <= facts.maxBindingBytes() && rows <= dispatchRows) {
            return Integer.MAX_VALUE;
        }
        long bytes = (facts.maxBindingBytes() - facts.bindingAlignmentBytes()) / readRowBytes();
        return (int) Math.max(SPLIT_ROWS, Math.min(bytes, dispatchRows) / SPLIT_ROWS * SPLIT_ROWS);
    }

    /**
     * Decodes consecutive elements on the host, to what kernels compute with: those of a mirrored matrix are rounded to
     * f16.
     *
     * @param bytes the matrix
     * @param first the first element, a multiple of the block of the type
     * @param elements how many, a multiple of the block
     * @param to receives the elements from its start on
     */
    public void decode(MemorySegment bytes, long first, int elements, float[] to) {
        type.decode(bytes, type.rowBytes(first), elements, to, 0);
        if (isMirrored) {
            for (int i = 0; i < elements; i++) {
                to[i] = Float.float16ToFloat(Float.floatToFloat16(to[i]));
            }
        }
    }
}
