package io.devicearena.conformance;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.NodeId;
import io.devicearena.WriteBatch;
import io.devicearena.WriteFence;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Every way of host floats into a value. Each changes its memory as soon as the arena must have read it. */
enum FloatWrite {
    /** Out of an array. */
    ARRAY {
        @Override
        void write(DeviceArena arena, NodeId id, DType dtype, float[] floats, int first) {
            float[] own = Arrays.copyOfRange(floats, first, floats.length);
            Check.same("elements written", (long) own.length, arena.writeInputF32(id, dtype, own));
            Arrays.fill(own, CHANGED);
        }
    },
    /** Out of native memory at an odd address, which the arena can only read. */
    NATIVE {
        @Override
        void write(DeviceArena arena, NodeId id, DType dtype, float[] floats, int first) {
            inNative(
                    floats,
                    first,
                    own -> Check.same(
                            "elements written",
                            own.byteSize() / Float.BYTES,
                            arena.writeInputF32(id, dtype, own.asReadOnly())));
        }
    },
    /** In a batch, out of an array. */
    BATCH {
        @Override
        void write(DeviceArena arena, NodeId id, DType dtype, float[] floats, int first) {
            float[] own = Arrays.copyOfRange(floats, first, floats.length);
            arena.writeBatch(batch(id, dtype, MemorySegment.ofArray(own)));
            Arrays.fill(own, CHANGED);
        }
    },
    /** In a batch, out of native memory at an odd address. */
    NATIVE_BATCH {
        @Override
        void write(DeviceArena arena, NodeId id, DType dtype, float[] floats, int first) {
            inNative(floats, first, own -> arena.writeBatch(batch(id, dtype, own)));
        }
    },
    /** In a deferred batch, out of an array that is free when the call returns. */
    DEFERRED {
        @Override
        void write(DeviceArena arena, NodeId id, DType dtype, float[] floats, int first) {
            float[] own = Arrays.copyOfRange(floats, first, floats.length);
            WriteFence fence = arena.beginWrite(batch(id, dtype, MemorySegment.ofArray(own)));
            Arrays.fill(own, CHANGED);
            fence.await();
        }
    },
    /** In a deferred batch, out of host memory of the arena, which is free at the fence. */
    HOST {
        @Override
        void write(DeviceArena arena, NodeId id, DType dtype, float[] floats, int first) {
            try (HostMemory host = arena.allocateHost(4L * (floats.length - first) + Integer.BYTES)) {
                MemorySegment own = host.segment().asSlice(Integer.BYTES);
                own.copyFrom(part(floats, first));
                arena.beginWrite(batch(id, dtype, own)).await();
                own.fill((byte) 0xEE);
            }
        }
    };

    private static final float CHANGED = -1;

    /** Writes the floats from the first on, which are not changed, to the beginning of a value. */
    abstract void write(DeviceArena arena, NodeId id, DType dtype, float[] floats, int first);

    private static MemorySegment part(float[] floats, int first) {
        return MemorySegment.ofArray(floats).asSlice((long) Float.BYTES * first);
    }

    /** Takes memory of a caller. */
    private interface Source {
        void use(MemorySegment own);
    }

    private static void inNative(float[] floats, int first, Source source) {
        try (Arena memory = Arena.ofConfined()) {
            MemorySegment own = memory.allocate(4L * (floats.length - first) + 1, Long.BYTES)
                    .asSlice(1);
            own.copyFrom(part(floats, first));
            source.use(own);
            own.fill((byte) 0xEE);
        }
    }

    /** The floats, and before them some that they overwrite. */
    private static WriteBatch batch(NodeId id, DType dtype, MemorySegment floats) {
        return WriteBatch.builder()
                .floats(id, dtype, floats.asSlice(0, Math.min(Float.BYTES, floats.byteSize())))
                .floats(id, dtype, floats)
                .build();
    }
}
