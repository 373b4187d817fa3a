package io.devicearena.onnx;

import io.devicearena.onnx.internal.tensors.StoredTensor;
import io.devicearena.weights.WeightSource;
import io.devicearena.weights.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The weights of an ONNX file. */
final class OnnxWeights implements WeightSource {
    private final Path path;
    private final Map<String, StoredTensor> stored;
    private final Map<String, Tensor> tensors = new LinkedHashMap<>();

    OnnxWeights(Path path, Map<String, StoredTensor> stored) {
        this.path = path;
        this.stored = stored;
        stored.values().stream()
                .map(StoredTensor::tensor)
                .sorted(Comparator.comparing(Tensor::file).thenComparingLong(Tensor::offset))
                .forEach(tensor -> tensors.put(tensor.name(), tensor));
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public Map<String, Tensor> tensors() {
        return Collections.unmodifiableMap(tensors);
    }

    @Override
    public MemorySegment bytes(Tensor tensor) {
        StoredTensor known = stored.get(tensor.name());
        if (known == null || !known.tensor().equals(tensor)) {
            throw new IllegalArgumentException("expected a tensor of " + path + ", got " + tensor);
        }
        return known.bytes().get();
    }

    @Override
    public String toString() {
        return "ONNX file " + path + " of " + tensors.size() + " tensors";
    }
}
