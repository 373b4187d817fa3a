package io.devicearena.bench.plans;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.bench.published.EngineModel;
import io.devicearena.plan.placement.PlacementProblem;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EngineTableTest {
    private final StringWriter text = new StringWriter();

    static Stream<EngineModel> models() {
        return EngineModel.ALL.stream();
    }

    @ParameterizedTest(name = "model {index}")
    @MethodSource("models")
    void liveBuffers_shareNoByte(EngineModel model) {
        for (long seed = 0; seed < 20; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            int count = 300;
            long[] sizes = random.longs(count, 0, 3 << 20).toArray();
            long[] firsts = random.longs(count, 0, 100).toArray();
            long[] ends = new long[count];
            for (int i = 0; i < count; i++) {
                ends[i] = firsts[i] + random.nextInt(30);
            }
            PlacementProblem problem = new PlacementProblem(sizes, firsts, ends, 4, 0);
            EngineModel.Execution execution = model.execute(problem);

            PlacementCheck.check(model.name(), problem, execution.addresses());
            assertThat(execution.deviceBytes()).isGreaterThanOrEqualTo(problem.lowerBound());
        }
    }

    private void print(boolean json) throws IOException {
        TraceProblem three = new TraceProblem(
                "three",
                new PlacementProblem(
                        new long[] {1 << 20, 1 << 19, 1 << 20}, new long[] {0, 1, 2}, new long[] {2, 3, 4}, 1, 0));
        new EngineTable(new PrintWriter(text, true), json).print(List.of(three), "three"::equals);
    }

    @Test
    void row_hasMemoryRequestsAndAllocations() throws IOException {
        print(false);
        assertThat(text.toString())
                .startsWith(
                        "three: 3 buffers, at most 1.5 MiB live at once; (model): our model of the algorithm, not the"
                                + " engine itself")
                .containsPattern("a buffer for each tensor \\(model\\) +2\\.5 +3 +3 +0\\.00\\R")
                .containsPattern("a bump allocator \\(model\\) +2\\.5 +3 +1 +0\\.00\\R")
                .containsPattern("ONNX Runtime's arena \\(model\\) +3\\.0 +3 +2 +0\\.00\\R")
                .containsPattern("PyTorch's caching allocator \\(model\\) +2\\.0 +3 +1 +0\\.00\\R")
                .containsPattern("ggml's allocator \\(model\\) +1\\.5 +0 +1 +\\d+\\.\\d\\d\\R")
                .containsPattern("Device Arena +1\\.5 +0 +1 +\\d+\\.\\d\\d\\R");
    }

    @Test
    void json_hasTheSameFigures() throws IOException {
        print(true);
        assertThat(text.toString().replaceAll("\\s", ""))
                .contains(
                        "{\"bytes\":3145728,\"deviceAllocations\":2,\"name\":\"ONNXRuntime'sarena(model)\",\"planMillis\":0.0,"
                                + "\"requests\":3}")
                .contains("{\"bytes\":1572864,\"deviceAllocations\":1,\"name\":\"DeviceArena\",\"planMillis\":");
    }
}
