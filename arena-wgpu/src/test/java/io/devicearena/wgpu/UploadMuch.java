package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.wgpu.testing.ResidentMemory;
import io.devicearena.wgpu.testing.TestArenas;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A program that uploads much more than its arena holds, and prints the growth of its resident memory in bytes. */
final class UploadMuch {
    private static final NodeId WEIGHTS = NodeId.of(0);
    private static final int WEIGHTS_BYTES = 32 << 20;
    private static final long ARENA_BYTES = 64L << 20;
    private static final int RAW_BYTES = 24 << 20;
    private static final int SMALL_BYTES = 4 << 10;

    /** The property with the number of bytes to upload. */
    static final String UPLOADED = "devicearena.uploadedBytes";

    /** The bytes of a build: several times what may stay resident. */
    static final long USUALLY_UPLOADED = 1L << 30;

    private UploadMuch() {}

    public static void main(String... arguments) throws IOException {
        float[] weights = new float[WEIGHTS_BYTES / Float.BYTES];
        MemorySegment raw = MemorySegment.ofArray(new byte[RAW_BYTES]);
        MemorySegment small = raw.asSlice(0, SMALL_BYTES);
        try (DeviceArena arena =
                TestArenas.open(TestArenas.plan(0, WEIGHTS_BYTES, WEIGHTS_BYTES, ARENA_BYTES - WEIGHTS_BYTES))) {
            upload(arena, weights, raw, small, WEIGHTS_BYTES + RAW_BYTES + (1 << 20));
            arena.flush();
            arena.readBytes(0, raw);
            long before = ResidentMemory.now();
            upload(arena, weights, raw, small, Long.getLong(UPLOADED, USUALLY_UPLOADED));
            arena.flush();
            OUT.println(ResidentMemory.peak() - before);
            OUT.println(before);
        }
    }

    /** Uploads a number of bytes, about a third in each of three ways. */
    private static void upload(DeviceArena arena, float[] weights, MemorySegment raw, MemorySegment small, long bytes) {
        for (long done = 0; done < bytes / 3; done += WEIGHTS_BYTES) {
            arena.writeInputF32(WEIGHTS, DType.F32, weights);
        }
        for (long done = 0; done < bytes / 3; done += RAW_BYTES) {
            arena.writeBytes(WEIGHTS_BYTES + 1, raw);
        }
        for (long done = 0; done < bytes / 3; done += SMALL_BYTES) {
            arena.writeBytes(done % (ARENA_BYTES - SMALL_BYTES) & -SMALL_BYTES, small);
        }
    }
}
