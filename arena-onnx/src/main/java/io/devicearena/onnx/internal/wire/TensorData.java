package io.devicearena.onnx.internal.wire;

import com.google.protobuf.ByteString;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import java.util.List;
import java.util.Optional;

/**
 * Where the data of one tensor are in a file.
 *
 * @param offset where the tensor begins: bytes from the start of the file
 * @param pieces its data, in the order of the file
 */
public record TensorData(long offset, List<Piece> pieces) {
    /**
     * Some of the data.
     *
     * @param field the number of the field: {@code raw_data}, {@code int32_data}, …
     * @param offset bytes from the start of the file
     * @param length its bytes
     */
    public record Piece(int field, long offset, long length) {}

    /** Returns the pieces of one field, in the order of the file. */
    public List<Piece> pieces(int field) {
        return pieces.stream().filter(piece -> piece.field() == field).toList();
    }

    /** Returns the raw bytes; of several the last, as protobuf reads a field that appears twice. */
    public Optional<Piece> raw() {
        List<Piece> raw = pieces(TensorProto.RAW_DATA_FIELD_NUMBER);
        return raw.isEmpty() ? Optional.empty() : Optional.of(raw.getLast());
    }

    /** Returns what stands for the data in a structure: the number of the tensor. */
    static ByteString mark(int number) {
        return ByteString.copyFrom(
                new byte[] {(byte) (number >> 24), (byte) (number >> 16), (byte) (number >> 8), (byte) number});
    }

    static int number(TensorProto tensor) {
        return tensor.getRawData().asReadOnlyByteBuffer().getInt();
    }
}
