package io.devicearena.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.ViewOf;
import io.devicearena.plan.validation.PlanValidator;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Elements of every type, through views and concatenations, in an arena that was planned in each of three ways. */
class PlannedElementsTest {
    private static final ArenaOptions CPU = ArenaOptions.defaults().withProvider("cpu");
    private static final List<NodeId> IDS =
            Stream.of(0, 1, 2, 3, 4).map(NodeId::of).toList();
    private static final int PART = 64;

    private record Node(
            NodeId id,
            NodeRole role,
            DType dtype,
            long elements,
            List<NodeId> inputs,
            Optional<ViewOf> view,
            boolean isConcatenation)
            implements PlanNode {
        private static Node of(int id, NodeRole role, DType dtype, long elements, NodeId... inputs) {
            return new Node(IDS.get(id), role, dtype, elements, List.of(inputs), Optional.empty(), false);
        }

        private Node joining() {
            return new Node(id, role, dtype, elements, inputs, view, true);
        }

        private Node showing(NodeId parent, long first) {
            return new Node(id, role, dtype, elements, inputs, Optional.of(new ViewOf(parent, first)), false);
        }
    }

    /** Two parts, what they make together, a view of that across both, and a view of the view. */
    private static PlanGraph graph(DType dtype) {
        return () -> List.of(
                Node.of(0, NodeRole.OP, dtype, PART),
                Node.of(1, NodeRole.OP, dtype, PART),
                Node.of(2, NodeRole.OUTPUT, dtype, 2 * PART, IDS.get(0), IDS.get(1))
                        .joining(),
                Node.of(3, NodeRole.OUTPUT, dtype, 70, IDS.get(2)).showing(IDS.get(2), 33),
                Node.of(4, NodeRole.OUTPUT, dtype, 9, IDS.get(3)).showing(IDS.get(3), 27));
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(DType.class)
    void elements_ofAnyType_areRightInEveryPlan(DType declared) {
        PlanOptions uniform = PlanOptions.f32Uniform(16);
        for (PlanOptions options :
                List.of(uniform, uniform.withDeclaredTypes(), PlanOptions.forDevice(DeviceArenas.choose(CPU)))) {
            PlanGraph graph = graph(declared);
            PlanResult planned = MemoryPlanner.plan(graph, options);
            PlanValidator.validate(planned.plan(), graph, options);
            DType dtype = options.storedType(declared);
            byte[] written = new byte[2 * PART * dtype.bytes()];
            new SplittableRandom(1).nextBytes(written);
            try (DeviceArena arena = DeviceArenas.open(planned.plan(), CPU)) {
                int half = written.length / 2;
                arena.writeValueBytes(IDS.get(0), 0, MemorySegment.ofArray(Arrays.copyOf(written, half)));
                arena.writeValueBytes(
                        IDS.get(1), 0, MemorySegment.ofArray(Arrays.copyOfRange(written, half, 2 * half)));
                if (planned.aliases().stream().map(SlotAlias::value).toList().containsAll(IDS.subList(0, 2))) {
                    assertThat(read(arena, 2, dtype, 2 * PART)).isEqualTo(written);
                } else {
                    arena.writeValueBytes(IDS.get(2), 0, MemorySegment.ofArray(written));
                }
                assertThat(read(arena, 3, dtype, 70)).isEqualTo(elements(written, dtype, 33, 103));
                assertThat(read(arena, 4, dtype, 9)).isEqualTo(elements(written, dtype, 60, 69));
            }
        }
    }

    private static byte[] elements(byte[] bytes, DType dtype, int from, int to) {
        return Arrays.copyOfRange(bytes, from * dtype.bytes(), to * dtype.bytes());
    }

    private static byte[] read(DeviceArena arena, int id, DType dtype, int elements) {
        byte[] bytes = new byte[elements * dtype.bytes()];
        arena.readValueBytes(IDS.get(id), 0, MemorySegment.ofArray(bytes));
        return bytes;
    }
}
