package io.devicearena.cuda.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StaleRanges;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the steps of a program do to f16 mirrors, and the mirrors that they need.
 *
 * <p>Threads: one thread at a time; a copy that does not change, any.
 */
final class Effects {
    private final CudaKernels kernels;
    /** Bytes that a step wrote and no later step refreshed. */
    private final StaleRanges stale = new StaleRanges();

    private final List<BufferSlot> written = new ArrayList<>();
    private final Set<BufferSlot> refreshed = new LinkedHashSet<>();
    private final Set<Needed> needed = new LinkedHashSet<>();

    /** A value whose mirror must be fresh before a run. Threads: immutable. */
    private record Needed(CudaKernels home, NodeId id, BufferSlot slot) {}

    Effects(CudaKernels kernels) {
        this.kernels = kernels;
    }

    /** The effects so far. */
    Effects copy() {
        Effects copy = new Effects(kernels);
        copy.written.addAll(written);
        refreshed.stream()
                .filter(slot -> !stale.meets(slot.offset(), slot.end()))
                .forEach(copy.refreshed::add);
        copy.needed.addAll(needed);
        return copy;
    }

    void writes(BufferSlot range) {
        stale.add(range.offset(), range.end());
        written.add(range);
    }

    void refreshes(BufferSlot slot) {
        stale.remove(slot.offset(), slot.end());
        refreshed.add(slot);
    }

    /** Notes a step that reads mirrors; throws if an earlier step made one of them stale. */
    void reads(ArenaWindow shadow) {
        for (NodeId id : shadow.nodes()) {
            BufferSlot slot = shadow.owner().open().requireSlot(id);
            boolean own = shadow.owner().backend() == kernels.backend();
            if (own && stale.meets(slot.offset(), slot.end())) {
                throw new IllegalArgumentException(kernels.describe(id)
                        + ": expected a fresh f16 mirror, got one that an earlier step made stale; refresh it first");
            }
            if (!own || !refreshed.contains(slot)) {
                needed.add(new Needed(shadow.owner(), id, slot));
            }
        }
    }

    /** Throws if a mirror is stale once the inputs of a run are written. */
    void requireFresh(List<Span> inputs) {
        if (!needed.isEmpty()) {
            for (Needed each : needed) {
                F16Mirrors mirrors = each.home().backend().mirrors();
                boolean isStale = mirrors.isStale(each.slot());
                for (int i = 0;
                        i < inputs.size() && mirrors == kernels.backend().mirrors();
                        i++) {
                    isStale = mirrors.isStaleAfter(inputs.get(i), each.slot(), isStale);
                }
                if (isStale) {
                    throw new IllegalStateException(
                            "the f16 mirror of " + each.home().describe(each.id()) + " is stale; refresh it first");
                }
            }
        }
    }

    /** Marks the mirrors as a run leaves them. */
    void apply(List<Span> inputs) {
        F16Mirrors mirrors = kernels.backend().mirrors();
        mirrors.mark(inputs);
        for (int i = 0; i < written.size(); i++) {
            mirrors.markStale(written.get(i).offset(), written.get(i).size());
        }
        if (!refreshed.isEmpty()) {
            refreshed.forEach(slot -> mirrors.markFresh(slot.offset(), slot.size()));
        }
    }
}
