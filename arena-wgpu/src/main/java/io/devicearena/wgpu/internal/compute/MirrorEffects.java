package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.wgpu.internal.arena.StaleRanges;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What the steps of a program do to f16 mirrors, and which mirrors they need. Threads: one thread at a time. */
final class MirrorEffects {
    private final ArenaContext arena;
    /** Written by a step and not refreshed by a later one. */
    private final StaleRanges behind = new StaleRanges();

    private final List<BufferSlot> written = new ArrayList<>();
    private final Set<BufferSlot> refreshed = new LinkedHashSet<>();
    private final Set<NodeId> needed = new LinkedHashSet<>();

    MirrorEffects(ArenaContext arena) {
        this.arena = arena;
    }

    void writes(long begin, long end) {
        behind.add(begin, end);
        written.add(new BufferSlot(begin, end - begin));
    }

    void refreshes(BufferSlot slot) {
        behind.remove(slot.offset(), slot.end());
        refreshed.add(slot);
    }

    /** Throws when a step before has made the mirror stale. */
    void requireFresh(NodeId id) {
        BufferSlot slot = arena.slot(id);
        if (behind.meets(slot.offset(), slot.end())) {
            throw new IllegalArgumentException(
                    id + ": expected a fresh f16 mirror, got one that a step before has made stale; refresh it first");
        }
    }

    void needs(NodeId id) {
        if (!refreshed.contains(arena.slot(id))) {
            needed.add(id);
        }
    }

    /** The notes that a run goes by. */
    Snapshot snapshot() {
        List<BufferSlot> fresh = refreshed.stream()
                .filter(slot -> !behind.meets(slot.offset(), slot.end()))
                .toList();
        return new Snapshot(
                written.toArray(BufferSlot[]::new), fresh.toArray(BufferSlot[]::new), needed.toArray(NodeId[]::new));
    }

    /**
     * Which bytes a program leaves without mirror, which with, and which mirrors must be fresh ahead of it. Threads:
     * immutable.
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared; arrays, so that a run makes no iterator
    record Snapshot(BufferSlot[] written, BufferSlot[] fresh, NodeId[] needed) {
        void requireFresh(ArenaContext arena) {
            for (NodeId id : needed) {
                BufferSlot slot = arena.slot(id);
                if (arena.isStale(slot.offset(), slot.size())) {
                    throw new IllegalStateException(
                            id + ": expected a fresh f16 mirror, got a stale one; refresh it first");
                }
            }
        }

        void apply(ArenaContext arena) {
            for (BufferSlot range : written) {
                arena.markStale(range.offset(), range.size());
            }
            for (BufferSlot range : fresh) {
                arena.markFresh(range.offset(), range.size());
            }
        }
    }
}
