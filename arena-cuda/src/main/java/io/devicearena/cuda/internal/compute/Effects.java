package io.devicearena.cuda.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.F16Mirrors;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.memory.StaleRanges;
import java.util.ArrayList;
import java.util.List;

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
    private final List<BufferSlot> refreshed = new ArrayList<>();
    private final List<Needed> needed = new ArrayList<>();

    /** A value whose mirror must be fresh before a run. Threads: immutable. */
    private record Needed(CudaKernels home, NodeId id, BufferSlot slot) {
        /** Throws if it is stale once inputs are written to the values of some mirrors. */
        void requireFresh(List<Span> inputs, F16Mirrors written) {
            F16Mirrors mirrors = home.backend().mirrors();
            boolean isStale = mirrors.isStale(slot);
            for (int i = 0; mirrors == written && i < inputs.size(); i++) {
                isStale = mirrors.isStaleAfter(inputs.get(i), slot, isStale);
            }
            if (isStale) {
                throw new IllegalStateException(
                        "the f16 mirror of " + home.describe(id) + " is stale; refresh it first");
            }
        }
    }

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
        add(refreshed, slot);
    }

    private static <T> void add(List<T> distinct, T one) {
        if (!distinct.contains(one)) {
            distinct.add(one);
        }
    }

    /** Notes a step that reads a window; throws if it is one of mirrors, and an earlier step made one of them stale. */
    void reads(ArenaWindow window) {
        for (NodeId id : window.isShadow() ? window.nodes() : List.<NodeId>of()) {
            BufferSlot slot = window.owner().open().requireSlot(id);
            boolean own = window.owner().backend() == kernels.backend();
            if (own && stale.meets(slot.offset(), slot.end())) {
                throw new IllegalArgumentException(kernels.describe(id)
                        + ": expected a fresh f16 mirror, got one that an earlier step made stale; refresh it first");
            }
            if (!own || !refreshed.contains(slot)) {
                add(needed, new Needed(window.owner(), id, slot));
            }
        }
    }

    /** Throws if a mirror is stale once the inputs of a run are written. */
    void requireFresh(List<Span> inputs) {
        for (int i = 0; i < needed.size(); i++) { // no iterator: a run allocates nothing
            needed.get(i).requireFresh(inputs, kernels.backend().mirrors());
        }
    }

    /** Marks the mirrors as a run leaves them. */
    void apply(List<Span> inputs) {
        F16Mirrors mirrors = kernels.backend().mirrors();
        mirrors.mark(inputs);
        for (int i = 0; i < written.size(); i++) {
            mirrors.markStale(written.get(i).offset(), written.get(i).size());
        }
        for (int i = 0; i < refreshed.size(); i++) {
            mirrors.markFresh(refreshed.get(i).offset(), refreshed.get(i).size());
        }
    }
}
