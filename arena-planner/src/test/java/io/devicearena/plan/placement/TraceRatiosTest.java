package io.devicearena.plan.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.plan.testing.OverlapCheck;
import io.devicearena.plan.testing.TestResources;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the default makes of real programs, and of packings made to be dense. */
class TraceRatiosTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "A.1048576, 10000",
        "D.1048576, 10600",
        "H.1048576, 10000",
        "iopddl_G1_transformer_infer, 10000",
        "onnx_light_densenet121, 10000",
        "onnx_light_inception_v1, 10000",
        "somas_resnet50, 10000",
        "tflite_mobilenet_v2_int8, 10000",
        "xla_cpu_step_resnet50_train, 10000"
    })
    void theDefaultIsWithinTenThousandthsOfTheBound(String name, long tenThousandths) throws IOException {
        PlacementProblem problem = TestResources.problem(name, 1);
        long[] offsets = new Balanced().place(problem);
        long arena = PlacementStrategiesTest.arena(problem, offsets);
        OverlapCheck.check(problem, offsets, arena);
        assertThat(arena * 10_000).isLessThanOrEqualTo(problem.lowerBound() * tenThousandths);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {
                "A.1048576",
                "D.1048576",
                "H.1048576",
                "iopddl_G1_transformer_infer",
                "onnx_light_densenet121",
                "onnx_light_inception_v1",
                "somas_resnet50",
                "tflite_mobilenet_v2_int8",
                "xla_cpu_step_resnet50_train"
            })
    void noStrategyIsBetterThanTheDefault(String name) throws IOException {
        for (long alignment : new long[] {1, 64}) {
            PlacementProblem problem = TestResources.problem(name, alignment);
            long best = PlacementStrategiesTest.arena(problem, new Balanced().place(problem));
            for (PlacementStrategy strategy : PlacementStrategies.all()) {
                long[] offsets = strategy.place(problem);
                long arena = PlacementStrategiesTest.arena(problem, offsets);
                OverlapCheck.check(problem, offsets, arena);
                assertThat(best).as(strategy.name()).isLessThanOrEqualTo(arena);
            }
        }
    }
}
