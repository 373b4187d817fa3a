package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Every method of an arena but close, isOpen and toString, called as it should be on an arena of the example plan. */
final class EveryCall {
    private final float[] floats = new float[2];
    private final byte[] bytes = new byte[8];
    private final Map<String, Consumer<DeviceArena>> calls = new LinkedHashMap<>();

    EveryCall() {
        MemorySegment memory = MemorySegment.ofArray(bytes);
        MemorySegment source = MemorySegment.ofArray(new byte[8]);
        MemorySegment empty = MemorySegment.ofArray(new byte[0]);
        Batch batch = Batch.builder()
                .floats(NODE_1, DType.F32, floats)
                .bytes(1, memory)
                .build();
        Batch emptyBatch = Batch.builder().build();
        calls.put("device", DeviceArena::device);
        calls.put("plan", DeviceArena::plan);
        calls.put("sizeBytes", DeviceArena::sizeBytes);
        calls.put("segments", DeviceArena::segments);
        calls.put("scratchOffset", DeviceArena::scratchOffset);
        calls.put("hasBuffer", arena -> arena.hasBuffer(NODE_1));
        calls.put("byteOffset", arena -> arena.byteOffset(NODE_1));
        calls.put("lengthBytes", arena -> arena.lengthBytes(NODE_1));
        calls.put("setActualLength", arena -> arena.setActualLength(NODE_1, 32));
        calls.put("writeInputF32 of an array", arena -> arena.writeInputF32(NODE_1, DType.F32, new float[2]));
        calls.put("writeInputF32 of a segment", arena -> arena.writeInputF32(NODE_1, DType.F16, source));
        calls.put("writeInputF32 of no element", arena -> arena.writeInputF32(NODE_1, DType.F32, new float[0]));
        calls.put("readOutputF32 into a new array", arena -> arena.readOutputF32(NODE_1, DType.F32, 2));
        calls.put("readOutputF32 of no element", arena -> arena.readOutputF32(NODE_1, DType.F32, 0));
        calls.put("readOutputF32 into an array", arena -> arena.readOutputF32(NODE_1, DType.BF16, floats));
        calls.put("readOutputF32 into a segment", arena -> arena.readOutputF32(NODE_1, DType.F32, memory));
        calls.put("readBatch", arena -> arena.readBatch(batch));
        calls.put("readBatch of an empty batch", arena -> arena.readBatch(emptyBatch));
        calls.put("beginRead", arena -> arena.beginRead(batch).await());
        calls.put(
                "beginRead of an empty batch",
                arena -> arena.beginRead(emptyBatch).await());
        calls.put("writeBytes", arena -> arena.writeBytes(0, source));
        calls.put("writeBytes of no byte", arena -> arena.writeBytes(0, empty));
        calls.put("writeBytes with progress", arena -> arena.writeBytes(0, source, done -> {}));
        calls.put("writeBytes of no byte with progress", arena -> arena.writeBytes(0, empty, done -> {}));
        calls.put("readBytes", arena -> arena.readBytes(0, memory));
        calls.put("readBytes of no byte", arena -> arena.readBytes(0, empty));
        calls.put("withBytes", arena -> arena.withBytes(0, 8, MemorySegment::byteSize));
        calls.put("withBytes of no byte", arena -> arena.withBytes(0, 0, MemorySegment::byteSize));
        Batch writes = Batch.builder()
                .floats(NODE_1, DType.F32, new float[2])
                .bytes(1, source)
                .build();
        calls.put("writeValueBytes", arena -> arena.writeValueBytes(NODE_1, 1, source));
        calls.put("readValueBytes", arena -> arena.readValueBytes(NODE_1, 1, memory));
        calls.put("writeBatch", arena -> arena.writeBatch(writes));
        Batch noWrites = Batch.builder().build();
        calls.put("writeBatch of an empty batch", arena -> arena.writeBatch(noWrites));
        calls.put("view", arena -> arena.view(arena.plan()).close());
        calls.put("beginWrite", arena -> arena.beginWrite(writes).await());
        calls.put("allocateHost", arena -> arena.allocateHost(8).close());
        calls.put("fillBytes", arena -> arena.fillBytes(1, 7, (byte) 0));
        calls.put("fillBytes of no byte", arena -> arena.fillBytes(0, 0, (byte) 0));
        calls.put("copyBytes", arena -> arena.copyBytes(0, 9, 7));
        calls.put("copyBytes of no byte", arena -> arena.copyBytes(0, 0, 0));
        calls.put("flush", DeviceArena::flush);
        calls.put("unwrap of what it has or has not", arena -> arena.unwrap(MemorySegment.class));
        calls.put("unwrap of what no arena has", arena -> arena.unwrap(EveryCall.class));
    }

    void forEach(BiConsumer<String, Consumer<DeviceArena>> action) {
        calls.forEach(action);
    }

    void clearDestinations() {
        Arrays.fill(floats, -1);
        Arrays.fill(bytes, (byte) 0x3C);
    }

    /** No call has written into a destination since they were cleared. */
    void checkDestinations() {
        Check.same("destination array of refused reads", new float[] {-1, -1}, floats);
        Check.same("destination segment of refused reads", 0, TestData.filled(8, 0x3C), bytes);
    }
}
