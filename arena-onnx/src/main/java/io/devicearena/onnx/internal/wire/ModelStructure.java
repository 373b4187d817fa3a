package io.devicearena.onnx.internal.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.weights.reader.FirstBytes;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The structure of a model: all of its file but the data of tensors, which stay in the file.
 *
 * <p>Protobuf's own parser would copy the data to the heap, and a small file can become many objects. So the file is
 * read twice: here the lengths, the depth and the texts are checked, and what is left of it goes to that parser.
 */
public final class ModelStructure {
    /** Levels of messages; each nested graph has three. Protobuf's own limit is 100. */
    static final int DEEPEST = 64;

    /** Bytes of heap for each message and for each byte of it, as measured with the generated classes, rounded up. */
    private static final int MESSAGE_COST = 256;

    private static final int BYTE_COST = 16;

    private static final Set<Integer> DATA = Set.of(
            TensorProto.FLOAT_DATA_FIELD_NUMBER,
            TensorProto.INT32_DATA_FIELD_NUMBER,
            TensorProto.INT64_DATA_FIELD_NUMBER,
            TensorProto.RAW_DATA_FIELD_NUMBER,
            TensorProto.DOUBLE_DATA_FIELD_NUMBER,
            TensorProto.UINT64_DATA_FIELD_NUMBER);
    /** Texts for people, and data that are no numbers: nothing here reads them. */
    private static final Set<String> LEFT_OUT = Set.of("doc_string", "metadata_props", "string_data");

    private final MappedFile file;
    private final List<TensorData> data = new ArrayList<>();
    private final long budget = Runtime.getRuntime().maxMemory() / 4;
    private final ModelProto model;
    private long cost;

    /**
     * Reads the structure of a file.
     *
     * @throws WeightFileException if it is no ONNX file, or is damaged
     */
    public ModelStructure(MappedFile file) {
        this.file = file;
        try {
            this.model = parsed();
        } catch (WeightFileException e) {
            throw FirstBytes.describe(file.firstBytes())
                    .map(other -> file.fault(0, "expected an ONNX file, got " + other))
                    .orElse(e);
        }
    }

    private ModelProto parsed() {
        try {
            ModelProto parsed = ModelProto.parseFrom(message(ModelProto.getDescriptor(), 0, file.size(), 0));
            if (!parsed.hasGraph()) {
                throw file.fault(0, "expected an ONNX model with a graph, got none");
            }
            return parsed;
        } catch (IOException e) { // every length is checked, and no stream of bytes in memory fails
            throw new AssertionError(e);
        }
    }

    /** Returns the model; the data of its tensors are marks. */
    public ModelProto model() {
        return model;
    }

    /** Returns where the data of a tensor of the model are. */
    public TensorData data(TensorProto tensor) {
        return data.get(TensorData.number(tensor));
    }

    private byte[] message(Descriptor type, long begin, long end, int depth) throws IOException {
        if (depth == DEEPEST) {
            throw file.fault(begin, "expected at most " + DEEPEST + " levels of messages, got more");
        }
        pay(begin, MESSAGE_COST);
        boolean isTensor = type == TensorProto.getDescriptor();
        List<TensorData.Piece> pieces = new ArrayList<>();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, 256);
        WireReader reader = new WireReader(file, begin, end);
        while (reader.next()) {
            FieldDescriptor field = type.findFieldByNumber(reader.field());
            if (field == null && reader.start() == 0) {
                throw file.fault(0, "expected an ONNX file, got a file of another format");
            }
            if (field == null || LEFT_OUT.contains(field.getName())) {
                continue;
            }
            boolean isData = isTensor && DATA.contains(reader.field());
            checkKind(field, reader, isData);
            if (isData) {
                pay(reader.start(), MESSAGE_COST);
                pieces.add(new TensorData.Piece(reader.field(), reader.contentBegin(), reader.length()));
            } else {
                copy(field, reader, depth, out);
            }
        }
        if (isTensor) {
            out.writeBytes(TensorProto.RAW_DATA_FIELD_NUMBER, TensorData.mark(data.size()));
            pay(begin, MESSAGE_COST);
            data.add(new TensorData(begin, pieces));
        }
        out.flush();
        return bytes.toByteArray();
    }

    /** Checks that a field is what its name says, or a list of that; of long data of tensors, the end. */
    private void checkKind(FieldDescriptor field, WireReader reader, boolean isData) {
        int own = field.getLiteType().getWireType();
        boolean isList = field.isRepeated() && own != WireReader.DELIMITED && reader.wireType() == WireReader.DELIMITED;
        if (reader.wireType() != own && !isList) {
            throw file.fault(
                    reader.start(),
                    field.getFullName() + ": expected " + kind(own) + ", got " + kind(reader.wireType()));
        }
        if (isList && !reader.isListOf(own, !isData)) {
            throw file.fault(
                    reader.start(), field.getFullName() + ": expected a list of whole numbers, got other bytes");
        }
    }

    private static String kind(int wireType) {
        return switch (wireType) {
            case WireReader.VARINT -> "an integer";
            case WireReader.FIXED64 -> "a number of 8 bytes";
            case WireReader.FIXED32 -> "a number of 4 bytes";
            default -> "a length";
        };
    }

    private void copy(FieldDescriptor field, WireReader reader, int depth, CodedOutputStream out) throws IOException {
        if (reader.wireType() != WireReader.DELIMITED) {
            pay(reader.start(), BYTE_COST);
            out.writeRawBytes(bytes(reader.start(), reader.contentEnd()));
            return;
        }
        if (field.getType() != FieldDescriptor.Type.MESSAGE) {
            pay(reader.start(), Math.multiplyExact(reader.length(), BYTE_COST));
            byte[] content = bytes(reader.contentBegin(), reader.contentEnd());
            if (field.getType() == FieldDescriptor.Type.STRING) {
                checkText(field, reader.start(), content);
            }
            out.writeByteArray(reader.field(), content);
            return;
        }
        out.writeByteArray(
                reader.field(), message(field.getMessageType(), reader.contentBegin(), reader.contentEnd(), depth + 1));
    }

    private byte[] bytes(long begin, long end) {
        return file.bytes().asSlice(begin, end - begin).toArray(JAVA_BYTE);
    }

    private void checkText(FieldDescriptor field, long start, byte[] content) {
        if (content.length > TensorSizes.LONGEST_NAME) {
            throw file.fault(
                    start,
                    field.getFullName() + ": expected a text of at most " + TensorSizes.LONGEST_NAME + " bytes, got "
                            + content.length);
        }
        ByteString text = ByteString.copyFrom(content);
        if (!text.isValidUtf8()) {
            throw file.fault(start, field.getFullName() + ": expected text in UTF-8, got other bytes");
        }
        if (!TensorSizes.isPrintable(text.toStringUtf8())) {
            throw file.fault(
                    start,
                    field.getFullName() + ": expected a text without control characters, got '"
                            + TensorSizes.escaped(text.toStringUtf8()) + "'");
        }
    }

    private void pay(long offset, long bytes) {
        cost += bytes;
        if (cost > budget) {
            throw file.fault(
                    offset,
                    "expected a model whose structure takes a quarter of the heap, " + budget
                            + " bytes, got more; give the JVM more with -Xmx, or keep weights in raw_data");
        }
    }
}
