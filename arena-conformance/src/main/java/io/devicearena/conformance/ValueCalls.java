package io.devicearena.conformance;

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
    private final float[] floats = {-1, -1};
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
        calls.put("writeBatch" + of, () -> Batches.write(arena, id, dtype, memory));
        calls.put("readBatch" + of, () -> Batches.read(arena, id, dtype, memory));
        calls.put(
                "beginRead" + of,
                () -> arena.beginRead(Batches.elements(id, dtype, memory)).await());
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
        calls.put("readOutputF32 into an array" + of, () -> arena.readOutputF32(id, dtype, floats));
        calls.put("readOutputF32 into a segment" + of, () -> arena.readOutputF32(id, dtype, memory));
        calls.put("writeBatch" + of, () -> arena.writeBatch(Batches.floats(id, dtype, memory)));
        calls.put("readBatch" + of, () -> arena.readBatch(Batches.floats(id, dtype, memory)));
        calls.put(
                "beginRead" + of,
                () -> arena.beginRead(Batches.floats(id, dtype, memory)).await());
        return calls;
    }

    /** Calls that move bytes of a value. */
    Map<String, Runnable> parts(NodeId id, long firstByte, MemorySegment memory) {
        Map<String, Runnable> calls = new LinkedHashMap<>();
        String of = " of " + memory.byteSize() + " bytes from byte " + firstByte + " of " + id;
        calls.put("writeValueBytes" + of, () -> arena.writeValueBytes(id, firstByte, memory));
        calls.put("readValueBytes" + of, () -> arena.readValueBytes(id, firstByte, memory));
        return calls;
    }

    /** No call has written into the memory that they share. */
    void checkMemory(String what) {
        Check.same("array after " + what, new float[] {-1, -1}, floats);
        Check.same("memory after " + what, 0, TestData.filled(8, MARK), bytes);
    }
}
