package io.devicearena.onnx.internal.onnxruntime;

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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** ONNX Runtime's inference: a session knows the shapes of its outputs. */
public final class OnnxRuntimeInference implements ShapeInference {
    private final OrtEnvironment environment;

    private OnnxRuntimeInference(OrtEnvironment environment) {
        this.environment = environment;
    }

    /**
     * Returns the inference.
     *
     * @throws LinkageError if ONNX Runtime is not on the class path
     * @throws IllegalStateException if it has no library for this platform
     */
    public static ShapeInference load() {
        return new OnnxRuntimeInference(
                OrtEnvironment.getEnvironment(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL, "device-arena"));
    }

    @Override
    public Map<String, ValueType> infer(ModelProto model) {
        Map<String, ValueType> found = new LinkedHashMap<>();
        try (OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
            options.setOptimizationLevel(OrtSession.SessionOptions.OptLevel.BASIC_OPT);
            options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
            options.setInterOpNumThreads(1);
            try (OrtSession session = environment.createSession(model.toByteArray(), options)) {
                session.getOutputInfo()
                        .forEach((name, output) -> type(output.getInfo()).ifPresent(type -> found.put(name, type)));
            }
            return found;
        } catch (OrtException e) {
            throw new IllegalArgumentException("ONNX Runtime refuses the model: " + firstLine(e), e);
        }
    }

    private static String firstLine(OrtException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason");
    }

    /**
     * A shape without dimensions is that of one element, or none is known: the library does not say which. The numbers
     * of its types are its own; their names are those of ONNX.
     */
    private static Optional<ValueType> type(ValueInfo info) {
        if (!(info instanceof TensorInfo tensor)
                || tensor.getShape().length == 0
                || Arrays.stream(tensor.getShape()).anyMatch(size -> size < 0)) {
            return Optional.empty();
        }
        return ElementTypes.named(tensor.onnxType.name().replace("ONNX_TENSOR_ELEMENT_DATA_TYPE_", ""))
                .map(type -> new ValueType(
                        type, Arrays.stream(tensor.getShape()).boxed().toList()));
    }
}
