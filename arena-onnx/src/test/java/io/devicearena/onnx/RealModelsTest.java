package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.internal.tensors.ElementTypes;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.validation.PlanValidator;
import io.devicearena.weights.tensor.Tensor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real models: their tensors have the bytes that the Python library onnx reads, and their graphs are planned. {@code
 * tools/models/prepare} fetches the models and writes what is expected.
 */
class RealModelsTest {
    static Path folder() {
        String folder = System.getenv("DEVICEARENA_MODELS");
        if (folder == null) {
            String problem = "real models: expected a folder of them in DEVICEARENA_MODELS, got none; run"
                    + " tools/models/prepare, and set it to the folder that this prints";
            if (System.getenv("DEVICEARENA_REQUIRE_MODELS") != null) {
                fail(problem);
            }
            abort(problem);
        }
        return Path.of(folder, "models");
    }

    @TestFactory
    Stream<DynamicTest> tensors_areThoseThatPythonReads() throws IOException {
        try (Stream<Path> files = Files.walk(folder())) {
            List<Path> models = files.filter(file -> file.toString().endsWith(".onnx"))
                    .sorted()
                    .toList();
            assertThat(models).isNotEmpty();
            return models.stream()
                    .map(model ->
                            DynamicTest.dynamicTest(String.valueOf(model.getFileName()), () -> assertTensors(model)));
        }
    }

    private static void assertTensors(Path path) throws IOException {
        List<String[]> rows = Files.readAllLines(Path.of(path + ".expected")).stream()
                .map(row -> row.split("\t", -1))
                .toList();
        try (OnnxModel model = OnnxModel.open(path)) {
            assertThat(model.weights().tensors()).hasSize(rows.size());
            for (String[] row : rows) {
                Tensor tensor = model.weights().tensor(row[0]).orElseThrow();
                assertThat(tensor.type())
                        .as(row[0])
                        .isEqualTo(ElementTypes.named(row[1]).orElseThrow());
                assertThat(String.join(
                                ",",
                                tensor.shape().stream().map(String::valueOf).toList()))
                        .as(row[0])
                        .isEqualTo(row[2]);
                CRC32 sum = new CRC32();
                sum.update(model.weights().bytes(tensor).asByteBuffer());
                assertThat(tensor.bytes()).as(row[0]).isEqualTo(Long.parseLong(row[3]));
                assertThat(sum.getValue()).as("bytes of %s", row[0]).isEqualTo(Long.parseLong(row[4]));
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "magika/model.onnx, unk__214=1",
        "rapidocr/PP-OCRv6_det_small.onnx," + " DynamicDimension.0=1 DynamicDimension.1=640 DynamicDimension.2=640",
        "rapidocr/PP-OCRv6_rec_small.onnx, DynamicDimension.0=6 DynamicDimension.1=320",
        "rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx, x.0=6 x.2=48 x.3=192",
        "rapidocr_onnxruntime/ch_PP-OCRv4_det_infer.onnx,"
                + " p2o.DynamicDimension.0=1 p2o.DynamicDimension.1=736 p2o.DynamicDimension.2=736",
        "rapidocr_onnxruntime/ch_PP-OCRv4_rec_infer.onnx,"
                + " p2o.DynamicDimension.0=6 x.2=48 p2o.DynamicDimension.1=320",
        "rapidocr_onnxruntime/ch_ppocr_mobile_v2.0_cls_infer.onnx, x.0=6 x.2=48 x.3=192",
        "silero_vad/silero_vad_16k_sequence.onnx, sequence_length=32",
        "silero_vad/silero_vad_16k_op15.onnx, batch=1 sequence=576",
        "silero_vad/silero_vad_half.onnx, batch=1 sequence=576",
        "silero_vad/silero_vad_openvino_16k.onnx, ''"
    })
    void graph_isPlannedAtItsLowerBound(String file, String dimensions) {
        try (OnnxModel model = OnnxModel.open(folder().resolve(file))) {
            Map<String, Long> sizes = Stream.of(dimensions.split(" "))
                    .filter(size -> !size.isEmpty())
                    .map(size -> size.split("="))
                    .collect(Collectors.toMap(size -> size[0], size -> Long.valueOf(size[1])));
            OnnxGraph graph = model.graph(sizes);
            PlanOptions options = PlanOptions.declared(64);
            PlanResult planned = MemoryPlanner.plan(graph, options);
            PlanValidator.validate(planned.plan(), graph, options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
            assertThat(planned.plan().arenaSize()).isEqualTo(planned.lowerBoundBytes());
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"silero_vad.onnx, If_0", "silero_vad_op18_ifless.onnx, node_cond__1"})
    void graph_withBranches_isRefusedByTheNameOfTheNode(String file, String node) {
        try (OnnxModel model = OnnxModel.open(folder().resolve("silero_vad").resolve(file))) {
            Map<String, Long> sizes =
                    model.freeDimensions().keySet().stream().collect(Collectors.toMap(name -> name, name -> 1L));
            assertThatThrownBy(() -> model.graph(sizes))
                    .isInstanceOf(OnnxException.class)
                    .hasMessageContaining("node '" + node + "' (If): expected an operator without a graph of its own");
        }
    }
}
