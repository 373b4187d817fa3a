package io.devicearena.diagnostics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values that are no floats: what a step leaves out of them is found, and no bytes that it writes are. */
@Tag("slow")
class CheckedIntegersTest {
    private static final int N = 64;
    private static final NodeId X = NodeId.of(1);
    private static final NodeId W = NodeId.of(2);
    private static final NodeId ROWS = NodeId.of(3);
    private static final NodeId A = NodeId.of(4);
    private static final NodeId Y = NodeId.of(5);
    private static final long SLOT = 8L * N;

    private static DeviceArena open(DType dtype) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (NodeId id : List.of(X, W, ROWS, A, Y)) {
            long place = id.equals(ROWS) ? W.value() : id.value();
            NodeRole role = id.equals(X)
                    ? NodeRole.INPUT
                    : id.equals(W) ? NodeRole.PARAMETER : id.equals(Y) ? NodeRole.OUTPUT : NodeRole.OP;
            slots.put(id, new BufferSlot((place - 1) * SLOT, SLOT));
            values.put(
                    id,
                    new PlanValue(
                            "", role, dtype, List.of((long) N), id.equals(ROWS) ? Optional.of(W) : Optional.empty()));
        }
        MemoryPlan plan = new MemoryPlan(5 * SLOT, slots, List.copyOf(slots.keySet()), values);
        return TestProvider.open(plan, ArenaOptions.defaults().withChecks());
    }

    private static void fill(DeviceArena arena, NodeId id, byte[] bytes) {
        MemorySegment.copy(
                MemorySegment.ofArray(bytes),
                0,
                arena.unwrap(MemorySegment.class).orElseThrow(),
                arena.byteOffset(id).orElseThrow(),
                bytes.length);
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"I8", "U8", "BOOL", "I16", "U16", "I32", "U32", "I64"})
    void aStepThatWritesNothingIsFound_inEachRun(DType dtype) {
        byte[] ones = new byte[N * dtype.bytes()];
        try (DeviceArena arena = open(dtype)) {
            arena.writeValueBytes(X, 0, MemorySegment.ofArray(ones));
            for (int run = 0; run < 2; run++) {
                HostSteps.run(arena, "a", List.of(X), List.of(A), () -> {});
                assertThatThrownBy(() -> HostSteps.run(arena, "y", List.of(A), List.of(Y), () -> {}))
                        .isInstanceOf(ExecutionCheckException.class)
                        .hasMessage(
                                "step 'y': expected node 4 to be written whole, got no write of its element 0 by step"
                                        + " 'a'; write all elements, or set its actual length with setActualLength");
                HostSteps.run(arena, "a", List.of(X), List.of(A), () -> fill(arena, A, ones));
                HostSteps.run(arena, "y", List.of(A), List.of(Y), () -> {});
                assertThatThrownBy(() -> arena.readValueBytes(Y, 0, MemorySegment.ofArray(ones)))
                        .isInstanceOf(ExecutionCheckException.class)
                        .hasMessageStartingWith(
                                "read: expected node 5 to be written whole, got no write of its element 0");
            }
        }
    }

    @Test
    void theFirstElementThatIsLeftOutIsNamed() {
        try (DeviceArena arena = open(DType.I32)) {
            arena.writeValueBytes(X, 0, MemorySegment.ofArray(new int[N]));
            HostSteps.run(arena, "a", List.of(X), List.of(A), () -> fill(arena, A, new byte[4 * (N - 1)]));
            assertThatThrownBy(() -> HostSteps.run(arena, "y", List.of(A), List.of(Y), () -> {}))
                    .hasMessageStartingWith(
                            "step 'y': expected node 4 to be written whole, got no write of its element 63");
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = DType.class,
            names = {"I8", "U8", "BOOL", "I16", "U16", "I32", "U32", "I64"})
    void bytesOfAnyKindPass(DType dtype) {
        SplittableRandom random = new SplittableRandom(7);
        byte[] bytes = new byte[N * dtype.bytes()];
        try (DeviceArena arena = open(dtype)) {
            for (int run = 0; run < 300; run++) {
                if (run < 256) {
                    MemorySegment.ofArray(bytes).fill((byte) run);
                } else {
                    random.nextBytes(bytes);
                }
                arena.writeValueBytes(X, 0, MemorySegment.ofArray(bytes));
                HostSteps.run(arena, "a", List.of(X), List.of(A), () -> fill(arena, A, bytes));
                HostSteps.run(arena, "y", List.of(A), List.of(Y), () -> fill(arena, Y, bytes));
                byte[] read = new byte[bytes.length];
                arena.readValueBytes(Y, 0, MemorySegment.ofArray(read));
                assertThat(read).isEqualTo(bytes);
            }
        }
    }

    @Test
    void aStepLoadsAParameterOnce_andWritesNoViewOfItLater() {
        byte[] bytes = new byte[4 * N];
        try (DeviceArena arena = open(DType.I32)) {
            HostSteps.run(arena, "unpack", List.of(), List.of(W), () -> fill(arena, W, bytes));
            HostSteps.run(arena, "unpack", List.of(), List.of(W), () -> fill(arena, W, bytes));
            HostSteps.run(arena, "a", List.of(W), List.of(A), () -> fill(arena, A, bytes));
            assertThatThrownBy(() -> HostSteps.run(arena, "rows", List.of(), List.of(ROWS), () -> {}))
                    .isInstanceOf(ExecutionCheckException.class)
                    .hasMessage(
                            "step 'rows': expected to write no parameter that is loaded, got node 3; plan what steps"
                                    + " change as a state");
        }
    }
}
