package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_8;
import static io.devicearena.conformance.oracle.ExamplePlan.NODE_9;

import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.SparseFile;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 14: refused calls and their messages, and the largest arena.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ErrorConformance extends ConformanceTopic {
    private static ArenaCall.With with(byte[] memory) {
        return ArenaCall.With.memory(DType.F32, 0, MemorySegment.ofArray(memory));
    }

    /** Catches a fused value that reads as the bytes at offset 0, and a length that returns a neighbour's bytes. */
    @Test
    default void required_14_1_badValuesAndLengthsAreRefused() {
        try (DeviceArena arena = openExample()) {
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                ArenaCall.With with = with(new byte[4]).of(id);
                badValues().forEach(call -> Check.assertInvalid(call.with(with), () -> call.on(arena, with), id));
            }
            arena.setActualLength(NODE_1, 20);
            for (long length : new long[] {-1, 33, (1L << 32) + 4, Long.MAX_VALUE, Long.MIN_VALUE}) {
                Executable call = () -> arena.setActualLength(NODE_1, length);
                Check.assertInvalid("length " + length + " for node 1 of 32 bytes", call, length, 32, NODE_1);
                Check.same("length of node 1 after that", 20L, arena.lengthBytes(NODE_1));
            }
        }
    }

    /** Calls that name a value; three of them only ask. */
    private static List<ArenaCall> badValues() {
        return ArenaCall.of(
                        ArenaCall.Takes.FLOATS, ArenaCall.Takes.ELEMENTS, ArenaCall.Takes.PART, ArenaCall.Takes.VALUE)
                .stream()
                .filter(call ->
                        call.takes() != ArenaCall.Takes.VALUE || call.name().startsWith("set"))
                .toList();
    }

    /** Catches a null that is found only after something was written. */
    @Test
    default void required_14_2_nullIsRefused() {
        try (DeviceArena arena = openExample()) {
            nulls(arena).forEach((what, call) -> Check.assertRefused(NullPointerException.class, what, call::run));
        }
    }

    /** Calls with null where there must be something. */
    @SuppressWarnings("NullAway") // null is what is tested
    private static Map<String, Runnable> nulls(DeviceArena arena) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        MemorySegment memory = MemorySegment.ofArray(new byte[8]);
        calls.put("writeInputF32 of a null array", () -> arena.writeInputF32(NODE_1, DType.F32, (float[]) null));
        calls.put("readOutputF32 into a null array", () -> arena.readOutputF32(NODE_1, DType.F32, (float[]) null));
        calls.put("writeBatch(null)", () -> arena.writeBatch(null));
        calls.put("beginWrite(null)", () -> arena.beginWrite(null));
        calls.put("readBatch(null)", () -> arena.readBatch(null));
        calls.put("beginRead(null)", () -> arena.beginRead(null));
        calls.put("view(null)", () -> arena.view(null));
        calls.put("writeBytes with a null progress", () -> arena.writeBytes(0, memory, null));
        calls.put("withBytes to a null reader", () -> arena.withBytes(0, 1, null));
        ArenaCall.With noValue = new ArenaCall.With(null, DType.F32, 0, 8, memory);
        ArenaCall.With noType = new ArenaCall.With(NODE_1, null, 0, 8, memory);
        ArenaCall.With noMemory = new ArenaCall.With(NODE_1, DType.F32, 0, 8, null);
        for (ArenaCall call : ArenaCall.ALL) {
            boolean isTyped = call.takes() == ArenaCall.Takes.FLOATS || call.takes() == ArenaCall.Takes.ELEMENTS;
            if (isTyped || call.takes() == ArenaCall.Takes.VALUE || call.takes() == ArenaCall.Takes.PART) {
                calls.put(call.name() + " of a null value", () -> call.on(arena, noValue));
            }
            if (isTyped) {
                calls.put(call.name() + " with a null type", () -> call.on(arena, noType));
            }
            if (call.passesMemory()) {
                calls.put(call.name() + " with a null segment", () -> call.on(arena, noMemory));
            }
        }
        return calls;
    }

    /** Catches data that is silently cut, and native code that writes where it must not. */
    @Test
    default void required_14_3_badSizesAndReadOnlyMemoryAreRefused() {
        try (DeviceArena arena = openExample();
                Arena memory = Arena.ofShared()) {
            for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.FLOATS)) {
                if (call.passesMemory()) {
                    Check.assertInvalid(call.name() + " with 7 bytes", () -> call.on(arena, with(new byte[7])));
                }
            }
            Check.assertInvalid("readOutputF32 of -1 elements", () -> arena.readOutputF32(NODE_1, DType.F32, -1));
            for (MemorySegment own : List.of(memory.allocate(8, 8), MemorySegment.ofArray(new long[1]))) {
                ArenaCall.With with = ArenaCall.With.memory(DType.F32, 0, own.asReadOnly());
                for (ArenaCall call : ArenaCall.ALL) {
                    if (call.memory() == ArenaCall.Use.SOURCE) {
                        call.on(arena, with);
                    } else if (call.passesMemory()) {
                        Check.assertInvalid(
                                call.name() + " into read-only " + (own.isNative() ? "native memory" : "arrays"),
                                () -> call.on(arena, with));
                    }
                }
                Check.same("read-only memory after that", 0, new byte[8], own.toArray(Batches.BYTE));
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
        try (DeviceArena arena = openExample()) {
            ArenaCall.ALL.stream()
                    .filter(ArenaCall::passesMemory)
                    .forEach(call -> Check.assertClosed(
                            call.name() + " with closed memory",
                            () -> call.on(arena, ArenaCall.With.memory(DType.F32, 0, dead))));
            Check.same("isOpen after that", true, arena.isOpen());
            Check.holds("arena after that", arena, 0, ExamplePlan.filled());
        }
    }

    /** Catches the error that is thrown after half of the write. */
    @Test
    default void required_14_5_refusedCallsChangeNothing() {
        byte[] memory = TestData.filled(8, 0x3C);
        byte[] many = TestData.filled(94, 0x3C);
        try (DeviceArena arena = openExample()) {
            arena.setActualLength(NODE_1, 20);
            Map<String, Runnable> calls = nulls(arena);
            for (NodeId id : List.of(NODE_8, NODE_9)) {
                badValues().forEach(call -> add(calls, arena, call, with(memory).of(id)));
            }
            for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.FLOATS)) {
                add(calls, arena, call, ArenaCall.With.memory(DType.I32, 0, MemorySegment.ofArray(memory)));
                if (call.passesMemory()) {
                    add(calls, arena, call, with(memory, 0, 7));
                }
            }
            for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.RANGE, ArenaCall.Takes.PART)) {
                add(calls, arena, call, with(memory, -1, 8));
                add(calls, arena, call, with(memory, 86, 8));
                add(calls, arena, call, with(many));
            }
            add(calls, arena, ArenaCall.of(ArenaCall.Takes.ELEMENTS).getFirst(), with(many, 0, 36));
            Batch late = Batch.builder()
                    .floats(NODE_1, DType.F32, MemorySegment.ofArray(many).asSlice(0, 8))
                    .bytes(93, MemorySegment.ofArray(memory))
                    .build();
            calls.put("readBatch whose second region is bad", () -> arena.readBatch(late));
            calls.put("beginRead whose second region is bad", () -> arena.beginRead(late));
            calls.forEach((what, call) -> {
                try {
                    call.run();
                } catch (RuntimeException e) {
                    // other clauses check the exception; this one checks what the call changed
                }
                Check.holds("arena after " + what, arena, 0, ExamplePlan.filled());
                Check.same("length of node 1 after " + what, 20L, arena.lengthBytes(NODE_1));
                Check.same("memory after " + what, 0, TestData.filled(8, 0x3C), memory);
                Check.same("long memory after " + what, 0, TestData.filled(94, 0x3C), many);
            });
            arena.writeInputF32(NODE_1, DType.F32, new float[] {1, 2});
            Check.same("node 1 after refused calls", new float[] {1, 2}, arena.readOutputF32(NODE_1, DType.F32, 2));
        }
    }

    private static ArenaCall.With with(byte[] memory, long offset, long length) {
        return ArenaCall.With.memory(
                DType.F32, offset, MemorySegment.ofArray(memory).asSlice(0, length));
    }

    private static void add(Map<String, Runnable> calls, DeviceArena arena, ArenaCall call, ArenaCall.With with) {
        calls.put(call.name() + " with " + with, () -> call.on(arena, with));
    }

    /** The log line alone must be enough to find the error. */
    @Test
    default void required_14_6_messagesHoldTheFigures() {
        try (DeviceArena arena = openExample()) {
            ArenaCall.With range = with(new byte[19], 81, 19);
            ArenaCall.of(ArenaCall.Takes.RANGE)
                    .forEach(call ->
                            Check.assertInvalid(call.with(range) + ", of 93", () -> call.on(arena, range), 81, 19, 93));
            ArenaCall.With part = with(new byte[19], 15, 19);
            ArenaCall.of(ArenaCall.Takes.PART)
                    .forEach(call ->
                            Check.assertInvalid(call.with(part), () -> call.on(arena, part), 15, 19, 32, NODE_1));
            MemorySegment many = MemorySegment.ofArray(new short[19]);
            Executable write = () -> Batches.write(arena, NODE_1, DType.I16, many);
            Check.assertInvalid("19 elements for node 1 of 32 bytes", write, 38, 32, NODE_1);
            Check.assertInvalid("-3 elements wanted", () -> arena.readOutputF32(NODE_1, DType.F32, -3), -3);
            Check.assertInvalid(
                    "floats of 19 bytes", () -> arena.writeInputF32(NODE_1, DType.F32, many.asSlice(0, 19)), 19);
            Check.assertInvalid("host memory of -5 bytes", () -> arena.allocateHost(-5), -5);
            Check.assertInvalid("a view of 78 bytes", () -> arena.view(ExamplePlan.bytes(78)), 78, 77);
            Transfer read = arena.beginRead(Batches.bytes(0, new byte[1]));
            Check.assertInvalid("a wait of -7 s", () -> read.await(Duration.ofSeconds(-7)), Duration.ofSeconds(-7));
            read.await();
        }
    }

    /**
     * Catches an {@code int} on the way, which makes a small figure of a large one, and sums that overflow.
     *
     * @throws IOException if a file of the machine's temporary folder cannot be mapped
     */
    @Test
    default void required_14_7_hugeSizesAreRefused() throws IOException {
        MemorySegment eight = MemorySegment.ofArray(new byte[8]);
        try (DeviceArena arena = openExample();
                Arena memory = Arena.ofShared()) {
            for (long huge : new long[] {
                1L << 31, (1L << 31) + 8, 1L << 32, (1L << 32) + 8, (1L << 32) - 8, 1L << 62, Long.MAX_VALUE - 8
            }) {
                for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.RANGE, ArenaCall.Takes.PART)) {
                    ArenaCall.With far = ArenaCall.With.memory(DType.F32, huge, eight);
                    Check.assertInvalid(call.with(far), () -> call.on(arena, far));
                    ArenaCall.With many = new ArenaCall.With(NODE_1, DType.F32, 8, huge, eight);
                    if (!call.passesMemory()) {
                        Check.assertInvalid(call.with(many), () -> call.on(arena, many));
                    }
                }
                Check.assertInvalid("an actual length of " + huge, () -> arena.setActualLength(NODE_1, huge));
                Check.assertInvalid("a view of " + huge + " bytes", () -> arena.view(ExamplePlan.bytes(huge)));
                Check.same(huge + " elements wanted", 8, arena.readOutputF32(NODE_1, DType.F32, huge).length);
            }
            ArenaCall.With sparse = ArenaCall.With.memory(DType.U8, 0, SparseFile.map((1L << 32) + 8, memory));
            for (ArenaCall call : ArenaCall.ALL) { // others are cut to what the value has
                if (call.passesMemory()
                        && call.takes() != ArenaCall.Takes.FLOATS
                        && (call.memory() == ArenaCall.Use.SOURCE || call.takes() != ArenaCall.Takes.ELEMENTS)) {
                    Check.assertInvalid(call.name() + " with 2^32 + 8 bytes", () -> call.on(arena, sparse));
                }
            }
            Check.holds("arena after calls with huge sizes", arena, 0, ExamplePlan.filled());
        }
    }

    /** Catches a check made before the scratch is added, and a sum that overflows to a small number. */
    @Test
    default void required_14_8_planPastTheLimitIsRefusedWithFigures() {
        ArenaOptions scratch = ArenaOptions.defaults().withScratchBytes(1);
        Check.assertInvalid(
                "a plan of 2^63 - 1 bytes with a byte of scratch",
                () -> open(ExamplePlan.bytes(Long.MAX_VALUE), scratch));
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
    default void stochastic_14_9_arenaMayBeLargerThanABinding() {
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
