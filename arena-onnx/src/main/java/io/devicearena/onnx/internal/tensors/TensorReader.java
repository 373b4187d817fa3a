package io.devicearena.onnx.internal.tensors;

import com.google.protobuf.ByteString;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.StringStringEntryProto;
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
import java.util.Optional;

/** Reads the tensors of a model: its initialisers, and the values of its {@code Constant} nodes. */
public final class TensorReader {
    private static final String CONSTANT = "Constant";

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
        return node.getOpType().equals(CONSTANT)
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
        graph.getInitializerList().forEach(tensor -> add(tensors, tensor.getName(), tensor));
        graph.getNodeList().stream().filter(TensorReader::isConstant).forEach(node -> addConstant(tensors, node));
        return tensors;
    }

    private void addConstant(Map<String, OnnxConstant> tensors, NodeProto node) {
        String name = node.getOutput(0);
        if (node.getAttributeCount() != 1) {
            throw file.fault(
                    0, subject(name) + ": expected a constant with one attribute, got " + node.getAttributeCount());
        }
        AttributeProto attribute = node.getAttribute(0);
        switch (attribute.getName()) {
            case "value" -> {
                if (!attribute.hasT()) {
                    throw file.fault(0, subject(name) + ": expected a constant with a tensor, got none");
                }
                add(tensors, name, attribute.getT());
            }
            case "value_float" ->
                addNumbers(tensors, name, TensorType.F32, List.of(), floats(List.of(attribute.getF())));
            case "value_floats" ->
                addNumbers(
                        tensors,
                        name,
                        TensorType.F32,
                        List.of((long) attribute.getFloatsCount()),
                        floats(attribute.getFloatsList()));
            case "value_int" -> addNumbers(tensors, name, TensorType.I64, List.of(), longs(List.of(attribute.getI())));
            case "value_ints" ->
                addNumbers(
                        tensors,
                        name,
                        TensorType.I64,
                        List.of((long) attribute.getIntsCount()),
                        longs(attribute.getIntsList()));
            default ->
                throw file.fault(
                        0,
                        subject(name) + ": expected a constant of dense numbers, got the attribute '"
                                + attribute.getName() + "'");
        }
    }

    private static ByteBuffer floats(List<Float> numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.size() * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        numbers.forEach(bytes::putFloat);
        return bytes.flip();
    }

    private static ByteBuffer longs(List<Long> numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.size() * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        numbers.forEach(bytes::putLong);
        return bytes.flip();
    }

    private void addNumbers(
            Map<String, OnnxConstant> tensors, String name, TensorType type, List<Long> shape, ByteBuffer bytes) {
        Tensor tensor = new Tensor(name, type, shape, file.path(), 0, bytes.remaining());
        put(tensors, name, 0, new OnnxConstant(tensor, () -> MemorySegment.ofBuffer(bytes.asReadOnlyBuffer())));
    }

    private void put(Map<String, OnnxConstant> tensors, String name, long offset, OnnxConstant tensor) {
        if (tensors.putIfAbsent(name, tensor) != null) {
            throw file.fault(offset, subject(name) + ": expected each name once, got it again");
        }
    }

    private void add(Map<String, OnnxConstant> tensors, String name, TensorProto tensor) {
        TensorData data = structure.data(tensor);
        try {
            put(tensors, name, data.offset(), stored(name, tensor, data));
        } catch (IllegalArgumentException e) {
            throw file.fault(data.offset(), subject(name) + ": " + e.getMessage());
        }
    }

    /** Returns the value of a tensor of one truth value, or empty if it is another. */
    public Optional<Boolean> truth(String name, TensorProto tensor) {
        if (tensor.getDataType() != TensorProto.DataType.BOOL.getNumber()) {
            return Optional.empty();
        }
        TensorData data = structure.data(tensor);
        try {
            MemorySegment bytes =
                    stored(name.isEmpty() ? "condition" : name, tensor, data).bytes();
            return bytes.byteSize() == 1 ? Optional.of(bytes.get(ValueLayout.JAVA_BYTE, 0) != 0) : Optional.empty();
        } catch (IllegalArgumentException e) {
            throw file.fault(data.offset(), subject(name) + ": " + e.getMessage());
        }
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
            return external(name, type, shape, bytes, tensor, data);
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

    private OnnxConstant external(
            String name, TensorType type, List<Long> shape, long bytes, TensorProto tensor, TensorData data) {
        Map<String, String> entries = new LinkedHashMap<>();
        for (StringStringEntryProto entry : tensor.getExternalDataList()) {
            entries.put(entry.getKey(), entry.getValue());
        }
        MappedFile other = external.open(entries.getOrDefault("location", ""), subject(name), data.offset());
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
        try {
            long number = Long.parseLong(text);
            if (number >= 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below, as a number below 0
        }
        throw new IllegalArgumentException("expected external data with the " + key + " as a number of 0 or more, got '"
                + TensorSizes.escaped(text) + "'");
    }
}
