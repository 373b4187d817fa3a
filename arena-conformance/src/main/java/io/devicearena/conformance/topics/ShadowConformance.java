package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_2;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_8;
import static io.devicearena.conformance.oracle.FamilyPlans.WEIGHT;
import static io.devicearena.conformance.oracle.SegmentPlans.EXACT;
import static io.devicearena.conformance.oracle.SegmentPlans.LARGE;
import static io.devicearena.conformance.oracle.SegmentPlans.NEXT;
import static io.devicearena.conformance.oracle.Shadows.HALF;
import static io.devicearena.conformance.oracle.Shadows.LAST;
import static io.devicearena.conformance.oracle.Shadows.ODD;
import static io.devicearena.conformance.oracle.Shadows.WHOLE;

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
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.Segments;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.FamilyPlans;
import io.devicearena.conformance.oracle.SegmentPlans;
import io.devicearena.conformance.oracle.Shadows;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Group 12: the f16 form of the arena's f32 bytes, on devices that keep one.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ShadowConformance extends ConformanceTopic {
    private DeviceArena openShadowed() {
        return openShadowed(Shadows.plan());
    }

    /** Every new shadow is zero, and not stale. */
    private DeviceArena openShadowed(MemoryPlan plan) {
        assumeCapability(Capability.F16_SHADOW);
        DeviceArena arena = open(plan);
        F16Shadow shadow = Shadows.of(arena);
        Shadows.holds("new shadow", shadow, 0, new byte[Math.toIntExact(shadow.sizeBytes())]);
        Shadows.staleOf(List.copyOf(plan.slots().keySet()), "the opening", arena);
        return arena;
    }

    private static MemoryPlan twoValues(long size, BufferSlot first, BufferSlot second) {
        return new MemoryPlan(size, Map.of(NODE_1, first, NODE_2, second), List.of(NODE_1, NODE_2));
    }

    /** A kernel computes the mirror's offset from the weight's offset alone, and reads pairs of f16. */
    @Test
    default void optional_12_1_mirrorLiesAtHalfTheOffset() {
        for (Shadows.Row row : Shadows.TABLE) {
            BufferSlot slot = new BufferSlot(row.offset(), row.size());
            String what = "slot at " + row.offset() + " of " + row.size() + " bytes";
            // a value at a high offset makes the shadow longer than this mirror
            try (DeviceArena arena = openShadowed(twoValues(160, slot, new BufferSlot(128, 32)))) {
                F16Shadow shadow = Shadows.of(arena);
                Check.same("mirror of a " + what, OptionalLong.of(row.mirror()), shadow.byteOffset(NODE_1));
                float[] ones = TestData.floats(Math.toIntExact(row.size() / 4), 1);
                arena.writeInputF32(NODE_1, DType.F32, ones);
                byte[] expected = new byte[Math.toIntExact(shadow.sizeBytes())];
                byte[] mirror = Casts.encoded(DType.F16, ones);
                System.arraycopy(mirror, 0, expected, Math.toIntExact(row.mirror()), mirror.length);
                Check.same("shadow after a write to a " + what, 0, expected, Shadows.all(shadow));
            }
            sizeIs("one " + what, row.end(), Shadows.planOf(row.offset(), row.size()));
        }
        sizeIs("64 bytes of values", 32, Shadows.plan());
        sizeIs("no value", 1, ExamplePlan.bytes(0));
        for (long offset : new long[] {4, 1, 12}) {
            mirrorsBeginAtMultiplesOf8(offset);
        }
        try (DeviceArena arena = openShadowed(ExamplePlan.plan())) {
            Check.same("fits of a value without slot", false, Shadows.of(arena).fits(NODE_8));
            Check.same("isStale of it", false, Shadows.of(arena).isStale(NODE_8));
        }
    }

    private void sizeIs(String what, long expected, MemoryPlan plan) {
        try (DeviceArena arena = openShadowed(plan)) {
            Check.same(
                    "size of the shadow for " + what,
                    expected,
                    Shadows.of(arena).sizeBytes());
        }
    }

    /** Kernels read pairs of f16, 4 bytes at a time. */
    private void mirrorsBeginAtMultiplesOf8(long offset) {
        try (DeviceArena arena = openShadowed(twoValues(64, new BufferSlot(offset, 16), new BufferSlot(32, 32)))) {
            F16Shadow shadow = Shadows.of(arena);
            Check.same("fits of a slot at " + offset, false, shadow.fits(NODE_1));
            Check.same("mirror of a slot at " + offset, OptionalLong.empty(), shadow.byteOffset(NODE_1));
            arena.writeBytes(offset, Segments.of((byte) 1));
            Check.same("isStale of a slot at " + offset, false, shadow.isStale(NODE_1));
            Check.assertInvalid("a write to the mirror of it", () -> shadow.write(NODE_1, new float[4]));
            Check.assertInvalid("a refresh of it", () -> shadow.refresh(NODE_1));
            float[] data = {1, 2, 3, 4};
            arena.writeInputF32(NODE_1, DType.F32, data);
            Check.same("value at " + offset, data, arena.readOutputF32(NODE_1, DType.F32, 4));
            Shadows.holds("mirror beside it", shadow, 16, new byte[16]);
        }
    }

    /** Catches writes past the shadow's end, and values that are lost with their mirror. */
    @Test
    default void optional_12_2_mirrorThatDoesNotFitIsSkipped() {
        assumeCapability(Capability.F16_SHADOW);
        ArenaLimits limits = device().limits();
        long binding = limits.maxBindingBytes();
        long offset = binding > limits.maxArenaBytes() / 2 ? Long.MAX_VALUE : 2 * (binding - binding % 256);
        if (offset > limits.maxSegmentBytes() - 1024) {
            throw skip("no arena of it in one segment has a shadow larger than a binding");
        }
        MemoryPlan plan = twoValues(offset + 1024, new BufferSlot(0, 64), new BufferSlot(offset + 512, 64));
        try (DeviceArena arena = LargeArena.open(this, plan)) {
            F16Shadow shadow = Shadows.of(arena);
            long end = shadow.sizeBytes();
            Check.within("size of the shadow of an arena of " + arena.sizeBytes() + " bytes", 1, binding, end);
            Check.same("fits of the value at the beginning", true, shadow.fits(NODE_1));
            Check.same("fits of the value past the shadow", false, shadow.fits(NODE_2));
            Check.same("mirror of the value past the shadow", OptionalLong.empty(), shadow.byteOffset(NODE_2));
            byte[] before = Shadows.bytes(shadow, end - 8, 8);
            float[] data = TestData.exact(DType.F16, 16);
            arena.writeInputF32(NODE_2, DType.F32, data);
            Check.same("the value past the shadow", data, arena.readOutputF32(NODE_2, DType.F32, 16));
            Check.same("isStale of it", false, shadow.isStale(NODE_2));
            Shadows.holds("the shadow's last bytes", shadow, end - 8, before);
            arena.writeInputF32(NODE_1, DType.F32, data);
            Shadows.holds("mirror at the beginning", shadow, 0, Casts.encoded(DType.F16, data));
        }
    }

    private static int[] f32(int seed, int count) {
        return TestData.random(seed).ints(count).toArray();
    }

    /** One rounding everywhere; catches a way or a length that leaves mirrors out, and the zero after an odd count. */
    @Test
    default void optional_12_3_mirrorIsTheCastOfTheValue() {
        int[] all = Casts.beside(DType.F16);
        int[] f32 = Arrays.copyOf(
                all, Math.toIntExact(Math.min(all.length, device().limits().maxBindingBytes() / 4 - 64)));
        try (DeviceArena arena = openShadowed(ExamplePlan.node1(f32.length * 4L))) {
            arena.writeInputF32(NODE_1, DType.F32, MemorySegment.ofArray(f32));
            Shadows.holds("mirror of " + f32.length + " elements", Shadows.of(arena), 0, Shadows.mirror(f32));
        }
        float[] values = {1, 1, 1, 1, 1, 1, 1, 1};
        try (DeviceArena arena = openShadowed()) {
            arena.writeInputF32(WHOLE, DType.F32, values);
            for (int elements : new int[] {1, 2, 3, 5, 7}) {
                Arrays.fill(values, 0, elements, elements);
                String what = elements + " of 8 elements";
                arena.writeInputF32(WHOLE, DType.F32, Arrays.copyOf(values, elements));
                Shadows.holds("mirror after " + what, Shadows.of(arena), 0, Casts.encoded(DType.F16, values));
                Shadows.stale(what, arena);
            }
        }
    }

    /** For weights that a kernel changed; they need no round trip. Catches a shadow of the first segment alone. */
    @Test
    default void optional_12_4_mirrorsAreWrittenAndRefreshedAlone() {
        int segment = SegmentPlans.segmentBytes(device());
        alone(Shadows.plan(), ODD, ODD);
        alone(Shadows.plan(), WHOLE, WHOLE, HALF);
        alone(ExamplePlan.node1(40_004), NODE_1, NODE_1);
        alone(SegmentPlans.values(segment), LARGE, LARGE);
        try (DeviceArena arena = openShadowed()) {
            F16Shadow shadow = Shadows.of(arena);
            float[] data = {1, 2, 3, 4, 5, 6, 7, 8};
            MemorySegment memory = MemorySegment.ofArray(data);
            Check.same("elements written to the mirror of four, out of eight", 4L, shadow.write(LAST, memory));
            byte[] four = Casts.encoded(DType.F16, Arrays.copyOf(data, 4));
            Check.assertInvalid("a write of 7 bytes to a mirror", () -> shadow.write(LAST, memory.asSlice(0, 7)));
            Check.assertInvalid("a write to the mirror of a value without slot", () -> shadow.write(NODE_8, data));
            Check.assertInvalid("a refresh of a value without slot", () -> shadow.refresh(NODE_8));
            arena.fillBytes(0, 64, (byte) 0x3F);
            shadow.refresh(HALF);
            Shadows.stale("a refresh of the second half", arena, WHOLE, ODD, LAST);
            Shadows.holds("mirrors beside the refreshed one", shadow, 24, four);
        }
        try (DeviceArena arena = openShadowed(SegmentPlans.values(segment))) {
            arena.writeBytes(segment - 1L, Segments.of((byte) 1, (byte) 2));
            Shadows.staleOf(SegmentPlans.ALL, "a raw write across an end within a value", arena, LARGE);
            arena.writeBytes(3L * segment - 1, Segments.of((byte) 1, (byte) 2));
            Shadows.staleOf(SegmentPlans.ALL, "a raw write across an end between values", arena, LARGE, EXACT, NEXT);
            Shadows.of(arena).refresh(EXACT);
            Shadows.staleOf(SegmentPlans.ALL, "a refresh of one value", arena, LARGE, NEXT);
        }
    }

    /** The mirror of a value changes by each call that makes it, no other byte does, and a raw write makes it stale. */
    private void alone(MemoryPlan plan, NodeId id, NodeId... stale) {
        try (DeviceArena arena = openShadowed(plan)) {
            F16Shadow shadow = Shadows.of(arena);
            long begin = arena.byteOffset(id).orElseThrow();
            List<NodeId> all = List.copyOf(plan.slots().keySet());
            int elements = Math.toIntExact(arena.lengthBytes(id) / Float.BYTES);
            int[] first = f32(167, elements);
            MemorySegment second = MemorySegment.ofArray(f32(168, elements));
            byte[] expected = new byte[Math.toIntExact(shadow.sizeBytes())];
            byte[] mirror = Shadows.mirror(first);
            System.arraycopy(mirror, 0, expected, Math.toIntExact(begin / 2), mirror.length);
            arena.writeInputF32(id, DType.F32, MemorySegment.ofArray(first));
            Shadows.holds("shadow after a typed write", shadow, 0, expected);
            Shadows.staleOf(all, "a typed write", arena);
            arena.writeBytes(begin, second);
            Shadows.staleOf(all, "a raw write", arena, stale);
            Shadows.holds("shadow after a raw write", shadow, 0, expected);
            long written = shadow.write(id, MemorySegment.ofArray(first));
            Check.same("elements written to a mirror", (long) elements, written);
            Shadows.holds("shadow after a write to a mirror", shadow, 0, expected);
            Check.holds("arena after a write to a mirror", arena, begin, second.toArray(Batches.BYTE));
            Shadows.staleOf(all, "a write to a mirror", arena);
            arena.writeBytes(begin, second);
            shadow.refresh(id);
            byte[] refreshed = Shadows.mirror(second.toArray(ValueLayout.JAVA_INT));
            Shadows.holds("mirror after a refresh", shadow, begin / 2, refreshed);
            Shadows.staleOf(all, "a refresh", arena);
        }
    }

    /** Catches a kernel that continues with old weights. */
    @Test
    default void optional_12_5_staleMirrorIsKnown() {
        MemorySegment one = Segments.of((byte) 1);
        Map<String, Consumer<DeviceArena>> writes = new LinkedHashMap<>();
        writes.put("a raw write", arena -> arena.writeBytes(20, one));
        writes.put("a raw write with progress", arena -> arena.writeBytes(20, one, done -> {}));
        writes.put("a batch of bytes", arena -> arena.writeBatch(Batches.bytes(20, one)));
        writes.put("a typed write as F16", arena -> arena.writeInputF32(HALF, DType.F16, new float[] {1}));
        writes.put("a fill", arena -> arena.fillBytes(20, 1, (byte) 1));
        writes.put("a copy", arena -> arena.copyBytes(40, 20, 1));
        writes.forEach((what, write) -> {
            try (DeviceArena arena = openShadowed()) {
                write.accept(arena);
                Shadows.stale(what + " to bytes of two values", arena, WHOLE, HALF);
                arena.writeInputF32(WHOLE, DType.F32, new float[8]);
                Shadows.stale("a typed write as F32 over that", arena);
                arena.writeBytes(15, one);
                Shadows.stale("a raw write to a byte that one of them has", arena, WHOLE);
                arena.writeBytes(44, one);
                Shadows.stale("a raw write to a gap", arena, WHOLE);
                arena.writeInputF32(WHOLE, DType.F32, new float[2]);
                Shadows.stale("a typed write to other bytes of it", arena, WHOLE);
                arena.writeBytes(63, one);
                Shadows.stale("a raw write to the last byte", arena, WHOLE, LAST);
                arena.writeBytes(48, Segments.of());
                arena.readOutputF32(ODD, DType.F32, 3);
                Shadows.stale("an empty write and a read", arena, WHOLE, LAST);
            }
        });
        NodeId id = ValuePlan.of(DType.F32);
        int[] bits = f32(1714, 8);
        MemorySegment next = MemorySegment.ofArray(bits);
        for (boolean part : new boolean[] {false, true}) {
            try (DeviceArena arena = openShadowed(ValuePlan.single(DType.F32, 8))) {
                arena.writeInputF32(id, DType.F32, new float[] {1, 2, 3, 4, 5, 6, 7, 8});
                if (part) {
                    arena.writeValueBytes(id, 4, next.asSlice(4));
                    arena.writeValueBytes(id, 0, next.asSlice(0, 4));
                } else {
                    Batches.write(arena, id, DType.F32, next);
                }
                if (Shadows.of(arena).isStale(id)) {
                    Shadows.of(arena).refresh(id);
                }
                Shadows.holds("mirror of elements written as they are", Shadows.of(arena), 0, Shadows.mirror(bits));
            }
        }
    }

    /** Half of the memory again is a price; an engine that fills an arena in small steps casts once, at the end. */
    @Test
    default void optional_12_6_modesOfTheShadowAreKept() {
        assumeCapability(Capability.F16_SHADOW);
        float[] data = {1, 2, 3, 4};
        try (DeviceArena arena = open(Shadows.plan(), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF))) {
            Check.same("shadow of an arena without", Optional.empty(), arena.unwrap(F16Shadow.class));
            arena.writeInputF32(LAST, DType.F32, data);
            Check.same("a value of it", data, arena.readOutputF32(LAST, DType.F32, 4));
        }
        try (DeviceArena arena =
                open(Shadows.plan(), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.ON_REQUEST))) {
            F16Shadow shadow = Shadows.of(arena);
            arena.writeInputF32(LAST, DType.F32, data);
            Shadows.stale("a typed write", arena, LAST);
            Shadows.holds("mirror before it is requested", shadow, 24, new byte[8]);
            shadow.refresh(LAST);
            Shadows.stale("a refresh", arena);
            Shadows.holds("mirror after it is requested", shadow, 24, Casts.encoded(DType.F16, data));
        }
    }

    /** Catches a mirror that is old in the view of another graph and looks fresh there. */
    @Test
    default void optional_12_7_mirrorsAreSharedByViews() {
        int[] bits = f32(1911, 16);
        try (DeviceArena arena = openShadowed(FamilyPlans.arena());
                DeviceArena first = arena.view(FamilyPlans.first());
                DeviceArena second = arena.view(FamilyPlans.second())) {
            List<DeviceArena> all = List.of(arena, first, second);
            first.writeInputF32(WEIGHT, DType.F32, MemorySegment.ofArray(bits));
            sharedMirror("a typed write", all, bits);
            bits[3] = 0x4000_0000;
            byte[] before = Shadows.all(Shadows.of(arena));
            second.writeBytes(0, MemorySegment.ofArray(bits));
            all.forEach(one -> Check.same(
                    "isStale after a raw write", true, Shadows.of(one).isStale(WEIGHT)));
            Shadows.holds("shadow after a raw write", Shadows.of(first), 0, before);
            Shadows.of(arena).refresh(WEIGHT);
            sharedMirror("a refresh", all, bits);
        }
    }

    private static void sharedMirror(String what, List<DeviceArena> all, int[] bits) {
        for (DeviceArena one : all) {
            F16Shadow shadow = Shadows.of(one);
            Check.same("isStale after " + what, false, shadow.isStale(WEIGHT));
            long at = shadow.byteOffset(WEIGHT).orElseThrow();
            Shadows.holds("mirror after " + what, shadow, at, Shadows.mirror(bits));
        }
    }

    /** Shows what kernels see; the shadow is memory of the arena. */
    @Test
    default void optional_12_8_shadowIsReadAtAnyOffsetUntilTheClose() {
        F16Shadow shadow;
        try (DeviceArena arena = openShadowed()) {
            shadow = Shadows.of(arena);
            arena.writeInputF32(WHOLE, DType.F32, TestData.exact(DType.F16, 8));
            arena.writeInputF32(LAST, DType.F32, TestData.exact(DType.F16, 4));
            byte[] all = Shadows.all(shadow);
            for (int offset : new int[] {0, 1, 2, 3, 4, 5, 6, 7, 8, 23}) {
                for (int length = 0; length <= 9; length++) {
                    byte[] destination = TestData.filled(16, 0x3C);
                    byte[] expected = destination.clone();
                    System.arraycopy(all, offset, expected, 3, length);
                    shadow.readBytes(offset, MemorySegment.ofArray(destination).asSlice(3, length));
                    Check.same("destination of " + length + " bytes from " + offset, 0, expected, destination);
                }
            }
            for (long[] range : new long[][] {{-1, 1}, {32, 1}, {33, 0}, {Long.MAX_VALUE, 1}}) {
                Check.assertInvalid(
                        "a read of " + range[1] + " bytes of the shadow from " + range[0] + " on",
                        () -> shadow.readBytes(range[0], MemorySegment.ofArray(new byte[(int) range[1]])));
            }
            Check.assertInvalid(
                    "a read of the shadow into read-only memory",
                    () -> shadow.readBytes(0, Segments.of((byte) 1).asReadOnly()));
        }
        MemorySegment memory = MemorySegment.ofArray(new float[2]);
        String closed = " on the shadow of a closed arena";
        Check.assertClosed("sizeBytes" + closed, shadow::sizeBytes);
        Check.assertClosed("fits" + closed, () -> shadow.fits(WHOLE));
        Check.assertClosed("byteOffset" + closed, () -> shadow.byteOffset(WHOLE));
        Check.assertClosed("isStale" + closed, () -> shadow.isStale(WHOLE));
        Check.assertClosed("write of an array" + closed, () -> shadow.write(WHOLE, new float[2]));
        Check.assertClosed("write of a segment" + closed, () -> shadow.write(WHOLE, memory));
        Check.assertClosed("refresh" + closed, () -> shadow.refresh(WHOLE));
        Check.assertClosed("readBytes" + closed, () -> shadow.readBytes(0, memory));
    }
}
