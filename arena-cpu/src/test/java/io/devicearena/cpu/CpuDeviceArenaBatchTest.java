package io.devicearena.cpu;

import static io.devicearena.cpu.TestArenas.LEFT;
import static io.devicearena.cpu.TestArenas.MIDDLE;
import static io.devicearena.cpu.TestArenas.RIGHT;
import static io.devicearena.cpu.TestArenas.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.DeferredRead;
import io.devicearena.DeviceArena;
import io.devicearena.ReadBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CpuDeviceArenaBatchTest {
    private static DeviceArena openWithValues() {
        DeviceArena arena = TestArenas.open(TestArenas.threeSlots());
        arena.writeInputF32(LEFT, DType.F32, new float[] {1, 2, 3, 4, 5, 6, 7, 8});
        arena.writeInputF32(MIDDLE, DType.F16, new float[] {-1, -2});
        arena.writeInputF32(RIGHT, DType.BF16, new float[] {0.5f});
        return arena;
    }

    @Test
    void aBatchReadsEveryRegionAndCountsElementsAndBytes() {
        float[] left = new float[10];
        float[] middle = new float[2];
        float[] right = new float[1];
        byte[] raw = new byte[3];
        ReadBatch batch = ReadBatch.builder()
                .output(LEFT, DType.F32, left)
                .output(MIDDLE, DType.F16, middle)
                .output(RIGHT, DType.BF16, right)
                .bytes(93, MemorySegment.ofArray(raw))
                .build();
        raw[0] = 9;
        try (DeviceArena arena = openWithValues()) {
            arena.setActualLength(LEFT, 20);
            assertThat(arena.readBatch(batch)).isEqualTo(5 + 2 + 1 + 3);
            assertThat(left).containsExactly(1, 2, 3, 4, 5, 0, 0, 0, 0, 0);
            assertThat(middle).containsExactly(-1, -2);
            assertThat(right).containsExactly(0.5f);
            assertThat(raw).containsExactly(0, 0, 0);
        }
    }

    @Test
    void aBatchCanBeReadAgainAfterEveryStep() {
        float[] left = new float[1];
        ReadBatch batch = ReadBatch.builder().output(LEFT, DType.F32, left).build();
        try (DeviceArena arena = openWithValues()) {
            for (int step = 0; step < 10; step++) {
                arena.writeInputF32(LEFT, DType.F32, new float[] {step});
                assertThat(arena.readBatch(batch)).isEqualTo(1);
                assertThat(left).containsExactly(step);
            }
        }
    }

    @Test
    void anEmptyBatchReadsNothing() {
        ReadBatch empty = ReadBatch.builder().build();
        try (DeviceArena arena = openWithValues()) {
            assertThat(arena.readBatch(empty)).isZero();
            assertThat(arena.beginRead(empty).await()).isZero();
        }
    }

    @Test
    void emptyRegionsReadNothingEvenAtTheArenasEnd() {
        ReadBatch batch = ReadBatch.builder()
                .bytes(96, MemorySegment.ofArray(new byte[0]))
                .output(LEFT, DType.F32, new float[0])
                .build();
        try (DeviceArena arena = openWithValues()) {
            assertThat(arena.readBatch(batch)).isZero();
        }
    }

    @Test
    void aBatchWithOneBadRegionReadsNone() {
        float[] left = {77};
        try (DeviceArena arena = openWithValues()) {
            assertThatThrownBy(() -> arena.readBatch(ReadBatch.builder()
                            .output(LEFT, DType.F32, left)
                            .output(UNKNOWN, DType.F32, new float[1])
                            .build()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "node 99: expected one of the 3 values of the plan, got one it does not know; use a value"
                                    + " for which hasBuffer is true");
            ReadBatch pastTheEnd = ReadBatch.builder()
                    .output(LEFT, DType.F32, left)
                    .bytes(90, MemorySegment.ofArray(new byte[7]))
                    .build();
            assertThatThrownBy(() -> arena.readBatch(pastTheEnd))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("range: expected one within the arena of 96 bytes, got offset 90 and length 7;"
                            + " sizeBytes tells the size, plan and scratch together");
            assertThatThrownBy(() -> arena.beginRead(pastTheEnd))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("range: expected one within the arena of 96 bytes, got offset 90 and length 7;"
                            + " sizeBytes tells the size, plan and scratch together");
            assertThat(left).containsExactly(77);
        }
    }

    @Test
    void aDeferredReadHasTheValuesAsOfItsBegin() {
        float[] left = new float[8];
        ReadBatch batch = ReadBatch.builder().output(LEFT, DType.F32, left).build();
        try (DeviceArena arena = openWithValues()) {
            DeferredRead read = arena.beginRead(batch);
            arena.writeInputF32(LEFT, DType.F32, new float[8]);
            assertThat(read.await()).isEqualTo(8);
            assertThat(left).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        }
    }

    @Test
    void aDeferredReadThatIsDoneStaysDoneWhenTheArenaCloses() {
        float[] left = new float[8];
        DeviceArena arena = openWithValues();
        DeferredRead read = arena.beginRead(
                ReadBatch.builder().output(LEFT, DType.F32, left).build());
        assertThat(read.await(Duration.ofDays(1))).isTrue();
        arena.close();
        assertThat(read.state()).isEqualTo(DeferredRead.State.DONE);
        assertThat(read.cancel()).isFalse();
        assertThat(read.state()).isEqualTo(DeferredRead.State.DONE);
        assertThat(read.await()).isEqualTo(8);
        assertThat(read.toCompletableFuture()).isCompletedWithValue(8L);
        assertThat(left).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }

    @Test
    void aDeferredReadIntoConfinedMemoryIsRefusedAndABatchIsNot() {
        try (DeviceArena arena = openWithValues();
                Arena confined = Arena.ofConfined()) {
            ReadBatch batch = ReadBatch.builder()
                    .output(LEFT, DType.F32, confined.allocate(32, 4))
                    .build();
            assertThat(arena.readBatch(batch)).isEqualTo(8);
            assertThatThrownBy(() -> arena.beginRead(batch))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "destination: expected memory that any thread may access, got a segment confined to one;"
                                    + " allocate it from a shared arena or on the heap");
        }
    }

    @Test
    void aDeferredReadIntoSharedMemoryIsTaken() {
        try (DeviceArena arena = openWithValues();
                Arena shared = Arena.ofShared()) {
            MemorySegment destination = shared.allocate(32, 4);
            assertThat(arena.beginRead(ReadBatch.builder()
                                    .output(LEFT, DType.F32, destination)
                                    .build())
                            .await())
                    .isEqualTo(8);
            assertThat(destination.toArray(java.lang.foreign.ValueLayout.JAVA_FLOAT))
                    .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        }
    }
}
