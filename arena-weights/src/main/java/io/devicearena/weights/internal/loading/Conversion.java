package io.devicearena.weights.internal.loading;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.stream.IntStream;

/** Converts the elements of tensors piece by piece, in a buffer that is used again. */
public final class Conversion implements AutoCloseable {
    /** Elements of one task: whole blocks of every format, and few enough for the cache of a core. */
    private static final int PIECE = 1 << 14;
    /** Elements that are converted before they are written. */
    public static final int CHUNK = 1 << 20;

    private final Arena memory = Arena.ofShared();
    private final MemorySegment buffer = memory.allocate((long) CHUNK * Float.BYTES, Long.BYTES);

    /**
     * Converts some elements.
     *
     * @param first the first element, a multiple of {@link #CHUNK}
     * @return the converted bytes, until the next call
     */
    public MemorySegment convert(Tensor tensor, MemorySegment bytes, DType wanted, long first) {
        int count = (int) Math.min(CHUNK, tensor.elements() - first);
        IntStream.range(0, (count + PIECE - 1) / PIECE)
                .parallel()
                .forEach(i -> convertPiece(tensor.type(), bytes, wanted, first, i, Math.min(PIECE, count - i * PIECE)));
        return buffer.asSlice(0, (long) count * wanted.bytes());
    }

    private void convertPiece(TensorType type, MemorySegment bytes, DType wanted, long first, int piece, int count) {
        float[] floats = new float[count];
        type.decode(bytes, type.rowBytes(first + (long) piece * PIECE), count, floats, 0);
        TypedCasts.write(buffer, (long) piece * PIECE * wanted.bytes(), wanted, floats, 0, count);
    }

    @Override
    public void close() {
        memory.close();
    }
}
