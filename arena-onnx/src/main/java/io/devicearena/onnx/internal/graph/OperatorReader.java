package io.devicearena.onnx.internal.graph;

import com.google.protobuf.ByteString;
import io.devicearena.NodeId;
import io.devicearena.onnx.graph.OnnxAttributes;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto.AttributeType;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.OperatorSetIdProto;
import io.devicearena.onnx.internal.tensors.TensorReader;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes operators of nodes. */
final class OperatorReader {
    private final Map<String, Long> versions = new HashMap<>();
    private final TensorReader reader;
    private final Function<String, NodeId> ids;

    OperatorReader(ModelProto model, TensorReader reader, Function<String, NodeId> ids) {
        this.reader = reader;
        this.ids = ids;
        for (OperatorSetIdProto set : model.getOpsetImportList()) {
            versions.putIfAbsent(domain(set.getDomain()), set.getVersion());
        }
    }

    /** The domain of ONNX has two names. */
    static String domain(String name) {
        return name.equals("ai.onnx") ? "" : name;
    }

    /** Makes the operator of a node that has an output. */
    OnnxOperator read(NodeProto node) {
        Map<String, Object> attributes = new LinkedHashMap<>();
        node.getAttributeList()
                .forEach(attribute -> value(attribute).ifPresent(value -> attributes.put(attribute.getName(), value)));
        String domain = domain(node.getDomain());
        return new OnnxOperator(
                domain,
                node.getOpType(),
                versions.getOrDefault(domain, 1L),
                node.getName(),
                new OnnxAttributes(OnnxGraphReader.label(node), attributes),
                positions(node.getInputList()),
                positions(node.getOutputList()));
    }

    private List<Optional<NodeId>> positions(List<String> names) {
        return names.stream()
                .map(name -> name.isEmpty() ? Optional.<NodeId>empty() : Optional.of(ids.apply(name)))
                .toList();
    }

    /** The value of an attribute; empty for graphs, types and sparse tensors. */
    private Optional<Object> value(AttributeProto attribute) {
        @Nullable Object value = switch (type(attribute)) {
            case INT -> attribute.getI();
            case FLOAT -> attribute.getF();
            case STRING -> attribute.getS().toStringUtf8();
            case TENSOR -> reader.attribute(attribute.getName(), attribute.getT());
            case INTS -> List.copyOf(attribute.getIntsList());
            case FLOATS -> List.copyOf(attribute.getFloatsList());
            case STRINGS ->
                attribute.getStringsList().stream()
                        .map(ByteString::toStringUtf8)
                        .toList();
            case TENSORS ->
                attribute.getTensorsList().stream()
                        .map(tensor -> reader.attribute(attribute.getName(), tensor))
                        .toList();
            default -> null;
        };
        return Optional.ofNullable(value);
    }

    /** The type of an attribute, by what it has in files of the first version of the format, which do not say it. */
    private static AttributeType type(AttributeProto attribute) {
        if (attribute.getType() != AttributeType.UNDEFINED) {
            return attribute.getType();
        }
        if (attribute.hasI()) {
            return AttributeType.INT;
        }
        if (attribute.hasF()) {
            return AttributeType.FLOAT;
        }
        if (attribute.hasS()) {
            return AttributeType.STRING;
        }
        if (attribute.hasT()) {
            return AttributeType.TENSOR;
        }
        if (attribute.getIntsCount() > 0) {
            return AttributeType.INTS;
        }
        if (attribute.getFloatsCount() > 0) {
            return AttributeType.FLOATS;
        }
        return attribute.getStringsCount() > 0 ? AttributeType.STRINGS : AttributeType.UNDEFINED;
    }
}
