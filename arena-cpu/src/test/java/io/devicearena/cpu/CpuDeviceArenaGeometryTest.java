package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.FUSED;
import static io.devicearena.cpu.TestArenas.MIDDLE;
import static io.devicearena.cpu.TestArenas.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuDeviceArenaGeometryTest {
    @Test
    void anEmptyPlanHasOneByteThatCanBeUsed() {
        try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(0))) {
            assertThat(arena.sizeBytes()).isEqualTo(1);
            assertThat(arena.scratchOffset()).isZero();
            assertThat(arena.scratchBytes()).isZero();
            arena.writeBytes(0, MemorySegment.ofArray(new byte[] {7}));
            assertThat(TestArenas.bytesOf(arena)).containsExactly(7);
        }
    }

    @ParameterizedTest(name = "plan {0} and scratch {1}: scratch {2}, arena {3}")
    @CsvSource({"0,0,0,1", "0,1,16,16", "1,0,0,1", "5,1,16,21", "96,15,16,112", "96,16,16,112", "96,17,32,128"})
    void scratchIsRoundedUpTo16AndFollowsThePlan(long plan, long asked, long scratch, long size) {
        try (DeviceArena arena = TestArenas.open(
                TestArenas.withoutSlots(plan), TestArenas.options().withScratchBytes(asked))) {
            assertThat(arena.scratchOffset()).isEqualTo(plan);
            assertThat(arena.scratchBytes()).isEqualTo(scratch);
            assertThat(arena.sizeBytes()).isEqualTo(size);
            assertThat(TestArenas.bytesOf(arena)).hasSize((int) size).containsOnly(0);
        }
    }

    @Test
    void scratchIsMemoryOfItsOwnAtTheEnd() {
        try (DeviceArena arena =
                TestArenas.open(TestArenas.threeSlots(), TestArenas.options().withScratchBytes(20))) {
            arena.writeBytes(arena.scratchOffset(), MemorySegment.ofArray(TestArenas.filled(32)));
            assertThat(arena.readOutputF32(TestArenas.RIGHT, DType.F32, 8)).containsOnly(0f);
            byte[] all = TestArenas.bytesOf(arena);
            assertThat(all).startsWith(new byte[96]).endsWith(TestArenas.filled(32));
        }
    }

    @Test
    void freshMemoryIsZeroThoughTheLastOwnerLeftItDirty() {
        for (int round = 0; round < 20; round++) {
            try (DeviceArena arena = TestArenas.open(TestArenas.withoutSlots(100_000))) {
                assertThat(TestArenas.bytesOf(arena)).containsOnly(0);
                arena.writeBytes(0, MemorySegment.ofArray(TestArenas.filled(100_000)));
            }
        }
    }

    @Test
    void aValueWithASlotHasOffsetAndLength() {
        try (DeviceArena arena = TestArenas.open(TestArenas.threeSlots())) {
            assertThat(arena.hasBuffer(MIDDLE)).isTrue();
            assertThat(arena.byteOffset(MIDDLE)).hasValue(32);
            assertThat(arena.lengthBytes(MIDDLE)).isEqualTo(32);
        }
    }

    @Test
    void valuesFusedAwayOrUnknownHaveNeitherOffsetNorLength() {
        try (DeviceArena arena = TestArenas.open(TestArenas.threeSlots())) {
            for (NodeId id : List.of(FUSED, UNKNOWN)) {
                assertThat(arena.hasBuffer(id)).isFalse();
                assertThat(arena.byteOffset(id)).isEmpty();
                assertThat(arena.lengthBytes(id)).isZero();
            }
        }
    }

    @Test
    void aSlotOfZeroBytesIsABufferThatHoldsNothing() {
        MemoryPlan plan = new MemoryPlan(16, Map.of(MIDDLE, new BufferSlot(16, 0)), List.of(MIDDLE));
        try (DeviceArena arena = TestArenas.open(plan)) {
            assertThat(arena.hasBuffer(MIDDLE)).isTrue();
            assertThat(arena.byteOffset(MIDDLE)).hasValue(16);
            assertThat(arena.writeInputF32(MIDDLE, DType.F32, new float[] {1, 2}))
                    .isZero();
            assertThat(arena.readOutputF32(MIDDLE, DType.F32, 2)).isEmpty();
            assertThat(TestArenas.bytesOf(arena)).containsOnly(0);
        }
    }

    @Test
    void theArenaTellsItsPlanAndDevice() {
        MemoryPlan plan = TestArenas.threeSlots();
        try (DeviceArena arena = TestArenas.open(plan)) {
            assertThat(arena.plan()).isSameAs(plan);
            assertThat(arena.device().provider()).isEqualTo("cpu");
            assertThat(arena.device().capabilities()).containsExactly(Capability.HOST_MEMORY);
            assertThat(arena).hasToString("device arena 'test' of 96 bytes on 'host memory'");
        }
    }

    @Test
    void hostMemoryIsTheArenaItselfInBothDirections() {
        try (DeviceArena arena = TestArenas.open(TestArenas.threeSlots())) {
            MemorySegment memory = arena.hostMemory();
            assertThat(memory.byteSize()).isEqualTo(arena.sizeBytes());
            assertThat(memory.address() % 64).isZero();
            arena.writeBytes(3, MemorySegment.ofArray(new byte[] {1, 2, 3}));
            memory.asSlice(6, 2).fill((byte) 9);
            assertThat(memory.asSlice(2, 5).toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
                    .containsExactly(0, 1, 2, 3, 9);
            assertThat(TestArenas.bytesOf(arena)).startsWith(0, 0, 0, 1, 2, 3, 9, 9, 0);
        }
    }
}
