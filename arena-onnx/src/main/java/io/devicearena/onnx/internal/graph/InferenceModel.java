package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorShapeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TypeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.onnx.internal.tensors.TensorReader;
import java.util.Map;

/**
 * A model for shape inference: every value is an output, inputs have sizes, and weights are inputs. Only small tensors
 * keep their data, since shapes are computed from them.
 */
final class InferenceModel {
    /** Versions of the file format that every ONNX Runtime of the last years reads; the operators have their own. */
    private static final long OLDEST_VERSION = 4;

    private static final long NEWEST_VERSION = 10;

    private final ModelProto model;
    private final TensorReader reader;

    InferenceModel(ModelProto model, TensorReader reader) {
        this.model = model;
        this.reader = reader;
    }

    /** Makes the model; {@code inputs} are the types of the inputs, {@code tensors} those that nodes read. */
    ModelProto build(Map<String, ValueType> inputs, Map<String, OnnxConstant> tensors) {
        GraphProto.Builder graph = GraphProto.newBuilder()
                .setName(model.getGraph().getName())
                .addAllNode(model.getGraph().getNodeList().stream()
                        .filter(node -> !TensorReader.isConstant(node))
                        .toList());
        inputs.forEach((name, type) -> graph.addInput(info(name, type)));
        tensors.forEach((name, constant) -> {
            if (ValueType.elements(constant.shape()) <= Numbers.MOST_ELEMENTS) {
                graph.addInitializer(TensorReader.filled(constant));
            } else {
                graph.addInput(info(name, new ValueType(constant.type(), constant.shape())));
            }
        });
        for (NodeProto.Builder node : graph.getNodeBuilderList()) {
            fill(node);
            node.getOutputList().stream()
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> graph.addOutput(ValueInfoProto.newBuilder().setName(name)));
        }
        ModelProto.Builder built = ModelProto.newBuilder()
                .setIrVersion(Math.clamp(model.getIrVersion(), OLDEST_VERSION, NEWEST_VERSION))
                .addAllOpsetImport(model.getOpsetImportList())
                .addAllFunctions(model.getFunctionsList())
                .setGraph(graph);
        built.getFunctionsBuilderList()
                .forEach(function -> function.getNodeBuilderList().forEach(this::fill));
        return built.build();
    }

    /** Gives tensors of attributes their data. */
    private void fill(NodeProto.Builder node) {
        for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
            if (attribute.hasT()) {
                attribute.setT(filled(attribute, attribute.getT()));
            }
            for (int i = 0; i < attribute.getTensorsCount(); i++) {
                attribute.setTensors(i, filled(attribute, attribute.getTensors(i)));
            }
        }
    }

    private TensorProto filled(AttributeProto.Builder attribute, TensorProto tensor) {
        return TensorReader.filled(reader.attribute(attribute.getName(), tensor));
    }

    private static ValueInfoProto info(String name, ValueType type) {
        TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
        type.shape().forEach(size -> shape.addDimBuilder().setDimValue(size));
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(ElementTypes.number(type.type()))
                                .setShape(shape)))
                .build();
    }
}
