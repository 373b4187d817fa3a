package io.devicearena.weights.internal.loading;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.stream.IntStream;

/** Converts the elements of tensors piece by piece, in a buffer that is used again. */
public final class Conversion implements AutoCloseable {
    /** Elements of one task: whole blocks of every format, and few enough for the cache of a core. */
    private static final int PIECE = 1 << 14;
    /** Elements that are converted before they are written. */
    public static final int CHUNK = 1 << 20;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final Arena memory = Arena.ofShared();
    private final MemorySegment buffer = memory.allocate((long) CHUNK * Long.BYTES, Long.BYTES);

    /**
     * Converts some elements.
     *
     * @param bytes the tensor's
     * @param first the first element, a multiple of {@link #CHUNK}
     * @return the converted bytes, until the next call
     * @throws IllegalArgumentException if an integer does not fit
     */
    public MemorySegment convert(Assignment assignment, MemorySegment bytes, long first) {
        DType wanted = assignment.converted().orElseThrow();
        int count = (int) Math.min(CHUNK, assignment.tensor().elements() - first);
        IntStream.range(0, (count + PIECE - 1) / PIECE)
                .parallel()
                .forEach(i -> convertPiece(
                        assignment, bytes, wanted, first + (long) i * PIECE, i, Math.min(PIECE, count - i * PIECE)));
        return buffer.asSlice(0, (long) count * wanted.bytes());
    }

    private void convertPiece(
            Assignment assignment, MemorySegment bytes, DType wanted, long first, int piece, int count) {
        TensorType type = assignment.tensor().type();
        MemorySegment source = assignment.isTransposed()
                ? transposed(assignment.tensor(), bytes, first, count)
                : bytes.asSlice(type.rowBytes(first));
        MemorySegment target = buffer.asSlice((long) piece * PIECE * wanted.bytes(), (long) count * wanted.bytes());
        if (type.dtype().filter(wanted::equals).isPresent()) {
            target.copyFrom(source.asSlice(0, target.byteSize()));
        } else if (wanted.isHostFloat()) {
            float[] floats = new float[count];
            type.decode(source, 0, count, floats, 0);
            TypedCasts.write(target, 0, wanted, floats, 0, count);
        } else {
            narrow(assignment.tensor(), source, wanted, target, first);
        }
    }

    /** The elements of a transposed matrix from one on, each from its place in the rows of the file. */
    private static MemorySegment transposed(Tensor tensor, MemorySegment bytes, long first, int count) {
        long rows = tensor.shape().getFirst();
        long columns = tensor.shape().getLast();
        int size = tensor.type().blockBytes();
        MemorySegment gathered = MemorySegment.ofArray(new byte[count * size]);
        for (int i = 0; i < count; i++) {
            long from = (first + i) % rows * columns + (first + i) / rows;
            MemorySegment.copy(bytes, from * size, gathered, (long) i * size, size);
        }
        return gathered;
    }

    private static void narrow(Tensor tensor, MemorySegment source, DType wanted, MemorySegment target, long first) {
        long least = wanted == DType.I32 ? Integer.MIN_VALUE : 0;
        long most = wanted == DType.I32 ? Integer.MAX_VALUE : (1L << Integer.SIZE) - 1;
        for (int i = 0; i < target.byteSize() / Integer.BYTES; i++) {
            long number = tensor.type() == TensorType.BOOL
                    ? Math.min(1, Byte.toUnsignedInt(source.get(ValueLayout.JAVA_BYTE, i)))
                    : source.get(LONG, (long) i * Long.BYTES);
            if (number < least || number > most) {
                throw new IllegalArgumentException("tensor '" + tensor.name() + "', element " + (first + i)
                        + ": expected a number from " + least + " to " + most + ", as " + wanted + " has them, got "
                        + (tensor.type() == TensorType.U64 ? Long.toUnsignedString(number) : number)
                        + "; plan the value as " + tensor.type());
            }
            target.set(INT, (long) i * Integer.BYTES, (int) number);
        }
    }

    @Override
    public void close() {
        memory.close();
    }
}
