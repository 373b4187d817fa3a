package io.devicearena.fuzz;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.devicearena.onnx.OnnxModel;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.weights.tensor.Tensor;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.io.TempDir;

/** Any bytes are an ONNX file with a graph, or are refused with a reason. ONNX Runtime is not on the class path. */
class OnnxModelFuzzTest {
    @TempDir
    static Path folder;

    @FuzzTest(maxDuration = "60s")
    void open(byte[] bytes) throws IOException {
        Path path = Files.write(folder.resolve("fuzzed.onnx"), bytes);
        try (OnnxModel model = OnnxModel.open(path)) {
            for (Tensor tensor : model.weights().tensors().values()) {
                model.weights().bytes(tensor);
            }
            Map<String, Long> sizes =
                    model.freeDimensions().keySet().stream().collect(Collectors.toMap(name -> name, name -> 2L));
            model.graph(sizes);
        } catch (WeightFileException | OnnxException e) {
            if (!e.getMessage().startsWith(folder.toString())) {
                throw new AssertionError("expected the file in the message", e);
            }
        }
    }
}
