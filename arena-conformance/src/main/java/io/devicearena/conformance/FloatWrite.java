package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Every way of host floats into a value. Each changes its memory as soon as the arena must have read it. */
enum FloatWrite {
    /** Out of an array. */
    ARRAY((memory, id, dtype, floats, first) -> {
        float[] own = Arrays.copyOfRange(floats, first, floats.length);
        Check.same("elements written", (long) own.length, memory.arena().writeInputF32(id, dtype, own));
        Arrays.fill(own, FloatWrite.CHANGED);
    }),
    /** Out of native memory at an odd address, which the arena can only read. */
    NATIVE((memory, id, dtype, floats, first) -> {
        MemorySegment own = memory.source(floats.length - first).copyFrom(part(floats, first));
        Check.same(
                "elements written",
                (long) floats.length - first,
                memory.arena().writeInputF32(id, dtype, own.asReadOnly()));
        FloatMemory.change(own);
    }),
    /** In a batch, out of an array. */
    BATCH((memory, id, dtype, floats, first) -> {
        float[] own = Arrays.copyOfRange(floats, first, floats.length);
        memory.arena().writeBatch(batch(id, dtype, MemorySegment.ofArray(own)));
        Arrays.fill(own, FloatWrite.CHANGED);
    }),
    /** In a batch, out of native memory at an odd address. */
    NATIVE_BATCH((memory, id, dtype, floats, first) -> {
        MemorySegment own = memory.source(floats.length - first).copyFrom(part(floats, first));
        memory.arena().writeBatch(batch(id, dtype, own));
        FloatMemory.change(own);
    }),
    /** In a deferred batch, out of an array that is free when the call returns. */
    DEFERRED((memory, id, dtype, floats, first) -> {
        float[] own = Arrays.copyOfRange(floats, first, floats.length);
        Transfer write = memory.arena().beginWrite(batch(id, dtype, MemorySegment.ofArray(own)));
        Arrays.fill(own, FloatWrite.CHANGED);
        write.await();
    }),
    /** In a deferred batch, out of host memory of the arena, which is free at the write. */
    HOST((memory, id, dtype, floats, first) -> {
        int count = floats.length - first;
        MemorySegment own = memory.host(count).copyFrom(part(floats, first));
        memory.arena().beginWrite(batch(id, dtype, own)).await();
        FloatMemory.change(memory.host(count));
    });

    private static final float CHANGED = -1;

    @SuppressWarnings("ImmutableEnumChecker") // the functions capture nothing
    private final Way way;

    FloatWrite(Way way) {
        this.way = way;
    }

    private interface Way {
        void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first);
    }

    /** Writes the floats from the first on, which are not changed, to the beginning of a value. */
    void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first) {
        way.write(memory, id, dtype, floats, first);
    }

    private static MemorySegment part(float[] floats, int first) {
        return MemorySegment.ofArray(floats).asSlice((long) Float.BYTES * first);
    }

    /** The floats, and before them some that they overwrite. */
    private static Batch batch(NodeId id, DType dtype, MemorySegment floats) {
        return Batch.builder()
                .floats(id, dtype, floats.asSlice(0, Math.min(Float.BYTES, floats.byteSize())))
                .floats(id, dtype, floats)
                .build();
    }
}
