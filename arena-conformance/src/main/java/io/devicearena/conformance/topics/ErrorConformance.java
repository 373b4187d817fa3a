package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_8;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_9;

import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 14: refused calls and their messages, and the largest arena.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ErrorConformance extends ConformanceTopic {
    /** Catches a fused value that reads as the bytes at offset 0, and a length that returns a neighbour's bytes. */
    @Test
    default void required_14_1_badValuesAndLengthsAreRefused() {
        try (Refusals refusals = new Refusals(openExample())) {
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                refusals.each(
                        call -> call.takesValue()
                                && (call.takes() != ArenaCall.Takes.VALUE
                                        || call.name().startsWith("set")), // the others ask
                        IllegalArgumentException.class,
                        "",
                        ArenaCall.With.memory(refusals.memory(4)).of(id),
                        id);
            }
            List<Long> lengths = new ArrayList<>(Check.HUGE);
            lengths.addAll(List.of(-1L, 33L, (1L << 32) + 4, Long.MIN_VALUE));
            for (long length : lengths) {
                refusals.invalid(
                        "length " + length + " for node 1 of 32 bytes",
                        () -> refusals.arena.setActualLength(NODE_1, length),
                        length,
                        32,
                        NODE_1);
            }
        }
    }

    /** Catches a null that is found only after something was written. */
    @Test
    @SuppressWarnings("NullAway") // null is what is tested
    default void required_14_2_nullIsRefused() {
        try (Refusals refusals = new Refusals(openExample())) {
            Class<NullPointerException> none = NullPointerException.class;
            DeviceArena arena = refusals.arena;
            MemorySegment memory = refusals.memory(8);
            Map<String, Executable> calls = new LinkedHashMap<>();
            calls.put("writeInputF32 of a null array", () -> arena.writeInputF32(NODE_1, DType.F32, (float[]) null));
            calls.put("readOutputF32 into a null array", () -> arena.readOutputF32(NODE_1, DType.F32, (float[]) null));
            calls.put("writeBatch(null)", () -> arena.writeBatch(null));
            calls.put("beginWrite(null)", () -> arena.beginWrite(null));
            calls.put("readBatch(null)", () -> arena.readBatch(null));
            calls.put("beginRead(null)", () -> arena.beginRead(null));
            calls.put("view(null)", () -> arena.view(null));
            calls.put("writeBytes with a null progress", () -> arena.writeBytes(0, memory, null));
            calls.put("withBytes to a null reader", () -> arena.withBytes(0, 1, null));
            calls.forEach((what, call) -> refusals.refused(none, what, call));
            ArenaCall.With sound = ArenaCall.With.memory(memory);
            refusals.each(ArenaCall::takesValue, none, " of a null value", sound.of(null));
            refusals.each(ArenaCall::takesType, none, " with a null type", sound.as(null));
            ArenaCall.With noMemory = new ArenaCall.With(NODE_1, DType.F32, 0, 8, null);
            refusals.each(ArenaCall::passesMemory, none, " with a null segment", noMemory);
        }
    }

    /** Catches data that is silently cut, and native code that writes where it must not. */
    @Test
    default void required_14_3_badSizesAndReadOnlyMemoryAreRefused() {
        try (Refusals refusals = new Refusals(openExample());
                Arena memory = Arena.ofShared()) {
            MemorySegment outside = memory.allocate(8, 8);
            Class<IllegalArgumentException> invalid = IllegalArgumentException.class;
            Predicate<ArenaCall> takesFloats = call -> call.passesMemory() && call.takes() == ArenaCall.Takes.FLOATS;
            refusals.each(takesFloats, invalid, " with 19 bytes", ArenaCall.With.memory(refusals.memory(19)), 19);
            for (MemorySegment own : List.of(outside, refusals.memory(8))) {
                refusals.each(
                        call -> call.passesMemory() && call.memory() == ArenaCall.Use.DESTINATION,
                        invalid,
                        own.isNative() ? " into read-only native memory" : " into a read-only array",
                        ArenaCall.With.memory(own.asReadOnly()));
            }
            Check.same("read-only memory after that", 0, new byte[8], outside.toArray(Batches.BYTE));
            refusals.invalid("-3 elements wanted", () -> refusals.arena.readOutputF32(NODE_1, DType.F32, -3), -3);
            for (long huge : Check.HUGE) {
                Check.same(huge + " elements wanted", 5, refusals.arena.readOutputF32(NODE_1, DType.F32, huge).length);
            }
        }
    }

    /** Native code would read freed memory; also catches an arena that then counts as closed. */
    @Test
    default void required_14_4_closedMemoryIsRefused() {
        MemorySegment dead;
        try (Arena memory = Arena.ofShared()) {
            dead = memory.allocate(8, 8);
        }
        try (Refusals refusals = new Refusals(openExample())) {
            ArenaCall.With with = ArenaCall.With.memory(dead);
            refusals.each(ArenaCall::passesMemory, IllegalStateException.class, " with closed memory", with);
        }
    }

    /** Catches a check made before the scratch is added, and a sum that overflows to a small number. */
    @Test
    default void required_14_5_planPastTheLimitIsRefusedWithFigures() {
        ArenaOptions scratch = ArenaOptions.defaults().withScratchBytes(1);
        Check.assertInvalid(
                "a plan of 2^63 - 1 bytes with a byte of scratch",
                () -> open(ExamplePlan.bytes(Long.MAX_VALUE), scratch).close());
        long limit = device().limits().maxArenaBytes();
        if (limit > Long.MAX_VALUE - 16) {
            throw skip("its arenas have no limit");
        }
        String name = device().limits().maxArenaName();
        String figure = String.format(Locale.ROOT, "%.2f GiB", limit / (double) (1L << 30));
        String larger = "a plan of " + (limit + 1) + " bytes where " + limit + " are allowed";
        Executable plan = () -> open(ExamplePlan.bytes(limit + 1));
        Check.assertInvalid(larger, plan, limit, limit + 1, name, figure);
        String largest = "a plan of " + limit + " bytes, the limit, with a byte of scratch";
        Executable withScratch = () -> open(ExamplePlan.bytes(limit), scratch);
        Check.assertInvalid(largest, withScratch, limit, limit + 16, name, figure);
        openExample().close();
    }

    /** Kernels bind windows of a large arena; their limit is not the arena's. */
    @Test
    default void stochastic_14_6_arenaMayBeLargerThanABinding() {
        ArenaLimits limits = device().limits();
        if (limits.maxBindingBytes() > limits.maxArenaBytes() - limits.alignmentBytes()) {
            throw skip("a binding of it covers its largest arena");
        }
        long size = limits.maxBindingBytes() + limits.alignmentBytes();
        try (DeviceArena arena = LargeArena.open(this, ExamplePlan.bytes(size))) {
            for (long at : new long[] {0, size - 5}) {
                byte[] bytes = TestData.bytes(105 + at, 5);
                arena.writeBytes(at, MemorySegment.ofArray(bytes));
                Check.holds("5 bytes at " + at, arena, at, bytes);
            }
        }
    }
}
