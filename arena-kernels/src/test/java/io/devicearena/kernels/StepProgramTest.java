package io.devicearena.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernels.elementwise.Elementwise;
import io.devicearena.kernels.elementwise.Expression;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import io.devicearena.kernels.reduction.Reduce;
import io.devicearena.kernels.reduction.Reduction;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same steps run on each provider, again and again. */
class StepProgramTest {
    private static final NodeId IN = NodeId.of(0);
    private static final NodeId SQUARES = NodeId.of(1);
    private static final NodeId OUT = NodeId.of(2);

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "wgpu"})
    void run_eachTime_computesWhatWasWritten(String provider) {
        List<Long> shape = List.of(3L);
        Expression x = Expression.floats(IN, shape);
        List<KernelStep> steps = List.of(
                new Elementwise(SQUARES, shape, x.times(x)),
                new Reduce(OUT, SQUARES, Reduction.SUM, shape, List.of(0L)));
        MemoryPlan plan = new MemoryPlan(
                1536,
                Map.of(IN, new BufferSlot(0, 12), SQUARES, new BufferSlot(512, 12), OUT, new BufferSlot(1024, 4)),
                List.of(IN, SQUARES, OUT));
        float[] in = new float[3];
        float[] out = new float[1];
        Batch writes = Batch.builder()
                .elements(IN, DType.F32, MemorySegment.ofArray(in))
                .build();
        Batch reads = Batch.builder()
                .elements(OUT, DType.F32, MemorySegment.ofArray(out))
                .build();
        try (DeviceArena arena = DeviceArenas.open(plan, ArenaOptions.defaults().withProvider(provider));
                ThreadTeam team = new ThreadTeam(2)) {
            StepProgram program = new StepProgram(arena, steps, () -> new ArenaHostValues(arena, team));
            for (int i = 1; i < 4; i++) {
                in[0] = i;
                in[2] = 2;
                program.run(writes, reads);
                assertThat(out).containsExactly(i * i + 4);
            }
            assertThat(program.time()).extracting(StepTime::label).containsExactly("elementwise", "reduce");
        }
    }
}
