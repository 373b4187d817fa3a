package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.FunctionProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorShapeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TypeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.onnx.internal.tensors.TensorReader;
import io.devicearena.weights.tensor.Tensor;
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
        GraphProto.Builder graph =
                GraphProto.newBuilder().setName(model.getGraph().getName());
        inputs.forEach((name, type) -> graph.addInput(info(name, type)));
        tensors.values().forEach(constant -> {
            Tensor tensor = constant.tensor();
            if (tensor.elements() <= Numbers.MOST_ELEMENTS) {
                graph.addInitializer(TensorReader.filled(constant));
            } else {
                graph.addInput(info(tensor.name(), new ValueType(tensor.type(), tensor.shape())));
            }
        });
        for (NodeProto node : model.getGraph().getNodeList()) {
            if (!TensorReader.isConstant(node)) {
                graph.addNode(filled(node));
                node.getOutputList().stream()
                        .filter(name -> !name.isEmpty())
                        .forEach(name ->
                                graph.addOutput(ValueInfoProto.newBuilder().setName(name)));
            }
        }
        ModelProto.Builder built = ModelProto.newBuilder()
                .setIrVersion(Math.clamp(model.getIrVersion(), OLDEST_VERSION, NEWEST_VERSION))
                .addAllOpsetImport(model.getOpsetImportList())
                .setGraph(graph);
        for (FunctionProto function : model.getFunctionsList()) {
            FunctionProto.Builder copy = function.toBuilder().clearNode();
            function.getNodeList().forEach(node -> copy.addNode(filled(node)));
            built.addFunctions(copy);
        }
        return built.build();
    }

    private NodeProto filled(NodeProto node) {
        if (node.getAttributeList().stream()
                .noneMatch(attribute -> attribute.hasT() || attribute.getTensorsCount() > 0)) {
            return node;
        }
        NodeProto.Builder copy = node.toBuilder().clearAttribute();
        for (AttributeProto attribute : node.getAttributeList()) {
            AttributeProto.Builder changed = attribute.toBuilder().clearTensors();
            if (attribute.hasT()) {
                changed.setT(filled(attribute, attribute.getT()));
            }
            attribute.getTensorsList().forEach(tensor -> changed.addTensors(filled(attribute, tensor)));
            copy.addAttribute(changed);
        }
        return copy.build();
    }

    private TensorProto filled(AttributeProto attribute, TensorProto tensor) {
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
