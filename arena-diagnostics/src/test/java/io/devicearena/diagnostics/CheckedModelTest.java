package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.ExecutionCheckException;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checks of a model with weights that are far larger than what a step reaches. */
@Tag("slow")
class CheckedModelTest {
    private static final int LAYERS = 8;
    private static final int N = 16;
    private static final long WEIGHT_BYTES = 1 << 20;
    private static final NodeId X = NodeId.of(100);
    /** An op behind the output. */
    private static final NodeId TAIL = NodeId.of(101);

    private static final int FAR = 6;

    private final DeviceArena arena =
            TestProvider.open(plan(), ArenaOptions.defaults().withChecks());
    private final MemorySegment memory = arena.unwrap(MemorySegment.class).orElseThrow();
    /** Whether the engine has written the weights of the last layer, in its first run and without a call. */
    private boolean isLoaded;
    /** What a step does beside its work, by its layer. */
    private final Map<Integer, Runnable> mistakes = new LinkedHashMap<>();

    private static NodeId weight(int layer) {
        return NodeId.of(layer);
    }

    private static NodeId made(int layer) {
        return layer < 0 ? X : NodeId.of(50L + layer);
    }

    private static MemoryPlan plan() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (int i = 0; i < LAYERS; i++) {
            slots.put(weight(i), new BufferSlot(i * WEIGHT_BYTES, WEIGHT_BYTES));
            values.put(
                    weight(i),
                    new PlanValue("w" + i, NodeRole.PARAMETER, DType.F32, List.of(WEIGHT_BYTES / 4), Optional.empty()));
        }
        long end = LAYERS * WEIGHT_BYTES;
        slots.put(X, new BufferSlot(end, 64));
        values.put(X, new PlanValue("x", NodeRole.INPUT, DType.F32, List.of((long) N), Optional.empty()));
        for (int i = 0; i <= LAYERS; i++) {
            NodeId id = i == LAYERS ? TAIL : made(i);
            NodeRole role = i == LAYERS - 1 ? NodeRole.OUTPUT : NodeRole.OP;
            slots.put(id, new BufferSlot(end + 64 + i % 2 * 64L, 64));
            values.put(id, new PlanValue("h" + i, role, DType.F32, List.of((long) N), Optional.empty()));
        }
        return new MemoryPlan(end + 192, slots, List.copyOf(slots.keySet()), values);
    }

    private float at(NodeId id, int i) {
        return memory.get(ValueLayout.JAVA_FLOAT, arena.byteOffset(id).orElseThrow() + 4L * i);
    }

    private void set(NodeId id, int i, float number) {
        memory.set(ValueLayout.JAVA_FLOAT, arena.byteOffset(id).orElseThrow() + 4L * i, number);
    }

    private void layer(int i) {
        NodeId made = i == LAYERS ? TAIL : made(i);
        List<NodeId> reads = new ArrayList<>(List.of(made(i - 1)));
        if (i < LAYERS) {
            reads.add(weight(i));
        }
        HostSteps.run(arena, "layer " + i, reads, List.of(made), () -> {
            for (int j = 0; j < N; j++) {
                set(made, j, at(made(i - 1), j) + (i < LAYERS ? at(weight(i), j) : 0));
            }
            mistakes.getOrDefault(i, () -> {}).run();
        });
    }

    private void run() {
        arena.writeInputF32(X, DType.F32, new float[N]);
        for (int i = 0; i <= LAYERS; i++) {
            if (i == LAYERS / 2 && !isLoaded) {
                memory.asSlice((LAYERS - 1) * WEIGHT_BYTES, WEIGHT_BYTES).fill((byte) 0);
                isLoaded = true;
            }
            layer(i);
        }
    }

    @BeforeEach
    void load() {
        for (int i = 0; i < LAYERS - 1; i++) {
            arena.writeInputF32(weight(i), DType.F32, new float[(int) WEIGHT_BYTES / 4]);
        }
    }

    @AfterEach
    void close() {
        arena.close();
    }

    private static ExecutionCheckException finding(ThrowingCallable call) {
        return catchThrowableOfType(ExecutionCheckException.class, call);
    }

    @Test
    void aRunReadsTheWeightsTwice_andForEachStepWhatItReaches() {
        run();
        LongAdder read = arena.unwrap(LongAdder.class).orElseThrow();
        read.reset();
        run();
        long reached = WEIGHT_BYTES + 2 * 5 * (1 << 16); // a weight, and pages around it and the activations
        assertThat(read.sum()).isLessThan(2 * LAYERS * WEIGHT_BYTES + 2 * (LAYERS + 1) * (reached + (1 << 16)));
    }

    @Test
    void aChangeOfAFarWeight_isFoundWhereItIsRead_andNamedInTheNextRun() {
        run();
        mistakes.put(2, () -> set(weight(FAR), 100, 7));
        ExecutionCheckException found = finding(this::run);
        assertThat(found)
                .hasMessage("step 'layer 5': expected node 6 'w6' to keep its bytes in this run, got a change at byte "
                        + (FAR * WEIGHT_BYTES + 402)
                        + " by a step that does not name it; run again to have that step named: the bytes are put back,"
                        + " and each step is now compared with the whole plan; a write of your own goes"
                        + " through the arena");
        assertThat(found.value()).hasValue(weight(FAR));
        assertThat(finding(this::run))
                .hasMessage("step 'layer 2': expected to change only node 52 'h2' (bytes 8388672 to 8388736), got a"
                        + " change at byte " + (FAR * WEIGHT_BYTES + 402)
                        + ", of node 6 'w6'; correct offset, size or workgroups, or name the value among those that the"
                        + " step writes");
    }

    @Test
    void aChangeOfAFarWeight_thatNoLaterStepReads_isFoundAtTheEndOfTheRun() {
        for (int runs = 0; runs < 3; runs++) {
            run();
        }
        mistakes.put(4, () -> set(weight(0), 100, 7));
        assertThat(finding(this::run)).hasMessageStartingWith("step 'layer 8': expected node 0 'w0' to keep its bytes");
        assertThat(finding(this::run)).hasMessageStartingWith("step 'layer 4': expected to change only node 54 'h4'");
    }

    @Test
    void aChangeBesideWhatAStepNames_isNamedAtOnce() {
        run();
        mistakes.put(3, () -> set(weight(4), 100, 7));
        assertThat(finding(this::run)).hasMessageStartingWith("step 'layer 3': expected to change only node 53 'h3'");
    }

    @Test
    void anEngineMayWriteWeightsItself_betweenRuns_andInARunIfItSaysSo() {
        for (int runs = 0; runs < 3; runs++) {
            set(weight(FAR), 100, runs);
            run();
        }
        mistakes.put(2, () -> arena.writeInputF32(weight(FAR), DType.F32, new float[N]));
        run();
    }
}
