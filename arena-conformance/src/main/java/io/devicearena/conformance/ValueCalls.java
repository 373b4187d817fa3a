package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/** The calls that name a value, each with the same value, type and memory. */
final class ValueCalls {
    private static final int MARK = 0x3C;

    private final DeviceArena arena;
    private final byte[] bytes = TestData.filled(8, MARK);

    ValueCalls(DeviceArena arena) {
        this.arena = arena;
    }

    /** Calls that move elements of a type as they are. */
    Map<String, Runnable> elements(NodeId id, DType dtype) {
        return elements(id, dtype, MemorySegment.ofArray(bytes));
    }

    /** Calls that move elements of a type as they are, out of or into memory of a caller. */
    Map<String, Runnable> elements(NodeId id, DType dtype, MemorySegment memory) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        String of = " of " + id + " as " + dtype.label();
        calls.put("writeValue" + of, () -> arena.writeValue(id, dtype, memory));
        calls.put("readValue" + of, () -> arena.readValue(id, dtype, memory));
        calls.put(
                "writeBatch" + of,
                () -> arena.writeBatch(
                        Batch.builder().elements(id, dtype, memory).build()));
        calls.put(
                "readBatch" + of,
                () -> arena.readBatch(
                        Batch.builder().elements(id, dtype, memory).build()));
        calls.put(
                "beginRead" + of,
                () -> arena.beginRead(
                                Batch.builder().elements(id, dtype, memory).build())
                        .await());
        return calls;
    }

    /** Calls that move host floats. */
    Map<String, Runnable> floats(NodeId id, DType dtype) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        String of = " of " + id + " as host floats of " + dtype.label();
        calls.put("writeInputF32" + of, () -> arena.writeInputF32(id, dtype, new float[2]));
        calls.put("writeInputF32 by segment" + of, () -> arena.writeInputF32(id, dtype, memory));
        calls.put("readOutputF32" + of, () -> arena.readOutputF32(id, dtype, 2));
        calls.put("readOutputF32 into an array" + of, () -> arena.readOutputF32(id, dtype, new float[2]));
        calls.put("readOutputF32 into a segment" + of, () -> arena.readOutputF32(id, dtype, memory));
        calls.put(
                "writeBatch" + of,
                () -> arena.writeBatch(Batch.builder().floats(id, dtype, memory).build()));
        calls.put(
                "readBatch" + of,
                () -> arena.readBatch(Batch.builder().floats(id, dtype, memory).build()));
        calls.put(
                "beginRead" + of,
                () -> arena.beginRead(Batch.builder().floats(id, dtype, memory).build())
                        .await());
        return calls;
    }

    /** Calls that move bytes of a value. */
    Map<String, Runnable> parts(NodeId id, long firstByte, MemorySegment memory) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        String of = " of " + memory.byteSize() + " bytes from byte " + firstByte + " of " + id;
        calls.put("writeValueBytes" + of, () -> arena.writeValueBytes(id, firstByte, memory));
        calls.put("writeValueBytes with progress" + of, () -> arena.writeValueBytes(id, firstByte, memory, done -> {}));
        calls.put("readValueBytes" + of, () -> arena.readValueBytes(id, firstByte, memory));
        return calls;
    }

    /** Calls with null where there must be something. */
    @SuppressWarnings("NullAway") // null is what is tested
    Map<String, Runnable> withNull() {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        MemorySegment memory = MemorySegment.ofArray(bytes);
        NodeId id = ValuePlan.of(DType.I32);
        calls.put("writeValue of a null value", () -> arena.writeValue(null, DType.I32, memory));
        calls.put("writeValue with a null dtype", () -> arena.writeValue(id, null, memory));
        calls.put("writeValue of a null segment", () -> arena.writeValue(id, DType.I32, null));
        calls.put("readValue of a null value", () -> arena.readValue(null, DType.I32, memory));
        calls.put("readValue with a null dtype", () -> arena.readValue(id, null, memory));
        calls.put("readValue into a null segment", () -> arena.readValue(id, DType.I32, null));
        calls.put("writeValueBytes of a null value", () -> arena.writeValueBytes(null, 0, memory));
        calls.put("writeValueBytes of a null segment", () -> arena.writeValueBytes(id, 0, null));
        calls.put("writeValueBytes with a null progress", () -> arena.writeValueBytes(id, 0, memory, null));
        calls.put("readValueBytes of a null value", () -> arena.readValueBytes(null, 0, memory));
        calls.put("readValueBytes into a null segment", () -> arena.readValueBytes(id, 0, null));
        return calls;
    }

    /** No call has written into the memory that they share. */
    void checkMemory(String what) {
        Check.same("memory after " + what, 0, TestData.filled(8, MARK), bytes);
    }
}
