package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_8;
import static io.devicearena.conformance.Shadows.HALF;
import static io.devicearena.conformance.Shadows.LAST;
import static io.devicearena.conformance.Shadows.ODD;
import static io.devicearena.conformance.Shadows.WHOLE;

import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Group 14: the f16 form of the arena's f32 bytes, on devices that keep one.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ShadowConformance extends ConformanceTopic {
    /** A kernel computes the mirror's offset from the weight's offset alone. */
    @Test
    default void optional_14_1_mirrorLiesAtHalfTheOffset() {
        assumeCapability(Capability.F16_SHADOW);
        for (Shadows.Row row : Shadows.TABLE) {
            String what = "slot at " + row.offset() + " of " + row.size() + " bytes";
            // a value at a high offset makes the shadow longer than this mirror
            MemoryPlan plan = new MemoryPlan(
                    160,
                    Map.of(
                            NODE_1, new BufferSlot(row.offset(), row.size()),
                            NODE_2, new BufferSlot(128, 32)),
                    List.of(NODE_1, NODE_2));
            try (DeviceArena arena = open(plan)) {
                F16Shadow shadow = Shadows.of(arena);
                Check.same("mirror of a " + what, OptionalLong.of(row.mirror()), shadow.byteOffset(NODE_1));
                float[] ones = new float[Math.toIntExact(row.size() / 4)];
                Arrays.fill(ones, 1);
                arena.writeInputF32(NODE_1, DType.F32, ones);
                byte[] expected = new byte[Math.toIntExact(shadow.sizeBytes())];
                byte[] mirror = TestData.encoded(DType.F16, ones);
                System.arraycopy(mirror, 0, expected, Math.toIntExact(row.mirror()), mirror.length);
                Check.same("shadow after a write to a " + what, 0, expected, Shadows.all(shadow));
            }
        }
    }

    /** Half of the arena would be 22; catches the padded end of an odd last slot that does not fit. */
    @Test
    default void optional_14_2_shadowHoldsTheLargestEnd() {
        assumeCapability(Capability.F16_SHADOW);
        for (Shadows.Row row : Shadows.TABLE) {
            try (DeviceArena arena = open(Shadows.planOf(row.offset(), row.size()))) {
                Check.same(
                        "size of the shadow for one slot at " + row.offset() + " of " + row.size() + " bytes",
                        row.end(),
                        Shadows.of(arena).sizeBytes());
            }
        }
        try (DeviceArena arena = open(Shadows.plan())) {
            Check.same(
                    "size of the shadow for 64 bytes of values",
                    32L,
                    Shadows.of(arena).sizeBytes());
        }
        try (DeviceArena arena = open(ExamplePlan.bytes(0))) {
            Check.same("size of the shadow for no value", 1L, Shadows.of(arena).sizeBytes());
        }
    }

    /** A kernel binds the shadow of one segment as a whole; bytes past one binding would be wasted. */
    @Test
    default void optional_14_3_shadowIsCappedAtOneBinding() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = openPastTheBinding()) {
            long binding = device().limits().maxBindingBytes();
            long size = Shadows.of(arena).sizeBytes();
            Check.isTrue(
                    "size of the shadow of an arena of " + arena.sizeBytes() + " bytes: expected at most " + binding
                            + ", one binding, got " + size,
                    size <= binding);
        }
    }

    /** Catches writes past the shadow's end, and values that are lost with their mirror. */
    @Test
    default void optional_14_4_mirrorThatDoesNotFitIsSkipped() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = openPastTheBinding()) {
            F16Shadow shadow = Shadows.of(arena);
            Check.same("fits of the value at the beginning", true, shadow.fits(NODE_1));
            Check.same("fits of the value past the shadow", false, shadow.fits(NODE_2));
            Check.same("mirror of the value past the shadow", OptionalLong.empty(), shadow.byteOffset(NODE_2));
            long end = shadow.sizeBytes();
            byte[] before = Shadows.bytes(shadow, end - 8, 8);
            float[] data = TestData.exact(DType.F16, 16);
            arena.writeInputF32(NODE_2, DType.F32, data);
            Check.same("the value past the shadow", data, arena.readOutputF32(NODE_2, DType.F32, 16));
            Check.same("isStale of it", false, shadow.isStale(NODE_2));
            Shadows.holds("the shadow's last bytes", shadow, end - 8, before);
            arena.writeInputF32(NODE_1, DType.F32, data);
            Shadows.holds("mirror at the beginning", shadow, 0, TestData.encoded(DType.F16, data));
        }
    }

    /** Opens an arena of one value at the beginning and one whose mirror ends past the largest binding. */
    private DeviceArena openPastTheBinding() {
        ArenaLimits limits = device().limits();
        long binding = limits.maxBindingBytes();
        long offset = binding > limits.maxArenaBytes() / 2 ? Long.MAX_VALUE : 2 * (binding - binding % 256);
        if (offset > limits.maxArenaBytes() - 1024) {
            throw skip("no arena of it has a shadow larger than a binding");
        }
        if (offset > limits.maxSegmentBytes() - 1024) {
            throw skip("an arena with a shadow larger than a binding has several segments, each with its own");
        }
        return LargeArena.open(
                this,
                new MemoryPlan(
                        offset + 1024,
                        Map.of(NODE_1, new BufferSlot(0, 64), NODE_2, new BufferSlot(offset + 512, 64)),
                        List.of(NODE_1, NODE_2)));
    }

    /** Kernels read pairs; the second half of the last pair must be defined. */
    @Test
    default void optional_14_5_oddCountIsPaddedWithZero() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = open(Shadows.plan())) {
            F16Shadow shadow = Shadows.of(arena);
            float[] three = {1, 2, 3};
            byte[] mirror = TestData.encoded(DType.F16, new float[] {1, 2, 3, 0});
            arena.writeInputF32(ODD, DType.F32, three);
            Shadows.holds("mirror of three elements", shadow, 16, mirror);
            shadow.write(ODD, new float[] {4, 5, 6});
            shadow.refresh(ODD);
            Shadows.holds("mirror of three elements, refreshed", shadow, 16, mirror);
            shadow.write(ODD, three);
            Shadows.holds("mirror of three elements, written alone", shadow, 16, mirror);
        }
    }

    /** One rounding everywhere, on host and device. */
    @Test
    default void optional_14_6_mirrorIsTheCastOfTheValue() {
        assumeCapability(Capability.F16_SHADOW);
        int[] f32 = IntStream.concat(
                        CastTable.DOWN.stream().mapToInt(CastTable.Row::f32),
                        TestData.random(146).ints(50_000))
                .toArray();
        byte[] expected = Shadows.mirror(f32);
        try (DeviceArena arena = open(ExamplePlan.node1(f32.length * 4L))) {
            arena.writeInputF32(NODE_1, DType.F32, MemorySegment.ofArray(f32));
            Shadows.holds("mirror after a typed write", Shadows.of(arena), 0, expected);
            CastCheck.read("value beside its mirror,", arena, DType.F32, f32, f32);
            arena.writeBytes(0, MemorySegment.ofArray(new byte[f32.length * 4]));
            float[] array = new float[f32.length];
            MemorySegment.ofArray(array).copyFrom(MemorySegment.ofArray(f32));
            arena.writeInputF32(NODE_1, DType.F32, array);
            Shadows.holds("mirror after a typed write of an array", Shadows.of(arena), 0, expected);
        }
    }

    /** For weights that a kernel changed and whose f16 form the host knows. */
    @Test
    default void optional_14_7_mirrorCanBeWrittenAlone() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = open(Shadows.plan())) {
            F16Shadow shadow = Shadows.of(arena);
            byte[] bytes = TestData.bytes(147, 64);
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            float[] data = {1, 2, 3, 4, 5, 6, 7, 8};
            Check.same("elements written to the mirror of eight", 8L, shadow.write(WHOLE, data));
            Check.holds("arena after a write to a mirror", arena, 0, bytes);
            Shadows.holds("mirror after that", shadow, 0, TestData.encoded(DType.F16, data));
            Shadows.holds("shadow after it", shadow, 16, new byte[16]);
            Check.same("isStale after a write to the mirror", false, shadow.isStale(WHOLE));

            Check.same(
                    "elements written to the mirror of four, out of eight",
                    4L,
                    shadow.write(LAST, MemorySegment.ofArray(data)));
            Shadows.holds(
                    "mirror after a write by segment", shadow, 24, TestData.encoded(DType.F16, Arrays.copyOf(data, 4)));
            Check.assertInvalid(
                    "a write of 7 bytes to a mirror", () -> shadow.write(LAST, MemorySegment.ofArray(new byte[7])));
            Check.assertInvalid("a write to the mirror of a value without slot", () -> shadow.write(NODE_8, data));
        }
    }

    /** Catches a kernel that continues with old weights. */
    @Test
    default void optional_14_8_staleMirrorIsKnown() {
        assumeCapability(Capability.F16_SHADOW);
        Map<String, Consumer<DeviceArena>> writes = new LinkedHashMap<>();
        writes.put("a raw write", arena -> arena.writeBytes(20, Segments.of((byte) 1)));
        writes.put("a raw write with progress", arena -> arena.writeBytes(20, Segments.of((byte) 1), done -> {}));
        writes.put("a typed write as F16", arena -> arena.writeInputF32(HALF, DType.F16, new float[] {1}));
        writes.forEach((what, write) -> {
            try (DeviceArena arena = open(Shadows.plan())) {
                write.accept(arena);
                Shadows.stale(what + " to bytes of two values", arena, WHOLE, HALF);
                arena.writeInputF32(WHOLE, DType.F32, new float[8]);
                Shadows.stale("a typed write as F32 over that", arena);
                arena.writeBytes(15, Segments.of((byte) 1));
                Shadows.stale("a raw write to a byte that one of them has", arena, WHOLE);
                arena.writeBytes(44, Segments.of((byte) 1));
                Shadows.stale("a raw write to a gap", arena, WHOLE);
                arena.writeInputF32(WHOLE, DType.F32, new float[2]);
                Shadows.stale("a typed write to other bytes of it", arena, WHOLE);
                arena.writeBytes(63, Segments.of((byte) 1));
                Shadows.stale("a raw write to the last byte", arena, WHOLE, LAST);
                arena.writeBytes(48, Segments.of());
                arena.readOutputF32(ODD, DType.F32, 3);
                Shadows.stale("an empty write and a read", arena, WHOLE, LAST);
            }
        });
    }

    /** The weights need no round trip through the host. */
    @Test
    default void optional_14_9_staleMirrorCanBeRefreshed() {
        assumeCapability(Capability.F16_SHADOW);
        int[] f32 = IntStream.concat(
                        CastTable.DOWN.stream().mapToInt(CastTable.Row::f32),
                        TestData.random(149).ints(10_000))
                .toArray();
        try (DeviceArena arena = open(ExamplePlan.node1(f32.length * 4L))) {
            arena.writeBytes(0, MemorySegment.ofArray(f32));
            Shadows.of(arena).refresh(NODE_1);
            Shadows.holds("refreshed mirror", Shadows.of(arena), 0, Shadows.mirror(f32));
            Check.same("isStale after a refresh", false, Shadows.of(arena).isStale(NODE_1));
        }
        try (DeviceArena arena = open(Shadows.plan())) {
            arena.writeBytes(0, MemorySegment.ofArray(TestData.filled(64, 0x3F)));
            byte[] before = Shadows.all(Shadows.of(arena));
            Shadows.of(arena).refresh(HALF);
            Shadows.stale("a refresh of the second half", arena, WHOLE, ODD, LAST);
            Shadows.holds(
                    "mirrors beside the refreshed one", Shadows.of(arena), 16, Arrays.copyOfRange(before, 16, 32));
            Check.assertInvalid(
                    "a refresh of a value without slot", () -> Shadows.of(arena).refresh(NODE_8));
        }
    }

    /** 0 is the cast of 0; catches a shadow that was not zeroed with its arena. */
    @Test
    default void optional_14_11_freshShadowIsZeroAndNotStale() {
        assumeCapability(Capability.F16_SHADOW);
        for (int round = 0; round < 3; round++) {
            try (DeviceArena arena = open(Shadows.plan())) {
                Shadows.holds("new shadow", Shadows.of(arena), 0, new byte[32]);
                Shadows.stale("the opening", arena);
                float[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
                for (NodeId id : List.of(WHOLE, ODD, LAST)) {
                    arena.writeInputF32(id, DType.F32, ones);
                }
            }
        }
    }

    /** For programs that do not want to pay half of the memory again. */
    @Test
    default void optional_14_12_arenaMayBeOpenedWithoutShadow() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = open(Shadows.plan(), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF))) {
            Check.same("shadow of an arena without", Optional.empty(), arena.unwrap(F16Shadow.class));
            float[] data = TestData.exact(DType.F16, 8);
            arena.writeInputF32(WHOLE, DType.F32, data);
            Check.same("a value of it", data, arena.readOutputF32(WHOLE, DType.F32, 8));
        }
    }

    /** An engine that fills an arena in many small steps casts once, at the end. */
    @Test
    default void optional_14_13_mirrorsOnRequestWaitUntilAsked() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena =
                open(Shadows.plan(), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_REQUEST))) {
            F16Shadow shadow = Shadows.of(arena);
            float[] data = {1, 2, 3, 4};
            arena.writeInputF32(LAST, DType.F32, data);
            Shadows.stale("a typed write", arena, LAST);
            Shadows.holds("mirror before it is requested", shadow, 24, new byte[8]);
            shadow.refresh(LAST);
            Shadows.stale("a refresh", arena);
            Shadows.holds("mirror after it is requested", shadow, 24, TestData.encoded(DType.F16, data));
        }
    }

    /** Kernels read pairs of f16, 4 bytes at a time. */
    @Test
    default void optional_14_14_mirrorsBeginAtMultiplesOf8() {
        assumeCapability(Capability.F16_SHADOW);
        for (long offset : new long[] {4, 1, 12}) {
            MemoryPlan plan = new MemoryPlan(
                    64,
                    Map.of(NODE_1, new BufferSlot(offset, 16), NODE_2, new BufferSlot(32, 32)),
                    List.of(NODE_1, NODE_2));
            try (DeviceArena arena = open(plan)) {
                F16Shadow shadow = Shadows.of(arena);
                Check.same("fits of a slot at " + offset, false, shadow.fits(NODE_1));
                Check.same("mirror of a slot at " + offset, OptionalLong.empty(), shadow.byteOffset(NODE_1));
                arena.writeBytes(offset, Segments.of((byte) 1));
                Check.same("isStale of a slot at " + offset, false, shadow.isStale(NODE_1));
                Check.assertInvalid(
                        "a write to the mirror of a slot at " + offset, () -> shadow.write(NODE_1, new float[4]));
                Check.assertInvalid("a refresh of a slot at " + offset, () -> shadow.refresh(NODE_1));
                float[] data = {1, 2, 3, 4};
                arena.writeInputF32(NODE_1, DType.F32, data);
                Check.same("value at " + offset, data, arena.readOutputF32(NODE_1, DType.F32, 4));
                Shadows.holds("mirror beside it", shadow, 16, new byte[16]);
            }
        }
        try (DeviceArena arena = open(ExamplePlan.plan())) {
            Check.same("fits of a value without slot", false, Shadows.of(arena).fits(NODE_8));
            Check.same("isStale of it", false, Shadows.of(arena).isStale(NODE_8));
        }
    }

    /** Catches the zero after an odd count that overwrites the next element's mirror. */
    @Test
    default void optional_14_15_shortWritesLeaveTheNextElement() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = open(Shadows.plan())) {
            float[] ones = {1, 1, 1, 1, 1, 1, 1, 1};
            arena.writeInputF32(WHOLE, DType.F32, ones);
            for (int elements : new int[] {1, 2, 3, 5, 7}) {
                float[] twos = new float[elements];
                Arrays.fill(twos, 2);
                arena.writeInputF32(WHOLE, DType.F32, twos);
                float[] expected = ones.clone();
                Arrays.fill(expected, 0, elements, 2);
                Shadows.holds(
                        "mirror after " + elements + " of 8 elements",
                        Shadows.of(arena),
                        0,
                        TestData.encoded(DType.F16, expected));
                Check.same(
                        "isStale after " + elements + " of 8 elements",
                        false,
                        Shadows.of(arena).isStale(WHOLE));
            }
        }
    }

    /** Shows what kernels see; as 5.3 and 5.7. */
    @Test
    default void optional_14_16_shadowIsReadAtAnyOffset() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = open(Shadows.plan())) {
            F16Shadow shadow = Shadows.of(arena);
            arena.writeInputF32(WHOLE, DType.F32, TestData.exact(DType.F16, 8));
            arena.writeInputF32(LAST, DType.F32, TestData.exact(DType.F16, 4));
            byte[] all = Shadows.all(shadow);
            for (int offset = 0; offset <= 8; offset++) {
                for (int length = 0; length <= 9; length++) {
                    byte[] destination = TestData.filled(16, 0x3C);
                    byte[] expected = destination.clone();
                    System.arraycopy(all, offset, expected, 3, length);
                    shadow.readBytes(offset, MemorySegment.ofArray(destination).asSlice(3, length));
                    Check.same("destination of " + length + " bytes from " + offset, 0, expected, destination);
                }
            }
            Shadows.holds("the shadow's last byte", shadow, 31, Arrays.copyOfRange(all, 31, 32));
            for (long[] range : new long[][] {{-1, 1}, {32, 1}, {33, 0}, {Long.MAX_VALUE, 1}}) {
                Check.assertInvalid(
                        "a read of " + range[1] + " bytes of the shadow from " + range[0] + " on",
                        () -> shadow.readBytes(range[0], MemorySegment.ofArray(new byte[(int) range[1]])));
            }
            Check.assertInvalid(
                    "a read of the shadow into read-only memory",
                    () -> shadow.readBytes(0, MemorySegment.ofArray(new byte[1]).asReadOnly()));
        }
    }

    /** The shadow is memory of the arena. */
    @Test
    default void optional_14_17_shadowEndsWithItsArena() {
        assumeCapability(Capability.F16_SHADOW);
        DeviceArena arena = open(Shadows.plan());
        F16Shadow shadow = Shadows.of(arena);
        arena.close();
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.put("sizeBytes", shadow::sizeBytes);
        calls.put("fits", () -> shadow.fits(WHOLE));
        calls.put("byteOffset", () -> shadow.byteOffset(WHOLE));
        calls.put("isStale", () -> shadow.isStale(WHOLE));
        calls.put("write of an array", () -> shadow.write(WHOLE, new float[2]));
        calls.put("write of a segment", () -> shadow.write(WHOLE, MemorySegment.ofArray(new float[2])));
        calls.put("refresh", () -> shadow.refresh(WHOLE));
        calls.put("readBytes", () -> shadow.readBytes(0, MemorySegment.ofArray(new byte[2])));
        calls.forEach((what, call) -> Check.assertClosed(what + " on the shadow of a closed arena", call::run));
    }
}
