package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StaleRanges;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The effects of the steps of a program on f16 mirrors, and the mirrors that the steps read. Threads: one thread at a
 * time.
 */
final class MirrorEffects {
    private final ArenaContext arena;
    /** Bytes that a step wrote and no later step refreshed. */
    private final StaleRanges stale = new StaleRanges();

    private final List<BufferSlot> written = new ArrayList<>();
    private final Set<BufferSlot> refreshed = new LinkedHashSet<>();
    private final Set<Needed> needed = new LinkedHashSet<>();

    /** A value of this arena or of its weights whose mirror must be fresh before a run. Threads: immutable. */
    record Needed(ArenaContext home, NodeId id) {}

    MirrorEffects(ArenaContext arena) {
        this.arena = arena;
    }

    /** Throws if an earlier step made a mirror stale that the next one reads. */
    void requireFresh(List<ValueUse> uses) {
        for (ValueUse use : uses) {
            NodeId id = use.id();
            if (use.isShadow() && !use.writes() && id != null && use.home() == arena) {
                BufferSlot slot = arena.open().requireSlot(id);
                if (stale.meets(slot.offset(), slot.end())) {
                    throw new IllegalArgumentException(arena.describe(id)
                            + ": expected a fresh f16 mirror, got one that an earlier step made stale;"
                            + " refresh it first");
                }
            }
        }
    }

    /** Adds the effects of a step. */
    void add(List<ValueUse> uses) {
        for (ValueUse use : uses) {
            NodeId id = use.id();
            if (use.isShadow() && id != null) {
                BufferSlot slot = use.home().open().requireSlot(id);
                boolean refreshes = use.home() == arena && refreshed.contains(slot);
                if (!use.writes() && !refreshes) {
                    needed.add(new Needed(use.home(), id));
                } else if (use.writes() && use.bytes().equals(slot)) { // not a part of the mirror
                    stale.remove(slot.offset(), slot.end());
                    refreshed.add(slot);
                }
            }
        }
        uses.stream().filter(ValueUse::writesValues).forEach(use -> writes(use.bytes()));
    }

    /** Adds bytes of the arena that a step writes. */
    void writes(BufferSlot bytes) {
        stale.add(bytes.offset(), bytes.end());
        written.add(bytes);
    }

    /** Returns the effects as a run applies them. */
    Snapshot snapshot() {
        List<BufferSlot> fresh = refreshed.stream()
                .filter(slot -> !stale.meets(slot.offset(), slot.end()))
                .toList();
        return new Snapshot(
                written.toArray(BufferSlot[]::new), fresh.toArray(BufferSlot[]::new), needed.toArray(Needed[]::new));
    }

    /**
     * The effects of a program. Threads: immutable.
     *
     * @param written bytes that the program writes
     * @param fresh bytes whose mirrors it leaves up to date
     * @param needed values whose mirrors must be fresh before it runs
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared; arrays, so that a run allocates no iterator
    record Snapshot(BufferSlot[] written, BufferSlot[] fresh, Needed[] needed) {
        /** Throws if a mirror is stale once the inputs of a run, if any, are written. */
        void requireFresh(ArenaContext arena, List<Span> inputs) {
            for (Needed each : needed) {
                BufferSlot slot = each.home().open().requireSlot(each.id());
                boolean isStale = each.home().backend().mirrors().isStale(slot);
                for (int i = 0; i < inputs.size() && each.home() == arena; i++) {
                    isStale = arena.backend().mirrors().isStaleAfter(inputs.get(i), slot, isStale);
                }
                if (isStale) {
                    throw stale(each);
                }
            }
        }

        private static IllegalStateException stale(Needed needed) {
            return new IllegalStateException(
                    "the f16 mirror of " + needed.home().describe(needed.id()) + " is stale; refresh it first");
        }

        void apply(ArenaContext arena) {
            for (BufferSlot range : written) {
                arena.backend().mirrors().markStale(range.offset(), range.size());
            }
            for (BufferSlot range : fresh) {
                arena.backend().mirrors().markFresh(range.offset(), range.size());
            }
        }
    }
}
