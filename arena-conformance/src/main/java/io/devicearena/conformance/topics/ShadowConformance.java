package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_2;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_8;
import static io.devicearena.conformance.oracle.FamilyPlans.WEIGHT;
import static io.devicearena.conformance.oracle.Mirrors.HALF;
import static io.devicearena.conformance.oracle.Mirrors.LAST;
import static io.devicearena.conformance.oracle.Mirrors.ODD;
import static io.devicearena.conformance.oracle.Mirrors.WHOLE;
import static io.devicearena.conformance.oracle.SegmentPlans.EXACT;
import static io.devicearena.conformance.oracle.SegmentPlans.LARGE;

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
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.Casts;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.FamilyPlans;
import io.devicearena.conformance.oracle.Mirrors;
import io.devicearena.conformance.oracle.SegmentPlans;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Group 12: the f16 form of the arena's f32 bytes, on devices that keep one.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ShadowConformance extends ConformanceTopic {
    private Mirrors mirrors() {
        return mirrors(Mirrors.plan());
    }

    private Mirrors mirrors(MemoryPlan plan) {
        assumeCapability(Capability.F16_SHADOW);
        return new Mirrors(open(plan));
    }

    private static MemorySegment f32(int seed, long count) {
        return MemorySegment.ofArray(TestData.random(seed).ints(count).toArray());
    }

    private static MemorySegment ones(long count) {
        return MemorySegment.ofArray(TestData.floats(Math.toIntExact(count), 1));
    }

    /** A kernel computes the mirror's offset from the weight's offset alone, and reads pairs of f16. */
    @Test
    default void optional_12_1_mirrorLiesAtHalfTheOffset() {
        for (Mirrors.Row row : Mirrors.TABLE) {
            BufferSlot slot = new BufferSlot(row.offset(), row.size());
            String what = "slot at " + row.offset() + " of " + row.size() + " bytes";
            // a value at a high offset makes the shadow longer than this mirror
            try (Mirrors it = mirrors(ExamplePlan.of(160, slot, new BufferSlot(128, 32)))) {
                Check.same("mirror of a " + what, OptionalLong.of(row.mirror()), it.shadow.byteOffset(NODE_1));
                it.write("a write to a " + what, NODE_1, ones(row.size() / Float.BYTES));
            }
            sizeIs("one " + what, row.end(), ExamplePlan.of(slot.end(), slot));
        }
        sizeIs("64 bytes of values", 32, Mirrors.plan());
        sizeIs("no value", 1, ExamplePlan.bytes(0));
        for (long offset : new long[] {4, 1, 12}) {
            mirrorsBeginAtMultiplesOf8(offset);
        }
        try (Mirrors it = mirrors(ExamplePlan.plan())) {
            Check.same("fits of a value without slot", false, it.shadow.fits(NODE_8));
            Check.same("isStale of it", false, it.shadow.isStale(NODE_8));
        }
    }

    private void sizeIs(String what, long expected, MemoryPlan plan) {
        try (Mirrors it = mirrors(plan)) {
            Check.same("size of the shadow for " + what, expected, it.shadow.sizeBytes());
        }
    }

    /** Kernels read pairs of f16, 4 bytes at a time. */
    private void mirrorsBeginAtMultiplesOf8(long offset) {
        try (Mirrors it = mirrors(ExamplePlan.of(64, new BufferSlot(offset, 16), new BufferSlot(32, 32)))) {
            Check.same("fits of a slot at " + offset, false, it.shadow.fits(NODE_1));
            Check.same("mirror of a slot at " + offset, OptionalLong.empty(), it.shadow.byteOffset(NODE_1));
            it.write("a raw write to a slot at " + offset, offset, TestData.memory((byte) 1));
            Check.assertInvalid("a write to the mirror of it", () -> it.shadow.write(NODE_1, new float[4]));
            Check.assertInvalid("a refresh of it", () -> it.shadow.refresh(NODE_1));
            float[] data = {1, 2, 3, 4};
            it.overwrite("a typed write to it", offset, 16, arena -> arena.writeInputF32(NODE_1, DType.F32, data));
            Check.same("value at " + offset, data, it.arena.readOutputF32(NODE_1, DType.F32, 4));
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
        MemoryPlan plan = ExamplePlan.of(offset + 1024, new BufferSlot(0, 64), new BufferSlot(offset + 512, 64));
        try (DeviceArena arena = LargeArena.open(this, plan)) {
            F16Shadow shadow = Mirrors.of(arena);
            long end = shadow.sizeBytes();
            Check.within("size of the shadow of an arena of " + arena.sizeBytes() + " bytes", 1, binding, end);
            Check.same("fits of the value at the beginning", true, shadow.fits(NODE_1));
            Check.same("fits of the value past the shadow", false, shadow.fits(NODE_2));
            Check.same("mirror of the value past the shadow", OptionalLong.empty(), shadow.byteOffset(NODE_2));
            byte[] before = Mirrors.bytes(shadow, end - 8, 8);
            float[] data = TestData.exact(DType.F16, 16);
            arena.writeInputF32(NODE_2, DType.F32, data);
            Check.same("the value past the shadow", data, arena.readOutputF32(NODE_2, DType.F32, 16));
            Check.same("isStale of it", false, shadow.isStale(NODE_2));
            Check.same("the shadow's last bytes", end - 8, before, Mirrors.bytes(shadow, end - 8, 8));
            arena.writeInputF32(NODE_1, DType.F32, data);
            Check.same("mirror at the beginning", 0, Casts.encoded(DType.F16, data), Mirrors.bytes(shadow, 0, 32));
        }
    }

    /** One rounding everywhere; catches a way or a length that leaves mirrors out, and the zero after an odd count. */
    @Test
    default void optional_12_3_mirrorIsTheCastOfTheValue() {
        int[] all = Casts.beside(DType.F16);
        long count = Math.min(all.length, device().limits().maxBindingBytes() / 4 - 64);
        try (Mirrors it = mirrors(ExamplePlan.node1(count * Float.BYTES))) {
            MemorySegment f32 = MemorySegment.ofArray(all).asSlice(0, count * Float.BYTES);
            it.write("a write of " + count + " elements", NODE_1, f32);
        }
        try (Mirrors it = mirrors()) {
            for (int elements : new int[] {8, 1, 2, 3, 5, 7}) {
                it.write("a write of " + elements + " of 8 elements", WHOLE, f32(163 + elements, elements));
            }
        }
    }

    /** For weights that a kernel changed; they need no round trip. Catches a shadow of the first segment alone. */
    @Test
    default void optional_12_4_mirrorsAreWrittenAndRefreshedAlone() {
        int segment = SegmentPlans.segmentBytes(device());
        alone(Mirrors.plan(), ODD);
        alone(Mirrors.plan(), WHOLE);
        alone(ExamplePlan.node1(40_004), NODE_1);
        alone(SegmentPlans.values(segment), LARGE);
        try (Mirrors it = mirrors()) {
            MemorySegment memory = f32(169, 8);
            it.writeMirror(LAST, memory);
            Check.assertInvalid("a write of 7 bytes to a mirror", () -> it.shadow.write(LAST, memory.asSlice(0, 7)));
            Check.assertInvalid("a write to the mirror of no slot", () -> it.shadow.write(NODE_8, memory));
            Check.assertInvalid("a refresh of a value without slot", () -> it.shadow.refresh(NODE_8));
            it.overwrite("a fill", 0, 64, arena -> arena.fillBytes(0, 64, (byte) 0x3F));
            it.refresh(HALF);
        }
        try (Mirrors it = mirrors(SegmentPlans.values(segment))) {
            MemorySegment two = TestData.memory((byte) 1, (byte) 2);
            it.write("a raw write across an end within a value", segment - 1L, two);
            it.write("a raw write across an end between values", 3L * segment - 1, two);
            it.refresh(EXACT);
        }
    }

    /** The mirror of a value changes by each call that makes it, no other byte does, and a raw write makes it stale. */
    private void alone(MemoryPlan plan, NodeId id) {
        try (Mirrors it = mirrors(plan)) {
            BufferSlot slot = plan.slot(id).orElseThrow();
            long elements = slot.size() / Float.BYTES;
            it.write("a typed write", id, f32(166, elements));
            it.write("a raw write", slot.offset(), f32(167, elements));
            it.writeMirror(id, f32(168, elements));
            it.write("a raw write", slot.offset(), f32(167, elements));
            it.refresh(id);
        }
    }

    /** Catches a kernel that continues with old weights. */
    @Test
    default void optional_12_5_staleMirrorIsKnown() {
        MemorySegment one = TestData.memory((byte) 1);
        ArenaCall.With with = new ArenaCall.With(HALF, DType.F16, 19, 1, f32(1713, 1));
        List<String> others = List.of("fillBytes", "copyBytes to");
        Stream<ArenaCall> writes = ArenaCall.ALL.stream()
                .filter(call -> call.memory() == ArenaCall.Use.SOURCE || others.contains(call.name()))
                .filter(call -> call.takes() != ArenaCall.Takes.PART); // below
        writes.forEach(call -> {
            try (Mirrors it = mirrors()) {
                it.overwrite(call.name() + " to bytes of two values", 16, 7, arena -> call.on(arena, with));
                it.write("a typed write as F32 over that", WHOLE, ones(8));
                it.write("a raw write to a byte that one of them has", 15, one);
                it.write("a raw write to a gap", 44, one);
                it.write("a typed write to other bytes of it", WHOLE, ones(2));
                it.write("a raw write to the last byte", 63, one);
                it.write("an empty write", 48, TestData.memory());
                it.overwrite("a read", 32, 0, arena -> arena.readOutputF32(ODD, DType.F32, 3));
            }
        });
        NodeId id = ValuePlan.of(DType.F32);
        MemorySegment next = f32(1714, 8);
        try (Mirrors it = mirrors(ValuePlan.single(DType.F32, 8))) {
            it.write("a typed write", id, ones(8));
            it.overwrite("elements", 0, 32, arena -> Batches.write(arena, id, DType.F32, next));
            it.write("a typed write", id, ones(8));
            it.overwrite("a part of a value", 4, 28, arena -> arena.writeValueBytes(id, 4, next.asSlice(4)));
            it.refresh(id);
        }
    }

    /** Half of the memory again is a price; an engine that fills an arena in small steps casts once, at the end. */
    @Test
    default void optional_12_6_modesOfTheShadowAreKept() {
        assumeCapability(Capability.F16_SHADOW);
        float[] data = {1, 2, 3, 4};
        ArenaOptions options = ArenaOptions.defaults();
        try (DeviceArena arena = open(Mirrors.plan(), options.withF16Shadow(F16ShadowMode.OFF))) {
            Check.same("shadow of an arena without", Optional.empty(), arena.unwrap(F16Shadow.class));
            arena.writeInputF32(LAST, DType.F32, data);
            Check.same("a value of it", data, arena.readOutputF32(LAST, DType.F32, 4));
        }
        try (Mirrors it = new Mirrors(open(Mirrors.plan(), options.withF16Shadow(F16ShadowMode.ON_REQUEST)))) {
            it.overwrite("a typed write", 48, 16, arena -> arena.writeInputF32(LAST, DType.F32, data));
            it.refresh(LAST);
        }
    }

    /** Catches a mirror that is old in the view of another graph and looks fresh there. */
    @Test
    default void optional_12_7_mirrorsAreSharedByViews() {
        assumeCapability(Capability.F16_SHADOW);
        try (DeviceArena arena = open(FamilyPlans.ARENA);
                DeviceArena view = arena.view(FamilyPlans.SECOND);
                Mirrors it = new Mirrors(arena.view(FamilyPlans.FIRST), view, arena)) {
            it.write("a typed write", WEIGHT, f32(1911, 16));
            it.overwrite("a raw write", 0, 64, one -> view.writeBytes(0, f32(1912, 16)));
            it.refresh(WEIGHT);
        }
    }

    /** Shows what kernels see; the shadow is memory of the arena. */
    @Test
    default void optional_12_8_shadowIsReadAtAnyOffsetUntilTheClose() {
        F16Shadow shadow;
        try (Mirrors it = mirrors()) {
            shadow = it.shadow;
            it.write("a typed write", WHOLE, f32(1281, 8));
            it.write("a typed write", LAST, f32(1282, 4));
            byte[] all = Mirrors.bytes(shadow, 0, 32);
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
                    () -> shadow.readBytes(0, TestData.memory((byte) 1).asReadOnly()));
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
