package io.devicearena.onnx;

import com.google.protobuf.ByteString;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.OperatorSetIdProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorShapeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TypeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Small models. */
final class Models {
    private Models() {}

    static ModelProto model(GraphProto.Builder graph) {
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .setProducerName("test")
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                .setGraph(graph.setName("small"))
                .build();
    }

    /** A file of the model, as {@code small.onnx}. */
    static Path file(Path folder, ModelProto model) {
        try {
            return Files.write(folder.resolve("small.onnx"), model.toByteArray());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** A value of floats; a dimension is a number or a name. */
    static ValueInfoProto value(String name, Object... dimensions) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        for (Object dimension : dimensions) {
            if (dimension instanceof String free) {
                shape.addDimBuilder().setDimParam(free);
            } else {
                shape.addDimBuilder().setDimValue(((Number) dimension).longValue());
            }
        }
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(
                                TypeProto.Tensor.newBuilder().setElemType(1).setShape(shape)))
                .build();
    }

    static NodeProto node(String op, List<String> inputs, String... outputs) {
        return NodeProto.newBuilder()
                .setOpType(op)
                .setName(op + "_of_" + outputs[0])
                .addAllInput(inputs)
                .addAllOutput(List.of(outputs))
                .build();
    }

    static NodeProto with(String op, List<String> inputs, String output, AttributeProto... attributes) {
        return node(op, inputs, output).toBuilder()
                .addAllAttribute(List.of(attributes))
                .build();
    }

    static AttributeProto integer(String name, long value) {
        return AttributeProto.newBuilder()
                .setName(name)
                .setType(AttributeProto.AttributeType.INT)
                .setI(value)
                .build();
    }

    static TensorProto floats(String name, List<Long> shape, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.FLOAT.getNumber())
                .addAllDims(shape)
                .setRawData(ByteString.copyFrom(bytes.flip()))
                .build();
    }

    static TensorProto longs(String name, long... values) {
        TensorProto.Builder tensor = TensorProto.newBuilder()
                .setName(name)
                .setDataType(TensorProto.DataType.INT64.getNumber())
                .addDims(values.length);
        for (long value : values) {
            tensor.addInt64Data(value);
        }
        return tensor.build();
    }

    /**
     * x [batch, 4] * w [4, 4] + b, then Relu, and a Reshape to [4 * batch] with a shape from a constant. All shapes are
     * in the file.
     */
    static ModelProto layer() {
        return model(GraphProto.newBuilder()
                .addInput(value("x", "batch", 4))
                .addInitializer(floats("w", List.of(4L, 4L), new float[16]))
                .addInitializer(floats("b", List.of(4L), 1, 2, 3, 4))
                .addInitializer(floats("unused", List.of(1L), 5))
                .addNode(node("MatMul", List.of("x", "w"), "product"))
                .addNode(node("Add", List.of("product", "b"), "sum"))
                .addNode(node("Relu", List.of("sum"), "active"))
                .addNode(with(
                        "Constant",
                        List.of(),
                        "shape",
                        AttributeProto.newBuilder()
                                .setName("value")
                                .setType(AttributeProto.AttributeType.TENSOR)
                                .setT(longs("", -1))
                                .build()))
                .addNode(node("Reshape", List.of("active", "shape"), "flat"))
                .addNode(node("Sqrt", List.of("flat"), "y"))
                .addValueInfo(value("product", "batch", 4))
                .addValueInfo(value("sum", "batch", 4))
                .addValueInfo(value("active", "batch", 4))
                .addValueInfo(value("flat", 8))
                .addOutput(value("y", 8)));
    }
}
