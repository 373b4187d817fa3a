package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.MirrorEffects;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a step does with bytes of a value, or with their f16 mirrors. Threads: immutable.
 *
 * @param home where the value is: the arena of the step, or that of its weights
 * @param id the value; null for a window that names none
 * @param bytes the bytes in the arena, also of a mirror
 * @param isShadow whether the step uses the mirrors
 * @param writes whether it may write; else it reads
 * @param loads whether it may read what it finds there before it writes
 */
record ValueUse(
        ArenaContext home, @Nullable NodeId id, BufferSlot bytes, boolean isShadow, boolean writes, boolean loads) {
    static ValueUse read(ArenaContext home, NodeId id, BufferSlot bytes) {
        return new ValueUse(home, id, bytes, false, false, true);
    }

    static ValueUse write(ArenaContext home, NodeId id, BufferSlot bytes) {
        return new ValueUse(home, id, bytes, false, true, false);
    }

    ValueUse asRead() {
        return new ValueUse(home, id, bytes, isShadow, false, true);
    }

    /** The mirror that the step reads, if it reads one. */
    Stream<MirrorEffects.Mirror> readMirror() {
        if (id == null || !isShadow || writes) {
            return Stream.empty();
        }
        return Stream.of(
                new MirrorEffects.Mirror(home.backend().mirrors(), home.open().requireSlot(id), home.describe(id)));
    }

    /** Whether the step makes the mirror of the value, and not of a part. */
    boolean writesMirror() {
        return id != null && isShadow && writes && bytes.equals(home.open().requireSlot(id));
    }

    /** Whether the step may write to values, and not to mirrors. */
    boolean writesValues() {
        return writes && !isShadow;
    }
}
