package io.devicearena.spi;

import io.devicearena.NodeId;
import io.devicearena.checks.CheckedArena;
import java.lang.foreign.MemorySegment;

/** The hooks of an arena, as its checks use them. Threads: safe for any thread. */
record HookedArena(ArenaHooks hooks) implements CheckedArena {
    @Override
    public void read(long offset, MemorySegment destination) {
        hooks.enter();
        try {
            hooks.readRange(offset, destination);
        } finally {
            hooks.leave();
        }
    }

    @Override
    public void write(long offset, MemorySegment source) {
        hooks.enter();
        try {
            hooks.writeRange(offset, source);
        } finally {
            hooks.leave();
        }
    }

    @Override
    public long lengthBytes(NodeId id) {
        return hooks.slots.require(id).length;
    }
}
