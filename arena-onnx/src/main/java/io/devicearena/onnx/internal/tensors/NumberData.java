package io.devicearena.onnx.internal.tensors;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.wire.TensorData;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.tensor.TensorType;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The data of a tensor as protobuf numbers, the older way of ONNX: floats of fixed length, and integers of 7 bits a
 * byte, whose bytes are not those of the elements.
 *
 * <p>Source: the comments on the fields of {@code TensorProto} in {@code onnx.proto}.
 *
 * @param isFixed whether the numbers have the length of the elements
 * @param unit the bytes of an element that is not fixed
 */
record NumberData(MappedFile file, List<TensorData.Piece> pieces, boolean isFixed, int unit) {
    /** The most bytes of one tensor that are decoded: they are on the heap while it is loaded. */
    static final long MOST_BYTES = 256 << 20;

    static NumberData of(MappedFile file, TensorData data, TensorType type) {
        int field = switch (type) {
            case F32, C64 -> TensorProto.FLOAT_DATA_FIELD_NUMBER;
            case F64, C128 -> TensorProto.DOUBLE_DATA_FIELD_NUMBER;
            case I64 -> TensorProto.INT64_DATA_FIELD_NUMBER;
            case U32, U64 -> TensorProto.UINT64_DATA_FIELD_NUMBER;
            default -> TensorProto.INT32_DATA_FIELD_NUMBER;
        };
        boolean isFixed = field == TensorProto.FLOAT_DATA_FIELD_NUMBER || field == TensorProto.DOUBLE_DATA_FIELD_NUMBER;
        return new NumberData(file, data.pieces(field), isFixed, type.isBlocked() ? 1 : type.blockBytes());
    }

    /** Whether the bytes of the file are those of the elements. */
    boolean isPlain() {
        return isFixed && pieces.size() == 1;
    }

    /** Where the first piece is. */
    long offset(long otherwise) {
        return pieces.isEmpty() ? otherwise : pieces.getFirst().offset();
    }

    /** How many bytes the elements have. */
    long bytes() {
        long bytes = 0;
        for (TensorData.Piece piece : pieces) {
            bytes += isFixed ? piece.length() : numbers(piece) * unit;
        }
        return bytes;
    }

    /** Each number ends with a byte below 128. */
    private long numbers(TensorData.Piece piece) {
        long numbers = 0;
        for (long i = 0; i < piece.length(); i++) {
            if (file.bytes().get(JAVA_BYTE, piece.offset() + i) >= 0) {
                numbers++;
            }
        }
        return numbers;
    }

    /** The elements. */
    MemorySegment decode(long bytes) {
        byte[] decoded = new byte[Math.toIntExact(bytes)];
        int at = 0;
        for (TensorData.Piece piece : pieces) {
            MemorySegment source = file.bytes().asSlice(piece.offset(), piece.length());
            if (isFixed) {
                MemorySegment.copy(source, JAVA_BYTE, 0, decoded, at, (int) piece.length());
                at += (int) piece.length();
            } else {
                at = decode(source, decoded, at);
            }
        }
        return MemorySegment.ofArray(decoded).asReadOnly();
    }

    private int decode(MemorySegment source, byte[] decoded, int begin) {
        int at = begin;
        long value = 0;
        int shift = 0;
        for (long i = 0; i < source.byteSize(); i++) {
            byte part = source.get(JAVA_BYTE, i);
            value |= shift < Long.SIZE ? (long) (part & 0x7F) << shift : 0;
            shift += 7;
            if (part >= 0) {
                for (int k = 0; k < unit; k++) {
                    decoded[at++] = (byte) (value >>> (Byte.SIZE * k));
                }
                value = 0;
                shift = 0;
            }
        }
        return at;
    }
}
