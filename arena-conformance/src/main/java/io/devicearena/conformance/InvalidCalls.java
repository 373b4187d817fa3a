package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_8;
import static io.devicearena.conformance.ExamplePlan.NODE_9;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Calls that an arena of the example plan must refuse, each named after its fault. */
final class InvalidCalls {
    private static final int MARK = 0x3C;

    private final DeviceArena arena;
    private final ValueCalls values;
    private final float[] data = {7, 7};
    private final byte[] bytes = TestData.filled(8, MARK);
    private final byte[] tooMany = TestData.filled(94, MARK);
    private final float[] floats = {-1, -1};

    private InvalidCalls(DeviceArena arena) {
        this.arena = arena;
        this.values = new ValueCalls(arena);
    }

    static InvalidCalls on(DeviceArena arena) {
        return new InvalidCalls(arena);
    }

    /** Calls with a value that has no slot. */
    Map<String, Runnable> withValue(NodeId id) {
        Map<String, Runnable> calls = values.floats(id, DType.F32);
        calls.put("setActualLength of " + id, () -> arena.setActualLength(id, 0));
        return calls;
    }

    /** Calls with a type that is no host float. */
    Map<String, Runnable> withType(DType dtype) {
        return values.floats(NODE_1, dtype);
    }

    /** Calls with null where there must be something. */
    @SuppressWarnings("NullAway") // null is what is tested
    Map<String, Runnable> withNull() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        calls.put("hasBuffer(null)", () -> arena.hasBuffer(null));
        calls.put("byteOffset(null)", () -> arena.byteOffset(null));
        calls.put("lengthBytes(null)", () -> arena.lengthBytes(null));
        calls.put("setActualLength(null, 0)", () -> arena.setActualLength(null, 0));
        calls.put("writeInputF32 of a null value", () -> arena.writeInputF32(null, DType.F32, data));
        calls.put("writeInputF32 of a null value by segment", () -> arena.writeInputF32(null, DType.F32, memory));
        calls.put("writeInputF32 with a null dtype", () -> arena.writeInputF32(NODE_1, null, data));
        calls.put("writeInputF32 with a null dtype by segment", () -> arena.writeInputF32(NODE_1, null, memory));
        calls.put("writeInputF32 of a null array", () -> arena.writeInputF32(NODE_1, DType.F32, (float[]) null));
        calls.put(
                "writeInputF32 of a null segment", () -> arena.writeInputF32(NODE_1, DType.F32, (MemorySegment) null));
        calls.put("readOutputF32 of a null value", () -> arena.readOutputF32(null, DType.F32, 1));
        calls.put("readOutputF32 with a null dtype", () -> arena.readOutputF32(NODE_1, null, 1));
        calls.put("readOutputF32 into a null array", () -> arena.readOutputF32(NODE_1, DType.F32, (float[]) null));
        calls.put(
                "readOutputF32 into a null segment",
                () -> arena.readOutputF32(NODE_1, DType.F32, (MemorySegment) null));
        calls.put("readBatch(null)", () -> arena.readBatch(null));
        calls.put("beginRead(null)", () -> arena.beginRead(null));
        calls.put("writeBytes of a null segment", () -> arena.writeBytes(0, null));
        calls.put("writeBytes of a null segment with progress", () -> arena.writeBytes(0, null, done -> {}));
        calls.put("writeBytes with a null progress", () -> arena.writeBytes(0, memory, null));
        calls.put("readBytes into a null segment", () -> arena.readBytes(0, null));
        calls.put("writeValueBytes of a null value", () -> arena.writeValueBytes(null, 0, memory));
        calls.put("writeValueBytes of a null segment", () -> arena.writeValueBytes(NODE_1, 0, null));
        calls.put("readValueBytes of a null value", () -> arena.readValueBytes(null, 0, memory));
        calls.put("readValueBytes into a null segment", () -> arena.readValueBytes(NODE_1, 0, null));
        calls.put("withBytes to a null reader", () -> arena.withBytes(0, 1, null));
        return calls;
    }

    /** Calls with memory or a number of elements that cannot be right. */
    Map<String, Runnable> withBadMemory() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        MemorySegment seven = MemorySegment.ofArray(bytes).asSlice(0, 7);
        MemorySegment readOnly = MemorySegment.ofArray(bytes).asReadOnly();
        calls.put("writeInputF32 of 7 bytes", () -> arena.writeInputF32(NODE_1, DType.F32, seven));
        calls.put("readOutputF32 into 7 bytes", () -> arena.readOutputF32(NODE_1, DType.F32, seven));
        calls.put("readOutputF32 of -1 elements", () -> arena.readOutputF32(NODE_1, DType.F32, -1));
        calls.put("readOutputF32 into read-only memory", () -> arena.readOutputF32(NODE_1, DType.F32, readOnly));
        calls.put("readBytes into read-only memory", () -> arena.readBytes(0, readOnly));
        Batch batch = Batches.bytes(0, readOnly);
        calls.put("readBatch into read-only memory", () -> arena.readBatch(batch));
        calls.put("beginRead into read-only memory", () -> arena.beginRead(batch));
        return calls;
    }

    /** Calls with a range outside the arena of 93 bytes, or a length outside the slot. */
    private Map<String, Runnable> withBadRange() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        MemorySegment all = MemorySegment.ofArray(tooMany);
        Batch batch = Batch.builder()
                .floats(NODE_1, DType.F32, floats)
                .bytes(93, memory)
                .build();
        calls.put("setActualLength of -1", () -> arena.setActualLength(NODE_1, -1));
        calls.put("setActualLength of 33", () -> arena.setActualLength(NODE_1, 33));
        calls.put("writeBytes at 86 of 8 bytes", () -> arena.writeBytes(86, memory));
        calls.put("writeBytes at 86 of 8 bytes with progress", () -> arena.writeBytes(86, memory, done -> {}));
        calls.put("writeBytes at 0 of 94 bytes", () -> arena.writeBytes(0, all));
        calls.put("readBytes at 86 of 8 bytes", () -> arena.readBytes(86, memory));
        calls.put("readBytes at -1", () -> arena.readBytes(-1, memory));
        calls.put("readBatch whose second region is bad", () -> arena.readBatch(batch));
        calls.put("beginRead whose second region is bad", () -> arena.beginRead(batch));
        return calls;
    }

    /** All of them. */
    Map<String, Runnable> all() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        calls.putAll(withValue(NODE_8));
        calls.putAll(withValue(NODE_9));
        calls.putAll(withType(DType.I32));
        calls.putAll(withType(DType.BOOL));
        calls.putAll(withNull());
        calls.putAll(withBadMemory());
        calls.putAll(withBadRange());
        return calls;
    }

    /** No call has written into a destination. */
    void checkDestinations(String what) {
        values.checkMemory(what);
        Check.same("destination array after " + what, new float[] {-1, -1}, floats);
        Check.same("destination memory after " + what, 0, TestData.filled(8, MARK), bytes);
        Check.isTrue(
                "long destination after " + what + ": expected it unchanged",
                Arrays.equals(tooMany, TestData.filled(94, MARK)));
    }
}
