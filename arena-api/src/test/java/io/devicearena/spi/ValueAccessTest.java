package io.devicearena.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.testing.ByteArrayBackend;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Access to values whose type and shape the plan knows. */
class ValueAccessTest {
    private static final NodeId TABLE = NodeId.of(0);
    private static final NodeId NEIGHBOUR = NodeId.of(1);
    private static final NodeId FLOATS = NodeId.of(2);

    private static PlanValue value(String name, DType dtype, long elements) {
        return new PlanValue(name, NodeRole.PARAMETER, dtype, List.of(elements), Optional.empty());
    }

    private static DeviceArena arena(DType dtype, ArenaOptions options) {
        MemoryPlan plan = new MemoryPlan(
                320,
                Map.of(
                        TABLE,
                        new BufferSlot(0, 64),
                        NEIGHBOUR,
                        new BufferSlot(64, 192),
                        FLOATS,
                        new BufferSlot(256, 64)),
                List.of(),
                Map.of(TABLE, value("table", dtype, 5), FLOATS, value("floats", DType.F32, 10)));
        return ByteArrayBackend.open(plan, options, () -> {});
    }

    private static DeviceArena arena(DType dtype) {
        return arena(dtype, ArenaOptions.defaults());
    }

    private static MemorySegment counting(long bytes) {
        byte[] data = new byte[Math.toIntExact(bytes)];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i + 1);
        }
        return MemorySegment.ofArray(data);
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void elementsOfEveryTypeComeBackAsTheyWere_andNoMoreThanTheValueHas(DType dtype) {
        try (DeviceArena arena = arena(dtype)) {
            MemorySegment data = counting(5L * dtype.bytes());
            MemorySegment read = MemorySegment.ofArray(new byte[64]);

            arena.writeBatch(Batch.builder().elements(TABLE, dtype, data).build());

            assertThat(arena.lengthBytes(TABLE)).isEqualTo(5L * dtype.bytes());
            assertThat(arena.readBatch(
                            Batch.builder().elements(TABLE, dtype, read).build()))
                    .isEqualTo(5);
            assertThat(read.asSlice(0, data.byteSize()).mismatch(data)).isEqualTo(-1);
            assertThat(read.asSlice(data.byteSize()).toArray(ValueLayout.JAVA_BYTE))
                    .containsOnly(0);
        }
    }

    @Test
    void floatsAreCutToTheElements_notToTheSlot() {
        try (DeviceArena arena = arena(DType.I8)) {
            float[] data = new float[16];
            Arrays.fill(data, 7);

            assertThat(arena.writeInputF32(FLOATS, DType.F32, data)).isEqualTo(10);
            assertThat(arena.readOutputF32(FLOATS, DType.F32, 16)).hasSize(10).containsOnly(7);
            arena.setActualLength(FLOATS, 64);
            assertThat(arena.readOutputF32(FLOATS, DType.F32, 16)).hasSize(16).endsWith(0, 0, 0, 0, 0, 0);
        }
    }

    @Test
    void moreThanTheValueHoldsIsRefused_andTheNeighbourStays() {
        try (DeviceArena arena = arena(DType.I64)) {
            arena.writeValueBytes(NEIGHBOUR, 0, counting(192));

            Batch tooLong =
                    Batch.builder().elements(TABLE, DType.I64, counting(48)).build();
            assertThatThrownBy(() -> arena.writeBatch(tooLong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "node 0 'table': expected a part within its 40 bytes, got 48 bytes from byte 0; plan the"
                                    + " value with more elements");
            assertThatThrownBy(() -> arena.writeValueBytes(TABLE, 60, counting(8)))
                    .hasMessage(
                            "node 0 'table': expected a part within its 64 bytes, got 8 bytes from byte 60; plan the"
                                    + " value with more elements");
            assertThatThrownBy(() -> arena.readValueBytes(TABLE, -1, counting(1)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Batch.builder().elements(TABLE, DType.I64, counting(12)))
                    .hasMessage("memory: expected a multiple of 8 bytes, got 12; pass whole elements");
            byte[] all = new byte[320];
            arena.readBytes(0, MemorySegment.ofArray(all));
            assertThat(Arrays.copyOf(all, 64)).containsOnly(0);
            assertThat(all[64]).isEqualTo((byte) 1);
        }
    }

    @Test
    void anotherTypeThanThatOfThePlanIsRefused_byEveryWay() {
        try (DeviceArena arena = arena(DType.I32)) {
            String message = "node 2 'floats': expected access as f32, its type in the plan, got f16; pass f32, or open"
                    + " the arena with ArenaOptions.withReinterpretation";
            float[] floats = new float[4];
            MemorySegment segment = MemorySegment.ofArray(floats);

            assertThatThrownBy(() -> arena.writeInputF32(FLOATS, DType.F16, floats))
                    .hasMessage(message);
            assertThatThrownBy(() -> arena.writeInputF32(FLOATS, DType.F16, segment))
                    .hasMessage(message);
            assertThatThrownBy(() -> arena.readOutputF32(FLOATS, DType.F16, 4)).hasMessage(message);
            assertThatThrownBy(() -> arena.readOutputF32(FLOATS, DType.F16, floats))
                    .hasMessage(message);
            assertThatThrownBy(() -> arena.readOutputF32(FLOATS, DType.F16, segment))
                    .hasMessage(message);
            Batch reads = Batch.builder().elements(FLOATS, DType.F16, segment).build();
            assertThatThrownBy(() -> arena.readBatch(reads)).hasMessage(message);
            assertThatThrownBy(() -> arena.beginRead(reads)).hasMessage(message);
            Batch writes = Batch.builder()
                    .elements(TABLE, DType.I32, counting(8))
                    .floats(FLOATS, DType.F16, floats)
                    .build();
            assertThatThrownBy(() -> arena.writeBatch(writes)).hasMessage(message);
            byte[] table = new byte[8];
            arena.readValueBytes(TABLE, 0, MemorySegment.ofArray(table));
            assertThat(table).containsOnly(0);
        }
    }

    @Test
    void anotherTypeIsAllowed_whenTheArenaIsOpenedForIt() {
        try (DeviceArena arena = arena(DType.I32, ArenaOptions.defaults().withReinterpretation())) {
            assertThat(arena.writeInputF32(FLOATS, DType.F16, new float[] {1, 2, 3}))
                    .isEqualTo(3);
            assertThat(arena.readOutputF32(FLOATS, DType.F16, 3)).containsExactly(1, 2, 3);
        }
    }

    @Test
    void aBatchWritesInOrder_andAgainWithOtherData() {
        try (DeviceArena arena = arena(DType.I8)) {
            float[] floats = {1, 2, 3};
            Batch batch = Batch.builder()
                    .floats(FLOATS, DType.F32, floats)
                    .bytes(260, MemorySegment.ofArray(new float[] {9}))
                    .elements(TABLE, DType.I8, counting(5))
                    .bytes(0, MemorySegment.ofArray(new byte[0]))
                    .build();

            arena.writeBatch(batch);
            assertThat(arena.readOutputF32(FLOATS, DType.F32, 3)).containsExactly(1, 9, 3);
            floats[2] = 4;
            arena.writeBatch(batch);
            assertThat(arena.readOutputF32(FLOATS, DType.F32, 3)).containsExactly(1, 9, 4);
            byte[] table = new byte[5];
            Batch reads = Batch.builder()
                    .elements(TABLE, DType.I8, MemorySegment.ofArray(table))
                    .build();
            assertThat(arena.readBatch(reads)).isEqualTo(5);
            assertThat(table).containsExactly(1, 2, 3, 4, 5);
        }
    }

    @Test
    void aPartIsReadAndWritten_fromItsFirstByte() {
        try (DeviceArena arena = arena(DType.I8)) {
            arena.writeValueBytes(NEIGHBOUR, 3, counting(100));
            byte[] part = new byte[2];
            arena.readValueBytes(NEIGHBOUR, 102, MemorySegment.ofArray(part));
            assertThat(part).containsExactly(100, 0);
        }
    }
}
