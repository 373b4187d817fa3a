package io.devicearena.spi.memory;

import io.devicearena.BufferSlot;
import java.util.ArrayList;
import java.util.List;

/**
 * What the steps of a program do to f16 mirrors, and the mirrors that must be fresh before it runs, for backends with
 * kernels.
 *
 * <p><b>Threads:</b> one thread at a time; a copy that no method changes, any.
 */
public final class MirrorEffects {
    private final F16Mirrors mirrors;
    /** Bytes that a step wrote and no later step refreshed. */
    private final StaleRanges stale = new StaleRanges();

    private final List<BufferSlot> written = new ArrayList<>();
    private final List<BufferSlot> refreshed = new ArrayList<>();
    private final List<Mirror> needed = new ArrayList<>();

    /**
     * The mirror of a value.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param home the mirrors of the memory that the value is in: that of the program, or that of its weights
     * @param slot the bytes of the value in its arena
     * @param value the value as messages write it
     */
    public record Mirror(F16Mirrors home, BufferSlot slot, String value) {}

    /**
     * Makes the effects of a program without a step.
     *
     * @param mirrors those of the memory that its steps write
     */
    public MirrorEffects(F16Mirrors mirrors) {
        this.mirrors = mirrors;
    }

    /**
     * Adds a step that reads mirrors. Nothing is added when it throws.
     *
     * @param read the mirrors
     * @throws IllegalArgumentException if an earlier step made one of them stale
     */
    public void reads(List<Mirror> read) {
        for (Mirror each : read) {
            if (each.home == mirrors && stale.meets(each.slot.offset(), each.slot.end())) {
                throw new IllegalArgumentException(each.value
                        + ": expected a fresh f16 mirror, got one that an earlier step made stale; refresh it first");
            }
        }
        for (Mirror each : read) {
            if (each.home != mirrors || !refreshed.contains(each.slot)) {
                add(needed, each);
            }
        }
    }

    /**
     * Adds a step that writes bytes of the arena, and no mirrors.
     *
     * @param range the bytes
     */
    public void writes(BufferSlot range) {
        stale.add(range.offset(), range.end());
        written.add(range);
    }

    /**
     * Adds a step that makes the mirror of a value.
     *
     * @param slot the bytes of the value in the arena
     */
    public void refreshes(BufferSlot slot) {
        stale.remove(slot.offset(), slot.end());
        add(refreshed, slot);
    }

    private static <T> void add(List<T> distinct, T one) {
        if (!distinct.contains(one)) {
            distinct.add(one);
        }
    }

    /** {@return the effects of the steps so far, for a program} */
    public MirrorEffects copy() {
        MirrorEffects copy = new MirrorEffects(mirrors);
        copy.written.addAll(written);
        refreshed.stream()
                .filter(slot -> !stale.meets(slot.offset(), slot.end()))
                .forEach(copy.refreshed::add);
        copy.needed.addAll(needed);
        return copy;
    }

    /**
     * Requires the mirrors that a run reads before its own steps make them.
     *
     * @param inputs what is written before the steps
     * @throws IllegalStateException if one of them is stale once the inputs are written
     */
    public void requireFresh(List<Span> inputs) {
        for (int i = 0; i < needed.size(); i++) { // no iterator: a run allocates nothing
            Mirror each = needed.get(i);
            boolean isStale = each.home.isStale(each.slot);
            for (int j = 0; each.home == mirrors && j < inputs.size(); j++) {
                isStale = mirrors.isStaleAfter(inputs.get(j), each.slot, isStale);
            }
            if (isStale) {
                throw new IllegalStateException("the f16 mirror of " + each.value + " is stale; refresh it first");
            }
        }
    }

    /**
     * Marks the mirrors as a run leaves them.
     *
     * @param inputs what is written before the steps
     */
    public void apply(List<Span> inputs) {
        mirrors.mark(inputs);
        for (int i = 0; i < written.size(); i++) {
            mirrors.markStale(written.get(i).offset(), written.get(i).size());
        }
        for (int i = 0; i < refreshed.size(); i++) {
            mirrors.markFresh(refreshed.get(i).offset(), refreshed.get(i).size());
        }
    }
}
