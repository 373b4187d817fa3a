package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceArena;
import io.devicearena.cli.input.DimensionRange;
import io.devicearena.cli.input.GraphInput;
import io.devicearena.cli.input.PlanInputReader;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.message.ProgressLine;
import io.devicearena.cli.replay.Replay;
import io.devicearena.cli.replay.ReplayValue;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.validation.PlanValidator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Real models with free dimensions: at the upper bounds as small as a plan for these sizes, and right at random sizes,
 * executed on the provider cpu.
 */
class FreeModelsTest {
    private static final PlanOptions OPTIONS = PlanOptions.declared(64);

    /** Random sizes of each model; a long run has 50. */
    private static final int SIZES = Integer.getInteger("devicearena.sizes", 2);

    static Stream<Arguments> models() {
        return Stream.of(
                Arguments.of("magika/model.onnx", "unk__214=1..8"),
                Arguments.of(
                        "rapidocr/PP-OCRv6_det_small.onnx",
                        "DynamicDimension.0=1 DynamicDimension.1=32..640:32 DynamicDimension.2=32..640:32"),
                Arguments.of(
                        "rapidocr/PP-OCRv6_rec_small.onnx", "DynamicDimension.0=1..6 DynamicDimension.1=32..320:8"),
                Arguments.of("rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx", "x.0=1..6 x.2=48 x.3=32..192:32"),
                Arguments.of(
                        "rapidocr_onnxruntime/ch_PP-OCRv4_det_infer.onnx",
                        "p2o.DynamicDimension.0=1 p2o.DynamicDimension.1=32..736:32 p2o.DynamicDimension.2=32..736:32"),
                Arguments.of(
                        "rapidocr_onnxruntime/ch_PP-OCRv4_rec_infer.onnx",
                        "p2o.DynamicDimension.0=1..6 x.2=48 p2o.DynamicDimension.1=32..320:8"),
                Arguments.of(
                        "rapidocr_onnxruntime/ch_ppocr_mobile_v2.0_cls_infer.onnx", "x.0=1..6 x.2=48 x.3=32..192:32"),
                Arguments.of("silero_vad/silero_vad_16k_sequence.onnx", "sequence_length=1..32"),
                Arguments.of("silero_vad/silero_vad_openvino_16k.onnx", ""));
    }

    private static Path folder() {
        String folder = System.getenv("DEVICEARENA_MODELS");
        assumeTrue(folder != null && !folder.isEmpty(), "DEVICEARENA_MODELS is not set; see tools/models");
        return Path.of(folder, "models");
    }

    private static GraphInput read(String file, List<Dimension> dimensions) throws IOException {
        return (GraphInput) PlanInputReader.read(Optional.of(folder().resolve(file)), dimensions, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("models")
    void model_atRandomSizes_isExecutedOnOnePlan(String file, String text) throws IOException {
        List<Dimension> dimensions = DimensionRange.of(text.isEmpty() ? List.of() : List.of(text.split(" ")));
        GraphInput free = read(file, dimensions);
        FamilyPlan plans = free.plans(List.of(), OPTIONS);
        String name = plans.members().keySet().iterator().next();
        GraphInput most = read(file, fixed(DimensionRange.most(dimensions)));
        assertThat(plans.arenaBytes())
                .isEqualTo(MemoryPlanner.plan(most.network(), OPTIONS).plan().arenaSize());
        SplittableRandom random = new SplittableRandom(1);
        try (DeviceArena arena =
                DeviceArenas.open(plans.plan(name), ArenaOptions.defaults().withProvider("cpu"))) {
            for (int i = 0; i < SIZES; i++) {
                Map<String, Long> all = new TreeMap<>();
                for (Dimension dimension : dimensions) {
                    long unit = dimension.multipleOf();
                    all.put(
                            dimension.name(),
                            random.nextLong(dimension.least() / unit, dimension.most() / unit + 1) * unit);
                }
                Map<String, Long> sizes = new TreeMap<>(all);
                sizes.keySet().retainAll(free.network().dimensions().keySet());
                PlanResult at = plans.at(name, sizes);
                // The shapes of the model at these sizes, which no polynomial made.
                GraphInput fixed = read(file, fixed(all));
                PlanValidator.validate(at.plan(), fixed.network(), OPTIONS);
                PlanValidator.validate(at.plan(), at.buffers(), OPTIONS);
                try (DeviceArena view = arena.view(at.plan())) {
                    List<ReplayValue> values = ReplayValue.of(new PlannedInput(fixed, OPTIONS, at));
                    long bytes = values.stream().mapToLong(ReplayValue::bytes).sum();
                    assertThat(new Replay(view, values, i, new ProgressLine(new PrintWriter(Writer.nullWriter())))
                                    .run()
                                    .verifiedBytes())
                            .isBetween(1L, bytes);
                }
            }
        }
    }

    private static List<Dimension> fixed(Map<String, Long> sizes) {
        return sizes.entrySet().stream()
                .map(size -> new Dimension(size.getKey(), size.getValue(), size.getValue()))
                .toList();
    }
}
