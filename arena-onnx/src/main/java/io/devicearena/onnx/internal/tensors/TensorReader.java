package io.devicearena.onnx.internal.tensors;

import com.google.protobuf.ByteString;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.wire.ModelStructure;
import io.devicearena.onnx.internal.wire.TensorData;
import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.weights.tensor.WeightFileException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the tensors of a model: its initialisers, and the values of its {@code Constant} nodes. */
public final class TensorReader {
    private final MappedFile file;
    private final ModelStructure structure;
    private final ExternalFiles external;

    /** Makes a reader. Files that it opens are those of {@link #opened}, also when reading fails. */
    public TensorReader(MappedFile file, ModelStructure structure) {
        this.file = file;
        this.structure = structure;
        this.external = new ExternalFiles(file);
    }

    /** Returns the files with external data that are open. */
    public Collection<MappedFile> opened() {
        return external.opened();
    }

    /** Whether a node is a constant, and so a tensor of the model. */
    public static boolean isConstant(NodeProto node) {
        return node.getOpType().equals("Constant")
                && (node.getDomain().isEmpty() || node.getDomain().equals("ai.onnx"))
                && node.getOutputCount() == 1
                && !node.getOutput(0).isEmpty();
    }

    /** Reads all tensors of a graph; returns them by the name of their value. */
    public Map<String, OnnxConstant> read(GraphProto graph) {
        if (graph.getSparseInitializerCount() > 0) {
            throw file.fault(
                    0,
                    "tensor '" + graph.getSparseInitializer(0).getValues().getName()
                            + "': expected a dense initialiser, got a sparse one; save the model with dense ones");
        }
        Map<String, OnnxConstant> tensors = new LinkedHashMap<>();
        graph.getInitializerList().forEach(tensor -> add(tensors, attribute(tensor.getName(), tensor)));
        graph.getNodeList().stream().filter(TensorReader::isConstant).forEach(node -> add(tensors, constant(node)));
        return tensors;
    }

    private void add(Map<String, OnnxConstant> tensors, OnnxConstant tensor) {
        if (tensors.putIfAbsent(tensor.name(), tensor) != null) {
            throw file.fault(
                    tensor.tensor().offset(), subject(tensor.name()) + ": expected each name once, got it again");
        }
    }

    private OnnxConstant constant(NodeProto node) {
        String name = node.getOutput(0);
        if (node.getAttributeCount() != 1) {
            throw file.fault(
                    0, subject(name) + ": expected a constant with one attribute, got " + node.getAttributeCount());
        }
        AttributeProto attribute = node.getAttribute(0);
        if (attribute.getName().equals("value") && attribute.hasT()) {
            return attribute(name, attribute.getT());
        }
        List<? extends Number> numbers = switch (attribute.getName()) {
            case "value" -> throw file.fault(0, subject(name) + ": expected a constant with a tensor, got none");
            case "value_float" -> List.of(attribute.getF());
            case "value_floats" -> attribute.getFloatsList();
            case "value_int" -> List.of(attribute.getI());
            case "value_ints" -> attribute.getIntsList();
            default ->
                throw file.fault(
                        0,
                        subject(name) + ": expected a constant of dense numbers, got the attribute '"
                                + attribute.getName() + "'");
        };
        TensorType type = attribute.getName().startsWith("value_f") ? TensorType.F32 : TensorType.I64;
        List<Long> shape = attribute.getName().endsWith("s") ? List.of((long) numbers.size()) : List.of();
        ByteBuffer bytes =
                ByteBuffer.allocate(numbers.size() * type.blockBytes()).order(ByteOrder.LITTLE_ENDIAN);
        numbers.forEach(number -> {
            if (number instanceof Float each) {
                bytes.putFloat(each);
            } else {
                bytes.putLong(number.longValue());
            }
        });
        return OnnxConstant.of(name, type, shape, MemorySegment.ofBuffer(bytes.flip()));
    }

    /** Returns a tensor of an attribute. */
    public OnnxConstant attribute(String name, TensorProto tensor) {
        TensorData data = structure.data(tensor);
        try {
            return stored(name, tensor, data);
        } catch (IllegalArgumentException e) {
            throw file.fault(data.offset(), subject(name) + ": " + e.getMessage());
        }
    }

