package io.devicearena.wgpu.segments;

import static io.devicearena.wgpu.testing.KernelArenas.A;
import static io.devicearena.wgpu.testing.KernelArenas.B;
import static io.devicearena.wgpu.testing.KernelArenas.C;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static io.devicearena.wgpu.testing.TestArenas.wgpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.SegmentLayout;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.WgpuHandles;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.KernelArenas;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels on arenas of several segments; runs with small segments, which a property forces. */
@EnabledIfSystemProperty(named = "devicearena.wgpu.segmentBytes", matches = "\\d+")
class SegmentKernelsTest {
    private static final long SEGMENT = TestArenas.device().limits().maxSegmentBytes();
    private static final int ELEMENTS = (int) (SEGMENT / 4);

    private static void assertRefused(ThrowingCallable call, String message) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }

    /** Three values, each a segment of its own. */
    private static DeviceArena openThree() {
        DeviceArena arena = KernelArenas.open(TestArenas.plan(0, SEGMENT, SEGMENT, SEGMENT, 2 * SEGMENT, SEGMENT));
        assertThat(arena.segments().count()).isEqualTo(3);
        return arena;
    }

    private static Bindings adding(Kernels kernels, Window a, Window b, Window c, int elements) {
        return Bindings.of(a, b, c, kernels.uniform(elements, Float.floatToRawIntBits(1)));
    }

    @Test
    void dispatch_bindsWindowsOfSeveralSegments() {
        try (DeviceArena arena = openThree()) {
            arena.writeInputF32(A, DType.F32, KernelArenas.ramp(ELEMENTS, 1));
            arena.writeInputF32(B, DType.F32, KernelArenas.ramp(ELEMENTS, 2));
            Kernels kernels = kernels(arena);
            kernels.recorder()
                    .dispatch(
                            kernels.compile(KernelArenas.ADD),
                            adding(kernels, kernels.window(A), kernels.window(B), kernels.window(C), ELEMENTS),
                            Workgroups.covering(ELEMENTS, 64))
                    .build()
                    .submit();

            assertThat(arena.readOutputF32(C, DType.F32, ELEMENTS)).isEqualTo(KernelArenas.ramp(ELEMENTS, 3));
        }
    }

    @Test
    void dispatch_readsAndWritesOneSegment_andReadsAnother() {
        try (DeviceArena arena =
                KernelArenas.open(TestArenas.plan(0, SEGMENT / 2, SEGMENT / 2, SEGMENT / 2, SEGMENT, SEGMENT / 2))) {
            int elements = ELEMENTS / 2;
            arena.writeInputF32(A, DType.F32, KernelArenas.ramp(elements, 1));
            arena.writeInputF32(C, DType.F32, KernelArenas.ramp(elements, 2));
            Kernels kernels = kernels(arena);
            kernels.recorder()
                    .dispatch(
                            kernels.compile(KernelArenas.ADD),
                            adding(kernels, kernels.window(A), kernels.window(C), kernels.window(B), elements),
                            Workgroups.covering(elements, 64))
                    .build()
                    .submit();

            assertThat(arena.readOutputF32(B, DType.F32, elements)).isEqualTo(KernelArenas.ramp(elements, 3));
        }
    }

    @Test
    void dispatch_windowsOfOneSegmentThatConflict_areRefused() {
        try (DeviceArena arena = openThree()) {
            Kernels kernels = kernels(arena);
            Recorder recorder = kernels.recorder();
            assertThatThrownBy(() -> recorder.dispatch(
                            kernels.compile(KernelArenas.ADD),
                            adding(kernels, kernels.window(A), kernels.window(B), kernels.window(B), ELEMENTS),
                            Workgroups.covering(ELEMENTS, 64)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("share no bytes if one of them writes");
        }
    }

    /** Each part of a value larger than a segment is bound, doubled, and written to the same part of another. */
    @Test
    void parts_coverAValueLargerThanASegment() {
        long bytes = 3 * SEGMENT + SEGMENT / 2;
        int elements = (int) (bytes / 4);
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, bytes, bytes, bytes))) {
            arena.writeInputF32(A, DType.F32, KernelArenas.ramp(elements, 1));
            Kernels kernels = kernels(arena);
            Recorder recorder = kernels.recorder();
            long part = SEGMENT / 2;
            for (long first = 0; first < bytes; first += part) {
                Window from = kernels.window(A, first, part);
                Window to = kernels.window(B, first, part);
                assertThat(from.offsetOf(A, first)).isZero();
                assertThat(to.offset()).isEqualTo(bytes + first);
                int count = (int) (part / 4);
                recorder.dispatch(
                        kernels.compile(KernelArenas.ADD),
                        adding(kernels, from, from, to, count),
                        Workgroups.covering(count, 64));
            }
            recorder.build().submit();

            assertThat(arena.readOutputF32(B, DType.F32, elements)).isEqualTo(KernelArenas.ramp(elements, 2));
        }
    }

    @Test
    void parts_thatShareBytes_areRefusedTogether() {
        try (DeviceArena arena = openThree()) {
            Kernels kernels = kernels(arena);
            Recorder recorder = kernels.recorder();
            Window first = kernels.window(A, 0, 1024);
            assertThatThrownBy(() -> recorder.dispatch(
                            kernels.compile(KernelArenas.ADD),
                            adding(kernels, first, first, kernels.window(A, 512, 1024), 256),
                            Workgroups.covering(256, 64)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("share no bytes if one of them writes");
            recorder.dispatch(
                    kernels.compile(KernelArenas.ADD),
                    adding(kernels, first, first, kernels.window(A, 1024, 1024), 256),
                    Workgroups.covering(256, 64));
        }
    }

    @Test
    void part_outsideTheValueOrAcrossAnEnd_isRefused() {
        long bytes = 2 * SEGMENT;
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, bytes, bytes, 64))) {
            Kernels kernels = kernels(arena);
            for (long[] wrong : new long[][] {{-1, 4}, {0, 0}, {0, bytes + 1}, {bytes, 1}, {1, Long.MAX_VALUE}}) {
                assertRefused(
                        () -> kernels.window(A, wrong[0], wrong[1]),
                        "node 0: expected a part within its " + bytes + " bytes, got " + wrong[1] + " bytes from "
                                + wrong[0]);
            }
            assertRefused(
                    () -> kernels.window(A, SEGMENT - 4, 8),
                    "node 0: expected bytes of one segment to bind, got bytes from " + (SEGMENT - 4) + " to "
                            + (SEGMENT + 4) + " across the end of a segment at " + SEGMENT
                            + "; bind window(value, firstByte, bytes) on each side of it");
            assertRefused(
                    () -> kernels.window(A),
                    "node 0: expected bytes of one segment to bind, got bytes from 0 to " + bytes
                            + " across the end of a segment at " + SEGMENT
                            + "; bind window(value, firstByte, bytes) on each side of it");
            assertRefused(
                    () -> kernels.window(A, 0, 64).offsetOf(A, 64),
                    "node 0: expected a byte of its " + bytes + " within the window of 64 bytes at 0, got byte 64");
            assertThat(kernels.window(A, SEGMENT, 4).offset()).isEqualTo(SEGMENT);
        }
    }

    @Test
    void windows_ofSeveralSegments_areRefused() {
        try (DeviceArena arena = openThree()) {
            Kernels kernels = kernels(arena);
            assertRefused(
                    kernels::arena, "arena: expected one segment to bind it as a whole, got 3; bind windows of it");
            assertRefused(
                    () -> kernels.window(A, B),
                    "window: expected values of one segment, got node 0 at 0 and node 1, which ends at " + 2 * SEGMENT
                            + " behind the end of the segment at " + SEGMENT + "; bind them as separate windows");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {16, -16, 4096, -4096})
    void copy_acrossSegments_isExact(long shift) {
        long bytes = 3 * SEGMENT;
        long from = Math.max(-shift, 0);
        long to = Math.max(shift, 0);
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(from, bytes, to, bytes))) {
            int[] words = new int[(int) ((bytes + Math.abs(shift)) / 4)];
            Arrays.setAll(words, i -> i * 0x9E3779B1);
            arena.writeBytes(0, MemorySegment.ofArray(words));

            kernels(arena).recorder().copy(A, B).build().submit();

            int[] expected = words.clone();
            System.arraycopy(words, (int) from / 4, expected, (int) to / 4, (int) bytes / 4);
            int[] found = new int[words.length];
            arena.readBytes(0, MemorySegment.ofArray(found));
            assertThat(found).isEqualTo(expected);
        }
    }

    @Test
    void mirrors_ofSeveralSegments_areRefreshedAndBoundInParts() {
        long bytes = 3 * SEGMENT;
        int elements = (int) (bytes / 4);
        ArenaOptions options = ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_REQUEST);
        try (DeviceArena arena = KernelArenas.open(TestArenas.plan(0, bytes, bytes, bytes), options)) {
            Assumptions.assumeTrue(arena.device().capabilities().contains(Capability.F16_SHADOW));
            float[] values = new float[elements];
            for (int i = 0; i < elements; i++) {
                values[i] = i % 2048;
            }
            F16Shadow shadow = shadow(arena);
            arena.writeInputF32(A, DType.F32, values);
            assertThat(shadow.isStale(A)).isTrue();
            Kernels kernels = kernels(arena);
            Recorder recorder = kernels.recorder().refresh(A);
            long part = SEGMENT / 4; // of the mirror
            for (long first = 0; first < bytes / 2; first += part) {
                recorder.dispatch(
                        kernels.compile(KernelArenas.WIDEN),
                        Bindings.of(kernels.shadowWindow(A, first, part), kernels.window(B, 2 * first, 2 * part)),
                        Workgroups.covering(part / 4, 64));
            }
            recorder.build().submit();

            assertThat(shadow.isStale(A)).isFalse();
            assertThat(arena.readOutputF32(B, DType.F32, elements)).isEqualTo(values);
        }
    }

    @Test
    void handles_listAllBuffers() {
        try (DeviceArena arena = openThree()) {
            WgpuHandles handles = wgpu(arena).handles();
            SegmentLayout layout = arena.segments();

            assertThat(handles.segments()).hasSize(3);
            for (int i = 0; i < 3; i++) {
                assertThat(handles.segments().get(i).offset()).isEqualTo(layout.start(i));
                assertThat(handles.segments().get(i).bytes()).isEqualTo(SEGMENT);
            }
            assertThat(handles.segments().stream()
                            .map(segment -> segment.buffer().address())
                            .distinct())
                    .hasSize(3);
        }
    }
}
