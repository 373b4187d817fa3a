package io.devicearena.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.testing.TestResources;
import io.devicearena.plan.text.BufferCsv;
import io.devicearena.plan.validation.PlanValidator;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TracesTest {
    @ParameterizedTest
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
    void plan_ofATrace_isValidAndReadsBack(String name) throws IOException {
        List<LiveBuffer> buffers = TestResources.trace(name);
        for (long alignment : new long[] {1, 64}) {
            PlanOptions options = PlanOptions.declared(alignment);
            PlanResult planned = MemoryPlanner.plan(buffers, options);

            PlanValidator.validate(planned.plan(), buffers, options);
            PlanValidator.validate(planned.plan(), planned.buffers(), options);
            assertThat(planned.plan().arenaSize()).isGreaterThanOrEqualTo(planned.lowerBoundBytes());
            assertThat(planned.lowerBoundBytes()).isEqualTo(mostLive(planned.buffers()));
            StringBuilder csv = new StringBuilder();
            BufferCsv.write(planned, csv);
            assertThat(BufferCsv.readPlan(new StringReader(csv.toString())).plan())
                    .isEqualTo(planned.plan());
            assertThat(BufferCsv.read(new StringReader(csv.toString()))).isEqualTo(planned.buffers());
        }
    }

    /** By definition: the live bytes at each step at which a buffer begins. */
    private static long mostLive(List<LiveBuffer> buffers) {
        return buffers.stream()
                .mapToLong(LiveBuffer::firstStep)
                .distinct()
                .map(step -> buffers.stream()
                        .filter(buffer -> buffer.firstStep() <= step && step < buffer.endStep())
                        .mapToLong(LiveBuffer::size)
                        .sum())
                .max()
                .orElse(0);
    }

    @Test
    void lowerBound_ofADensePacking_isAtMostItsCapacity() throws IOException {
        for (String name : List.of("A.1048576", "D.1048576", "H.1048576")) {
            assertThat(mostLive(TestResources.trace(name))).isBetween(900_000L, 1_048_576L);
        }
    }

    @Test
    void sizesAreRoundedUpToTheAlignment() {
        PlanResult planned =
                MemoryPlanner.plan(List.of(buffer(3, 0, 2, 5), buffer(1, 1, 2, 64)), PlanOptions.declared(64));

        assertThat(planned.buffers()).containsExactly(buffer(3, 0, 2, 64), buffer(1, 1, 2, 64));
        assertThat(planned.plan().schedule()).containsExactly(NodeId.of(3), NodeId.of(1));
        assertThat(planned.lowerBoundBytes()).isEqualTo(128);
        assertThat(planned.plan().arenaSize()).isEqualTo(128);
        assertThat(planned.strategy()).isEqualTo("balanced");
    }

    @Test
    void noBuffersMakeAnEmptyPlan() {
        PlanResult planned = MemoryPlanner.plan(List.of(), PlanOptions.declared(64));

        assertThat(planned.plan()).isEqualTo(new MemoryPlan(0, Map.of(), List.of()));
        assertThat(planned.lowerBoundBytes()).isZero();
    }

    private static LiveBuffer buffer(long id, long lower, long upper, long size) {
        return new LiveBuffer(NodeId.of(id), lower, upper, size);
    }
}
