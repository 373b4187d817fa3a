package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.cast.TypedCasts;
import io.devicearena.wgpu.testing.Needs;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WgpuF16ShadowTest {
    private static final NodeId A = NodeId.of(0);
    private static final NodeId B = NodeId.of(1);
    private static final NodeId C = NodeId.of(2);

    @BeforeEach
    void needsAShadow() {
        if (!TestArenas.device().capabilities().contains(Capability.F16_SHADOW)) {
            throw Needs.missing("device with shader-f16");
        }
    }

    @Test
    void aSlotAt32Of12BytesNeeds24() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 16, 32, 12))) {
            assertThat(arena.sizeBytes()).isEqualTo(44);
            F16Shadow shadow = shadow(arena);
            assertThat(shadow.sizeBytes()).isEqualTo(24);
            assertThat(shadow.byteOffset(B)).hasValue(16);
            arena.writeInputF32(B, DType.F32, new float[] {1, 2, 3});
            assertThat(halves(shadow, 16, 4))
                    .containsExactly(TypedCasts.toF16(1), TypedCasts.toF16(2), TypedCasts.toF16(3), (short) 0);
        }
    }

    @Test
    void anArenaWithoutSlotsHasAShadowOfOneByte() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan())) {
            assertThat(shadow(arena).sizeBytes()).isEqualTo(1);
        }
    }

    @Test
    void shadow_largerThanOneBinding_isCapped() {
        long binding = TestArenas.device().limits().maxBindingBytes();
        if (binding > 256L << 20) {
            throw Needs.missing("device with a binding limit as small as that of lavapipe");
        }
        long half = binding + (40L << 20);
        MemoryPlan plan = TestArenas.plan(0, 16, 2 * binding - 8, 8, 2 * binding, 16, 2 * half, 1 << 20);
        try (DeviceArena arena = TestArenas.open(plan)) {
            F16Shadow shadow = shadow(arena);
            assertThat(shadow.sizeBytes()).isEqualTo(binding);
            assertThat(shadow.fits(A)).isTrue();
            assertThat(shadow.fits(B)).isTrue();
            assertThat(shadow.fits(C)).isFalse();
            assertThat(shadow.fits(NodeId.of(3))).isFalse();
            float[] data = {1, 2, 3, 4};
            assertThat(arena.writeInputF32(C, DType.F32, data)).isEqualTo(4);
            assertThat(arena.readOutputF32(C, DType.F32, 4)).containsExactly(data);
            assertThat(shadow.isStale(C)).isFalse();
            assertThatThrownBy(() -> shadow.refresh(C))
                    .isExactlyInstanceOf(IllegalArgumentException.class)
                    .hasMessage(C + ": expected a value with a mirror in the shadow of " + binding
                            + " bytes, got one without; ask fits first");
            arena.writeInputF32(B, DType.F32, data);
            assertThat(halves(shadow, binding - 4, 2)).containsExactly(TypedCasts.toF16(1), TypedCasts.toF16(2));
            arena.writeBytes(2 * binding - 8, MemorySegment.ofArray(new float[] {5, 6}));
            assertThat(shadow.isStale(B)).isTrue();
            shadow.refresh(B);
            assertThat(halves(shadow, binding - 4, 2)).containsExactly(TypedCasts.toF16(5), TypedCasts.toF16(6));
        }
    }

    @Test
    void write_arenaOf200MiB_mirrorsUpToTheShadowsEnd() {
        long size = 200L << 20;
        int tail = 1 << 20;
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, size - tail, size - tail, tail))) {
            F16Shadow shadow = shadow(arena);
            assertThat(shadow.sizeBytes())
                    .isEqualTo(Math.min(size / 2, TestArenas.device().limits().maxBindingBytes()));
            float[] data = WgpuTransferTest.floats(new SplittableRandom(8), tail / 4);
            arena.writeInputF32(B, DType.F32, data);
            assertThat(shadow.fits(B)).isTrue();
            assertMirrors(shadow, (size - tail) / 2, data);
            arena.writeBytes(size - tail, MemorySegment.ofArray(data));
            shadow.refresh(B);
            assertMirrors(shadow, (size - tail) / 2, data);
        }
    }

    @ParameterizedTest(name = "{0} elements")
    @ValueSource(ints = {1, 2, 3, 16_383, 16_384, 16_385, 1_400_001, 5_000_003})
    void mirror_castByHostOrDevice_isTheSame(int elements) {
        SplittableRandom random = new SplittableRandom(elements);
        float[] data = new float[elements];
        for (int i = 0; i < elements; i++) {
            data[i] = Float.intBitsToFloat(random.nextInt());
        }
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 64, 64, 4L * elements, 4L * elements + 64, 64))) {
            F16Shadow shadow = shadow(arena);
            arena.writeInputF32(B, DType.F32, data);
            assertThat(shadow.isStale(B)).isFalse();
            assertMirrors(shadow, 32, data);

            arena.writeBytes(64, MemorySegment.ofArray(new byte[4 * elements]));
            assertThat(shadow.isStale(B)).isTrue();
            assertThat(shadow.isStale(A)).isFalse();
            assertThat(shadow.isStale(C)).isFalse();
            arena.writeBytes(64, MemorySegment.ofArray(data));
            shadow.refresh(B);
            assertThat(shadow.isStale(B)).isFalse();
            assertMirrors(shadow, 32, data);
        }
    }

    @Test
    void theDeviceRoundsAsTheHostDoesAtEveryBorder() {
        // every f16, the midpoint to the next one, and the neighbouring floats
        int steps = 1 << 16;
        float[] data = new float[steps * 5];
        for (int h = 0; h < steps; h++) {
            int bits = Float.floatToRawIntBits(TypedCasts.fromF16((short) h));
            for (int k = 0; k < 5; k++) {
                data[5 * h + k] = Float.intBitsToFloat(bits + (k - 2) * (k % 2 == 0 ? 0x0800 : 0x0FFF));
            }
        }
        assertRoundedOnDevice(data);
    }

    @Test
    @Tag("exhaustive")
    void theDeviceRoundsEveryFloatAsTheHostDoes() {
        int block = 1 << 24;
        float[] data = new float[block];
        for (long first = 0; first < 1L << 32; first += block) {
            for (int i = 0; i < block; i++) {
                data[i] = Float.intBitsToFloat((int) (first + i));
            }
            assertRoundedOnDevice(data);
        }
    }

    private static void assertRoundedOnDevice(float[] data) {
        try (DeviceArena arena = TestArenas.open(
                TestArenas.plan(0, 4L * data.length),
                ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_REQUEST))) {
            arena.writeInputF32(A, DType.F32, data);
            assertThat(shadow(arena).isStale(A)).isTrue();
            shadow(arena).refresh(A);
            assertMirrors(shadow(arena), 0, data);
        }
    }

    @Test
    void anOddNumberOfElementsLeavesTheNextElementAsItWas() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 32))) {
            arena.writeInputF32(A, DType.F32, new float[] {1, 2, 3, 4, 5, 6, 7, 8});
            arena.writeInputF32(A, DType.F32, new float[] {-1, -2, -3});
            assertThat(shadow(arena).isStale(A)).isFalse();
            assertMirrors(shadow(arena), 0, new float[] {-1, -2, -3, 4, 5, 6, 7, 8});
        }
    }

    @Test
    void write_onlyMirror_neighboursKeepTheirBytes() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 16, 16, 12, 32, 16))) {
            F16Shadow shadow = shadow(arena);
            arena.writeInputF32(A, DType.F32, new float[] {1, 2, 3, 4});
            arena.writeInputF32(C, DType.F32, new float[] {5, 6, 7, 8});
            arena.writeBytes(16, MemorySegment.ofArray(new float[] {9, 9, 9}));
            assertThat(shadow.write(B, new float[] {10, 11, 12, 13})).isEqualTo(3);
            assertThat(shadow.isStale(B)).isFalse();
            assertMirrors(shadow, 0, new float[] {1, 2, 3, 4, 10, 11, 12, 0, 5, 6, 7, 8});
            assertThat(arena.readOutputF32(B, DType.F32, 3)).containsExactly(9, 9, 9);
            assertThat(shadow.write(A, new float[] {20})).isEqualTo(1);
            assertMirrors(shadow, 0, new float[] {20, 2, 3, 4, 10, 11, 12, 0, 5, 6, 7, 8});
        }
    }

    @Test
    void slotsThatShareAWordOfTheShadowHaveNoMirror() {
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 12, 12, 12, 24, 8))) {
            F16Shadow shadow = shadow(arena);
            assertThat(shadow.fits(A)).isTrue();
            assertThat(shadow.fits(B)).isFalse();
            assertThat(shadow.byteOffset(B)).isEmpty();
            assertThat(shadow.fits(C)).isTrue();
            assertThat(shadow.fits(NodeId.of(77))).isFalse();
        }
    }

    @Test
    void f16Shadow_openedWithout_isEmpty() {
        ArenaOptions off =
                ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF).withLabel("plain");
        try (DeviceArena arena = TestArenas.open(TestArenas.plan(0, 16), off)) {
            assertThat(arena.unwrap(F16Shadow.class)).isEmpty();
        }
    }

    private static short[] halves(F16Shadow shadow, long offset, int count) {
        short[] halves = new short[count];
        shadow.readBytes(offset, MemorySegment.ofArray(halves));
        return halves;
    }

    private static void assertMirrors(F16Shadow shadow, long offset, float[] data) {
        short[] expected = new short[data.length];
        TypedCasts.writeTypedFromF32(MemorySegment.ofArray(expected), DType.F16, data, data.length);
        short[] actual = halves(shadow, offset, data.length);
        int wrong = Arrays.mismatch(actual, expected);
        assertThat(wrong)
                .as(() -> "element " + wrong + ", f32 bits " + Integer.toHexString(Float.floatToRawIntBits(data[wrong]))
                        + ": " + Integer.toHexString(actual[wrong]) + " for " + Integer.toHexString(expected[wrong]))
                .isEqualTo(-1);
    }
}
