package io.devicearena.onnx.internal.onnxruntime;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * ONNX Runtime's inference. A session knows most shapes; a run on zeros finds the others, such as those that depend on
 * data.
 */
public final class OnnxRuntimeInference implements ShapeInference {
    /** The most bytes of inputs and known values that a run on zeros may take. */
    private static final long MOST_BYTES = Integer.MAX_VALUE;

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
    public Map<String, ValueType> infer(ModelProto model, Set<String> wanted) {
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
                if (!found.keySet().containsAll(wanted)) {
                    run(session, wanted, found);
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

    private static void add(String name, ValueInfo info, Map<String, ValueType> found) {
        if (info instanceof TensorInfo tensor
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

    private void run(OrtSession session, Set<String> wanted, Map<String, ValueType> found) throws OrtException {
        Set<String> missing = new HashSet<>(wanted);
        missing.removeAll(found.keySet());
        Map<String, OnnxTensor> zeros = new HashMap<>();
        try {
            long bytes = bytes(found.values());
            for (Map.Entry<String, NodeInfo> input : session.getInputInfo().entrySet()) {
                if (!(input.getValue().getInfo() instanceof TensorInfo tensor)) {
                    throw new IllegalArgumentException(
                            "input '" + input.getKey() + "': expected a tensor, got " + input.getValue());
                }
                TensorType type = type(tensor).orElseThrow();
                bytes += ElementTypes.bytes(type, shape(tensor));
                if (bytes > MOST_BYTES) {
                    throw new IllegalArgumentException("value '"
                            + missing.iterator().next()
                            + "': expected a shape that does not depend on data, or a model of at most " + MOST_BYTES
                            + " bytes, which ONNX Runtime can run to find it; save the model with its shapes");
                }
                zeros.put(input.getKey(), zeros(tensor, ElementTypes.bytes(type, shape(tensor))));
            }
            try (OrtSession.Result result = session.run(zeros, missing)) {
                for (Map.Entry<String, OnnxValue> output : result) {
                    add(output.getKey(), output.getValue().getInfo(), found);
                }
            }
        } finally {
            zeros.values().forEach(OnnxTensor::close);
        }
    }

    private static long bytes(Iterable<ValueType> values) {
        long bytes = 0;
        for (ValueType value : values) {
            bytes = Math.addExact(bytes, ElementTypes.bytes(value.type(), value.shape()));
        }
        return bytes;
    }

    private OnnxTensor zeros(TensorInfo tensor, long bytes) throws OrtException {
        ByteBuffer zeros = ByteBuffer.allocateDirect(Math.toIntExact(bytes)).order(ByteOrder.nativeOrder());
        return OnnxTensor.createTensor(environment, zeros, tensor.getShape(), tensor.type);
    }
}
