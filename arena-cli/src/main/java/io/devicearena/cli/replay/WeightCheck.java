package io.devicearena.cli.replay;

import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Checks that an execution has not changed the weights.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class WeightCheck {
    private static final long CHUNK_BYTES = 16 << 20;

    private WeightCheck() {}

    /**
     * Reads weights back and compares their checksums.
     *
     * @param arena the arena that holds them
     * @param values each weight by the name of its tensor
     * @param checksums the CRC-32C of each by that name, as it was written
     * @throws IllegalStateException if one differs
     */
    public static void run(DeviceArena arena, Map<String, NodeId> values, Map<String, Long> checksums) {
        try (Arena host = Arena.ofConfined()) {
            MemorySegment chunk = host.allocate(CHUNK_BYTES, Long.BYTES);
            values.forEach((name, id) -> {
                long bytes = arena.plan().value(id).orElseThrow().bytes();
                CRC32C sum = new CRC32C();
                for (long at = 0; at < bytes; at += CHUNK_BYTES) {
                    MemorySegment part = chunk.asSlice(0, Math.min(CHUNK_BYTES, bytes - at));
                    arena.readValueBytes(id, at, part);
                    sum.update(part.asByteBuffer());
                }
                if (!Long.valueOf(sum.getValue()).equals(checksums.get(name))) {
                    throw new IllegalStateException("weight '" + name + "': expected the checksum "
                            + checksums.get(name) + " after the execution as before it, got " + sum.getValue());
                }
            });
        }
    }
}
