package io.devicearena.onnx.internal.wire;

import com.google.protobuf.ByteString;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where the data of one tensor are in a file. */
public final class TensorData {
    /**
     * Some of the data.
     *
     * @param field the number of the field: {@code raw_data}, {@code int32_data}, …
     * @param isPacked whether it is a run of bytes; otherwise one number
     * @param offset bytes from the start of the file
     * @param length its bytes
     */
    public record Piece(int field, boolean isPacked, long offset, long length) {}

    private final long offset;
    private final List<Piece> pieces = new ArrayList<>();

    TensorData(long offset) {
        this.offset = offset;
    }

    /** Returns where the tensor begins: bytes from the start of the file. */
    public long offset() {
        return offset;
    }

    /** Returns the pieces of one field, in the order of the file. */
    public List<Piece> pieces(int field) {
        return pieces.stream().filter(piece -> piece.field() == field).toList();
    }

    /** Returns the raw bytes; of several the last, as protobuf reads a field that appears twice. */
    public Optional<Piece> raw() {
        List<Piece> raw = pieces(TensorProto.RAW_DATA_FIELD_NUMBER);
        return raw.isEmpty() ? Optional.empty() : Optional.of(raw.getLast());
    }

    void add(Piece piece) {
        pieces.add(piece);
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
