package io.devicearena.onnx.internal.onnxruntime;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.ValueInfo;
import io.devicearena.onnx.internal.graph.ShapeInference;
import io.devicearena.onnx.internal.graph.ValueType;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.weights.tensor.TensorType;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** ONNX Runtime's inference: a session knows the shapes of its outputs. */
public final class OnnxRuntimeInference implements ShapeInference {
    private final OrtEnvironment environment;

    private OnnxRuntimeInference(OrtEnvironment environment) {
        this.environment = environment;
    }

    /** Returns the inference, or empty if ONNX Runtime cannot be had. */
    public static Optional<ShapeInference> load() {
        try {
            return Optional.of(new OnnxRuntimeInference(
                    OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, "device-arena")));
        } catch (LinkageError | IllegalStateException e) { // not on the class path, or no library for this platform
            return Optional.empty();
        }
    }

    @Override
    public Map<String, ValueType> infer(ModelProto model) {
        Map<String, ValueType> found = new LinkedHashMap<>();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.BASIC_OPT);
            options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
            options.setInterOpNumThreads(1);
            try (OrtSession session = environment.createSession(model.toByteArray(), options)) {
                for (Map.Entry<String, NodeInfo> output :
                        session.getOutputInfo().entrySet()) {
                    add(output.getKey(), output.getValue().getInfo(), found);
                }
            }
            return found;
        } catch (OrtException e) {
            throw new IllegalArgumentException("ONNX Runtime refuses the model: " + firstLine(e), e);
        }
    }

    private static String firstLine(OrtException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason");
    }

    /** A shape without dimensions is that of one element, or none is known: the library does not say which. */
    private static void add(String name, ValueInfo info, Map<String, ValueType> found) {
        if (info instanceof TensorInfo tensor
                && tensor.getShape().length > 0
                && Arrays.stream(tensor.getShape()).allMatch(size -> size >= 0)) {
            type(tensor).ifPresent(type -> found.put(name, new ValueType(type, shape(tensor))));
        }
    }

    /** The numbers of the library's types are its own; their names are those of ONNX. */
    private static Optional<TensorType> type(TensorInfo tensor) {
        return ElementTypes.named(tensor.onnxType.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", ""));
    }

    private static List<Long> shape(TensorInfo tensor) {
        return Arrays.stream(tensor.getShape()).boxed().toList();
    }
}
