package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;

/**
 * A way of the elements of node 1 between the arena and memory of a caller.
 *
 * @param name for messages
 * @param dtype F32 where the bytes are moved as they are, else the type to which host floats are cast
 * @param move moves all of the memory
 */
record MemoryWay(String name, DType dtype, Move move) {
    /** Moves all of the memory. */
    interface Move {
        void move(DeviceArena arena, MemorySegment memory);
    }

    private static Consumer<Batch.Builder> bytes(long at, MemorySegment source) {
        return batch -> batch.bytes(at, source);
    }

    /** Writes a region behind another one, which it overwrites. */
    private static void batch(long at, DeviceArena arena, boolean deferred, Consumer<Batch.Builder> region) {
        Batch.Builder batch = Batch.builder().bytes(at, Segments.of((byte) 1, (byte) 2));
        region.accept(batch);
        if (deferred) {
            arena.beginWrite(batch.build());
        } else {
            arena.writeBatch(batch.build());
        }
    }

    /** Every way in for a value that begins at an offset in bytes. */
    static List<MemoryWay> writes(long at) {
        return List.of(
                new MemoryWay("writeBytes", DType.F32, (arena, source) -> arena.writeBytes(at, source)),
                new MemoryWay(
                        "writeBytes with progress",
                        DType.F32,
                        (arena, source) -> arena.writeBytes(at, source, done -> {})),
                new MemoryWay(
                        "writeValueBytes", DType.F32, (arena, source) -> arena.writeValueBytes(NODE_1, 0, source)),
                new MemoryWay(
                        "writeInputF32", DType.F32, (arena, source) -> arena.writeInputF32(NODE_1, DType.F32, source)),
                new MemoryWay(
                        "writeInputF32 as F16",
                        DType.F16,
                        (arena, source) -> arena.writeInputF32(NODE_1, DType.F16, source)),
                new MemoryWay(
                        "writeBatch of bytes",
                        DType.F32,
                        (arena, source) -> batch(at, arena, false, bytes(at, source))),
                new MemoryWay(
                        "writeBatch of elements",
                        DType.F32,
                        (arena, source) -> batch(at, arena, false, all -> all.elements(NODE_1, DType.U32, source))),
                new MemoryWay(
                        "writeBatch of floats as BF16",
                        DType.BF16,
                        (arena, source) -> batch(at, arena, false, all -> all.floats(NODE_1, DType.BF16, source))),
                new MemoryWay(
                        "beginWrite of bytes", DType.F32, (arena, source) -> batch(at, arena, true, bytes(at, source))),
                new MemoryWay(
                        "beginWrite of elements",
                        DType.F32,
                        (arena, source) -> batch(at, arena, true, all -> all.elements(NODE_1, DType.I8, source))),
                new MemoryWay(
                        "beginWrite of floats as F16",
                        DType.F16,
                        (arena, source) -> batch(at, arena, true, all -> all.floats(NODE_1, DType.F16, source))));
    }

    private static Batch batch(Consumer<Batch.Builder> region) {
        Batch.Builder batch = Batch.builder().bytes(0, MemorySegment.ofArray(new byte[3]));
        region.accept(batch);
        return batch.build();
    }

    /** Every way out of a value that begins at an offset in bytes. */
    static List<MemoryWay> reads(long at) {
        return List.of(
                new MemoryWay("readBytes", DType.F32, (arena, into) -> arena.readBytes(at, into)),
                new MemoryWay("readValueBytes", DType.F32, (arena, into) -> arena.readValueBytes(NODE_1, 0, into)),
                new MemoryWay(
                        "readOutputF32", DType.F32, (arena, into) -> arena.readOutputF32(NODE_1, DType.F32, into)),
                new MemoryWay(
                        "readOutputF32 of F16",
                        DType.F16,
                        (arena, into) -> arena.readOutputF32(NODE_1, DType.F16, into)),
                new MemoryWay(
                        "readBatch of bytes",
                        DType.F32,
                        (arena, into) -> arena.readBatch(batch(all -> all.bytes(at, into)))),
                new MemoryWay(
                        "readBatch of elements",
                        DType.F32,
                        (arena, into) -> arena.readBatch(batch(all -> all.elements(NODE_1, DType.U16, into)))),
                new MemoryWay(
                        "readBatch of BF16",
                        DType.BF16,
                        (arena, into) -> arena.readBatch(batch(all -> all.floats(NODE_1, DType.BF16, into)))),
                new MemoryWay(
                        "beginRead of bytes",
                        DType.F32,
                        (arena, into) -> arena.beginRead(batch(all -> all.bytes(at, into)))
                                .await()),
                new MemoryWay(
                        "beginRead of elements",
                        DType.F32,
                        (arena, into) -> arena.beginRead(batch(all -> all.elements(NODE_1, DType.BOOL, into)))
                                .await()),
                new MemoryWay(
                        "beginRead of F16",
                        DType.F16,
                        (arena, into) -> arena.beginRead(batch(all -> all.floats(NODE_1, DType.F16, into)))
                                .await()));
    }
}
