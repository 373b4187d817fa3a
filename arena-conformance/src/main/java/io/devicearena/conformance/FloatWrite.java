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
    ARRAY {
        @Override
        void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first) {
            float[] own = Arrays.copyOfRange(floats, first, floats.length);
            Check.same("elements written", (long) own.length, memory.arena().writeInputF32(id, dtype, own));
            Arrays.fill(own, CHANGED);
        }
    },
    /** Out of native memory at an odd address, which the arena can only read. */
    NATIVE {
        @Override
        void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first) {
            MemorySegment own = memory.source(floats.length - first).copyFrom(part(floats, first));
            Check.same(
                    "elements written",
                    (long) floats.length - first,
                    memory.arena().writeInputF32(id, dtype, own.asReadOnly()));
            FloatMemory.change(own);
        }
    },
    /** In a batch, out of an array. */
    BATCH {
        @Override
        void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first) {
            float[] own = Arrays.copyOfRange(floats, first, floats.length);
            memory.arena().writeBatch(batch(id, dtype, MemorySegment.ofArray(own)));
            Arrays.fill(own, CHANGED);
        }
    },
    /** In a batch, out of native memory at an odd address. */
    NATIVE_BATCH {
        @Override
        void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first) {
            MemorySegment own = memory.source(floats.length - first).copyFrom(part(floats, first));
            memory.arena().writeBatch(batch(id, dtype, own));
            FloatMemory.change(own);
        }
    },
    /** In a deferred batch, out of an array that is free when the call returns. */
    DEFERRED {
        @Override
        void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first) {
            float[] own = Arrays.copyOfRange(floats, first, floats.length);
            Transfer write = memory.arena().beginWrite(batch(id, dtype, MemorySegment.ofArray(own)));
            Arrays.fill(own, CHANGED);
            write.await();
        }
    },
    /** In a deferred batch, out of host memory of the arena, which is free at the write. */
    HOST {
        @Override
        void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first) {
            int count = floats.length - first;
            MemorySegment own = memory.host(count).copyFrom(part(floats, first));
            memory.arena().beginWrite(batch(id, dtype, own)).await();
            FloatMemory.change(memory.host(count));
        }
    };

    private static final float CHANGED = -1;

    /** Writes the floats from the first on, which are not changed, to the beginning of a value. */
    abstract void write(FloatMemory memory, NodeId id, DType dtype, float[] floats, int first);

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
