package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes from host memory that the device copies from itself. */
class HostUploadTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final int SIZE = (9 << 20) + 13;

    private final SplittableRandom random = new SplittableRandom(24);

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private static void fill(HostMemory host, long position, byte[] bytes) {
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, host.segment(), position, bytes.length);
    }

    private static void assertHolds(DeviceArena arena, byte[] model) {
        assertThat(arena.<Long>withBytes(0, model.length, MemorySegment.ofArray(model)::mismatch))
                .isEqualTo(-1);
    }

    @ParameterizedTest(name = "{0} bytes")
    @ValueSource(ints = {1, 65_536, 65_537, 65_543, 1_048_573, 8_388_609})
    void sourceOfAnyPlaceAndLength_arrivesAndLeavesItsNeighbours(int length) {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, SIZE));
                HostMemory host = arena.allocateHost(SIZE)) {
            assertThat(host.segment().byteSize()).isEqualTo(SIZE);
            assertThat(MemorySegment.ofArray(new byte[SIZE]).mismatch(host.segment()))
                    .isEqualTo(-1);
            byte[] model = bytes(SIZE);
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (int position = 0; position < 4; position++) {
                for (int offset : new int[] {position, position + 4, position + 1, SIZE - length}) {
                    byte[] data = bytes(length);
                    fill(host, position, data);
                    arena.writeBytes(offset, host.segment().asSlice(position, length));
                    System.arraycopy(data, 0, model, offset, length);
                    host.segment().fill((byte) 0xAA); // the caller has it again
                }
            }
            assertHolds(arena, model);
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(F16ShadowMode.class)
    void floats_withAndWithoutMirror_areThoseOfAnArray(F16ShadowMode mode) {
        ArenaOptions options = ArenaOptions.defaults().withF16Shadow(mode);
        try (DeviceArena own = TestArenas.open(TestArenas.plan(0, 4_000_008), options);
                DeviceArena usual = TestArenas.open(TestArenas.plan(0, 4_000_008), options);
                HostMemory host = own.allocateHost(4_000_008)) {
            for (int elements : new int[] {1_000_002, 1_000_001, 70_001, 70_000}) {
                float[] data = new float[elements];
                for (int i = 0; i < elements; i++) {
                    data[i] = (float) random.nextDouble(-70_000, 70_000);
                }
                MemorySegment floats = host.segment().asSlice(0, elements * 4L);
                MemorySegment.copy(data, 0, floats, ValueLayout.JAVA_FLOAT, 0, elements);
                for (DType dtype : new DType[] {DType.F32, DType.F16}) {
                    assertThat(own.writeInputF32(FIRST, dtype, floats)).isEqualTo(elements);
                    assertThat(usual.writeInputF32(FIRST, dtype, data)).isEqualTo(elements);
                    assertSame(own, usual);
                    if (mode != F16ShadowMode.OFF) {
                        assertThat(shadow(own).isStale(FIRST))
                                .isEqualTo(shadow(usual).isStale(FIRST));
                        byte[] mirror = new byte[2_000_004];
                        shadow(usual).readBytes(0, MemorySegment.ofArray(mirror));
                        byte[] read = new byte[2_000_004];
                        shadow(own).readBytes(0, MemorySegment.ofArray(read));
                        assertThat(Arrays.mismatch(read, mirror)).isEqualTo(-1);
                    }
                }
            }
        }
    }

    private static void assertSame(DeviceArena own, DeviceArena usual) {
        byte[] expected = new byte[(int) usual.sizeBytes()];
        usual.readBytes(0, MemorySegment.ofArray(expected));
        assertHolds(own, expected);
    }

    @Test
    void deferredWrites_areSeenAtOnce_andTheirFenceSaysWhenTheSourceIsFree() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, SIZE));
                HostMemory host = arena.allocateHost(SIZE)) {
            byte[] model = new byte[SIZE];
            for (int round = 0; round < 5; round++) {
                byte[] data = bytes(4 << 20);
                fill(host, 0, data);
                byte[] other = bytes(100_000);
                Transfer fence = arena.beginWrite(Batch.builder()
                        .bytes(round * 8L, host.segment().asSlice(0, 1 << 20))
                        .bytes((4L << 20) + round * 8L, host.segment().asSlice(0, data.length))
                        .bytes(3 << 20, MemorySegment.ofArray(other))
                        .build());
                System.arraycopy(data, 0, model, round * 8, 1 << 20);
                System.arraycopy(data, 0, model, (4 << 20) + round * 8, data.length);
                System.arraycopy(other, 0, model, 3 << 20, other.length);
                assertHolds(arena, model);
                fence.await();
                assertThat(fence.state()).isEqualTo(Transfer.State.DONE);
                assertThat(fence.await(Duration.ZERO)).isTrue();
                host.segment().fill((byte) round);
                assertHolds(arena, model);
            }
        }
    }

    @Test
    void memoryOfOneArena_servesTheOthersOfItsDevice_untilItIsClosed() {
        byte[] data = bytes(1 << 20);
        DeviceArena first = TestArenas.open(TestArenas.plan(0, 1 << 20));
        try (DeviceArena second = TestArenas.open(TestArenas.plan(0, 1 << 20))) {
            HostMemory host = first.allocateHost(1 << 20);
            fill(host, 0, data);
            second.writeBytes(0, host.segment());
            assertHolds(second, data);
            MemorySegment segment = host.segment();
            Transfer fence = first.beginWrite(Batch.builder().bytes(0, segment).build());
            first.close();
            assertThat(fence.state()).isNotEqualTo(Transfer.State.PENDING);
            assertThat(host.isOpen()).isFalse();
            assertThatThrownBy(host::segment).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> second.writeBytes(0, segment)).isInstanceOf(IllegalStateException.class);
            second.readBytes(0, MemorySegment.ofArray(data));
        }
    }

    @Test
    void moreThanABufferOfTheDevice_isRefused() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 4))) {
            assertThatThrownBy(() -> arena.allocateHost(Long.MAX_VALUE))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching("bytes: expected at most \\d+, the maxBufferSize of the device, got "
                            + Long.MAX_VALUE + "; allocate several");
        }
    }

    @Test
    void copiesAndFills_alsoOfWholeWords_areThoseOfAnArray() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, SIZE))) {
            byte[] model = bytes(SIZE);
            arena.writeBytes(0, MemorySegment.ofArray(model));
            int[][] copies = {{0, 4 << 20, 5 << 20}, {8 << 20, 4, 1 << 20}, {4, 8, 8 << 20}, {5, 8, 70_000}};
            for (int[] copy : copies) {
                arena.copyBytes(copy[0], copy[1], copy[2]);
                System.arraycopy(model, copy[0], model, copy[1], copy[2]);
            }
            arena.fillBytes(3, 1 << 20, (byte) 9);
            Arrays.fill(model, 3, 3 + (1 << 20), (byte) 9);
            assertHolds(arena, model);
        }
    }
}