    /** Returns a tensor with its data. */
    public static TensorProto filled(OnnxConstant stored) {
        Tensor tensor = stored.tensor();
        return TensorProto.newBuilder()
                .setName(tensor.name())
                .setDataType(ElementTypes.number(tensor.type()))
                .addAllDims(tensor.shape())
                .setRawData(ByteString.copyFrom(stored.bytes().toArray(ValueLayout.JAVA_BYTE)))
                .build();
    }

    private static String subject(String name) {
        return "tensor '" + name + "'";
    }

    private OnnxConstant stored(String name, TensorProto tensor, TensorData data) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("expected a name, got none");
        }
        TensorType type = ElementTypes.of(tensor.getDataType())
                .orElseThrow(() -> new IllegalArgumentException(
                        "expected numbers of a fixed size, got " + ElementTypes.label(tensor.getDataType())));
        List<Long> shape = tensor.getDimsList();
        if (shape.size() > TensorSizes.MOST_DIMENSIONS) {
            throw new IllegalArgumentException(
                    "expected at most " + TensorSizes.MOST_DIMENSIONS + " dimensions, got " + shape.size());
        }
        long bytes = ElementTypes.bytes(type, shape);
        if (tensor.getDataLocation() == TensorProto.DataLocation.EXTERNAL) {
            return external(name, type, shape, bytes, tensor);
        }
        if (data.raw().isPresent()) {
            TensorData.Piece raw = data.raw().get();
            return mapped(file, new Tensor(name, type, shape, file.path(), raw.offset(), bytes), raw.length());
        }
        return numbers(name, type, shape, bytes, data);
    }

    private OnnxConstant numbers(String name, TensorType type, List<Long> shape, long bytes, TensorData data) {
        NumberData numbers = NumberData.of(file, data, type);
        Tensor tensor = new Tensor(name, type, shape, file.path(), numbers.offset(data.offset()), bytes);
        if (numbers.isPlain()) {
            return mapped(file, tensor, numbers.bytes());
        }
        if (numbers.bytes() != bytes) {
            throw new IllegalArgumentException(
                    "expected " + bytes + " bytes for " + type + " " + shape + ", got numbers of " + numbers.bytes());
        }
        if (bytes > NumberData.MOST_BYTES) {
            throw new IllegalArgumentException("expected at most " + NumberData.MOST_BYTES
                    + " bytes as single numbers, got " + bytes + "; save the model with raw_data");
        }
        return new OnnxConstant(tensor, () -> numbers.decode(bytes));
    }

    private static OnnxConstant mapped(MappedFile file, Tensor tensor, long got) {
        if (got != tensor.bytes()) {
            throw new IllegalArgumentException("expected " + tensor.bytes() + " bytes for " + tensor.type() + " "
                    + tensor.shape() + ", got " + got);
        }
        return new OnnxConstant(tensor, () -> file.bytes(tensor.offset(), tensor.bytes()));
    }

    private OnnxConstant external(String name, TensorType type, List<Long> shape, long bytes, TensorProto tensor) {
        Map<String, String> entries = new LinkedHashMap<>();
        tensor.getExternalDataList().forEach(entry -> entries.put(entry.getKey(), entry.getValue()));
        MappedFile other = external.open(entries.getOrDefault("location", ""));
        long offset = number(entries, "offset", 0);
        long given = number(entries, "length", bytes);
        long length = given == 0 ? bytes : given; // some exporters write 0 for all that the shape has
        if (offset > other.size() || length > other.size() - offset) {
            throw new WeightFileException(
                    other.path(),
                    Math.min(offset, other.size()),
                    subject(name) + " of " + file.path() + ": expected " + length + " bytes from byte " + offset
                            + ", got a file of " + other.size());
        }
        return mapped(other, new Tensor(name, type, shape, other.path(), offset, bytes), length);
    }

    private static long number(Map<String, String> entries, String key, long otherwise) {
        String text = entries.getOrDefault(key, Long.toString(otherwise));
        if (!text.matches("[0-9]{1,18}")) {
            throw new IllegalArgumentException("expected external data with the " + key
                    + " as a number of 0 or more, got '" + TensorSizes.escaped(text) + "'");
        }
        return Long.parseLong(text);
    }
}
