package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.validation.PlanValidator;
import io.devicearena.spi.OpenArena;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A family with separate weights, from its graphs to arenas of a provider: two executables use one copy. */
class SeparateWeightsTest {
    private static final NodeId WEIGHT = NodeId.of(1);
    private static final NodeId TOTAL = NodeId.of(2);
    private static final NodeId INPUT = NodeId.of(3);
    private static final NodeId OUTPUT = NodeId.of(4);
    private static final int WIDTH = 64;
    private static final ArenaOptions CPU = ArenaOptions.defaults().withProvider("cpu");

    private record Node(NodeId id, NodeRole role, long elements, List<NodeId> inputs) implements PlanNode {
        @Override
        public DType dtype() {
            return DType.F32;
        }
    }

    /** Multiplies rows with the weight, and keeps the total of all runs. */
    private static PlanGraph graph(long rows) {
        return () -> List.of(
                new Node(WEIGHT, NodeRole.PARAMETER, WIDTH, List.of()),
                new Node(TOTAL, NodeRole.STATE, 1, List.of()),
                new Node(INPUT, NodeRole.INPUT, rows * WIDTH, List.of()),
                new Node(OUTPUT, NodeRole.OUTPUT, rows, List.of(INPUT, WEIGHT)));
    }

    private static void run(DeviceArena arena, int rows, float value) {
        float[] input = new float[rows * WIDTH];
        Arrays.fill(input, value);
        arena.writeInputF32(INPUT, DType.F32, input);
        float[] read = arena.readOutputF32(INPUT, DType.F32, input.length);
        OpenArena weights =
                arena.unwrap(OpenArena.class).flatMap(OpenArena::weightsInFront).orElseThrow();
        float[] weight = weights.arena().readOutputF32(WEIGHT, DType.F32, WIDTH);
        float[] output = new float[rows];
        for (int i = 0; i < read.length; i++) {
            output[i / WIDTH] += read[i] * weight[i % WIDTH];
        }
        arena.writeInputF32(OUTPUT, DType.F32, output);
        float total = arena.readOutputF32(TOTAL, DType.F32, 1)[0];
        arena.writeInputF32(TOTAL, DType.F32, new float[] {total + output[0]});
    }

    @Test
    void twoExecutables_haveActivationsAndStatesOfTheirOwn_andOneCopyOfTheWeights() {
        Map<String, PlanGraph> graphs = new LinkedHashMap<>(Map.of("one row", graph(1), "eight rows", graph(8)));
        FamilyPlan family = FamilyPlan.of(
                graphs, PlanOptions.forDevice(DeviceArenas.choose(CPU)).withSeparateWeights());
        PlanValidator.validate(family, graphs);
        assertThat(family.weights().arenaSize()).isGreaterThanOrEqualTo(WIDTH * Float.BYTES);
        assertThat(family.shared().slots()).containsOnlyKeys(TOTAL);

        DeviceArena weights = DeviceArenas.open(family.weights(), CPU);
        float[] ones = new float[WIDTH];
        Arrays.fill(ones, 1);
        weights.writeInputF32(WEIGHT, DType.F32, ones);
        try (DeviceArena first = DeviceArenas.open(family.shared(), CPU.withWeights(weights));
                DeviceArena second = DeviceArenas.open(family.plan("one row"), CPU.withWeights(weights));
                DeviceArena one = first.view(family.plan("one row"));
                DeviceArena eight = first.view(family.plan("eight rows"))) {
            weights.close(); // the arenas that use it keep its memory
            IntStream.of(0, 1).parallel().forEach(executable -> {
                for (int i = 1; i <= 20; i++) {
                    if (executable == 0) {
                        run(one, 1, i);
                        run(eight, 8, i);
                    } else {
                        run(second, 1, 2 * i);
                    }
                }
            });

            assertThat(eight.readOutputF32(OUTPUT, DType.F32, 8)).containsOnly(20 * WIDTH);
            assertThat(second.readOutputF32(OUTPUT, DType.F32, 1)).containsExactly(40 * WIDTH);
            assertThat(one.readOutputF32(TOTAL, DType.F32, 1)).containsExactly(2 * 210 * WIDTH);
            assertThat(second.readOutputF32(TOTAL, DType.F32, 1)).containsExactly(2 * 210 * WIDTH);
            assertThat(second.sizeBytes()).isLessThan(first.sizeBytes());
            assertThat(one.hasBuffer(WEIGHT)).isFalse();
            assertThatThrownBy(() -> one.writeInputF32(WEIGHT, DType.F32, ones))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("node 1");
        }
    }
}
