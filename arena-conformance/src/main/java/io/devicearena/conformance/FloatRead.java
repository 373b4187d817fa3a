package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.function.ToLongFunction;

/** Every way of the elements of a value into host floats. */
enum FloatRead {
    /** Into a new array. */
    NEW_ARRAY((memory, id, dtype, count) -> memory.arena().readOutputF32(id, dtype, count)),
    /** Into an array of the caller. */
    ARRAY((memory, id, dtype, count) -> {
        float[] floats = new float[count];
        Check.same("elements read", (long) count, memory.arena().readOutputF32(id, dtype, floats));
        return floats;
    }),
    /** Into native memory at an odd address. */
    NATIVE((memory, id, dtype, count) ->
            inNative(memory, count, part -> memory.arena().readOutputF32(id, dtype, part))),
    /** In a batch, into an array, behind another region of an odd length. */
    BATCH((memory, id, dtype, count) -> {
        float[] floats = new float[count];
        inBatch(id, dtype, MemorySegment.ofArray(floats), memory.arena()::readBatch);
        return floats;
    }),
    /** In a batch, into native memory at an odd address, behind another region of an odd length. */
    NATIVE_BATCH((memory, id, dtype, count) ->
            inNative(memory, count, part -> inBatch(id, dtype, part, memory.arena()::readBatch))),
    /** In a deferred read into an array. */
    DEFERRED((memory, id, dtype, count) -> {
        float[] floats = new float[count];
        inBatch(
                id,
                dtype,
                MemorySegment.ofArray(floats),
                batch -> memory.arena().beginRead(batch).await());
        return floats;
    }),
    /** In a deferred read into native memory at an odd address, by its future. */
    NATIVE_DEFERRED((memory, id, dtype, count) -> inNative(
            memory,
            count,
            part -> inBatch(
                    id,
                    dtype,
                    part,
                    batch -> memory.arena()
                            .beginRead(batch)
                            .toCompletableFuture()
                            .join())));

    private static final int ODD = 3;

    @SuppressWarnings("ImmutableEnumChecker") // the functions capture nothing
    private final Way way;

    FloatRead(Way way) {
        this.way = way;
    }

    private interface Way {
        float[] read(FloatMemory memory, NodeId id, DType dtype, int count);
    }

    /** Reads so many elements, of which the value has at least as many. */
    float[] read(FloatMemory memory, NodeId id, DType dtype, int count) {
        return way.read(memory, id, dtype, count);
    }

    private static float[] inNative(FloatMemory memory, int count, ToLongFunction<MemorySegment> how) {
        MemorySegment part = memory.destination(count);
        long read = how.applyAsLong(part);
        Check.same("elements read into native memory", (long) count, read);
        float[] floats = new float[count];
        MemorySegment.ofArray(floats).copyFrom(part);
        return floats;
    }

    private static long inBatch(NodeId id, DType dtype, MemorySegment floats, ToLongFunction<Batch> how) {
        Batch batch = Batch.builder()
                .bytes(1, MemorySegment.ofArray(new byte[ODD]))
                .floats(id, dtype, floats)
                .build();
        long count = how.applyAsLong(batch) - ODD;
        Check.same("elements read in a batch", floats.byteSize() / Float.BYTES, count);
        return count;
    }
}
