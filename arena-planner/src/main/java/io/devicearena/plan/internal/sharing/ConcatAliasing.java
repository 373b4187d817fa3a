package io.devicearena.plan.internal.sharing;

import static io.devicearena.plan.internal.sharing.InPlaceReuse.NONE;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.live.LoadTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Which slots lie within the slot of a concatenation of their values, so that it has nothing to copy.
 *
 * <p>The concatenation's slot must then be live from the first of its parts on. So parts move in only where this does
 * not raise the most bytes that are live in that time.
 */
final class ConcatAliasing {
    private final ArrayGraph graph;
    private final SlotSizes sizes;
    private final InPlaceReuse reuse;
    private final int[] wholes; // of the first value of a slot: the concatenation in whose slot the bytes lie
    private final long[] displacements; // and how many bytes of that slot come before them
    private final long[] firstSteps; // of the first value of a slot: the live range of the slot and of all in it
    private final long[] endSteps;

    ConcatAliasing(ArrayGraph graph, Liveness liveness, SlotSizes sizes, InPlaceReuse reuse) {
        this.graph = graph;
        this.sizes = sizes;
        this.reuse = reuse;
        int count = graph.count();
        wholes = new int[count];
        displacements = new long[count];
        firstSteps = new long[count];
        endSteps = new long[count];
        Arrays.fill(wholes, NONE);
        for (int i = 0; i < count; i++) {
            firstSteps[i] = liveness.firstStep(i);
            int first = reuse.first(i);
            endSteps[first] = Math.max(endSteps[first], liveness.endStep(i));
        }
    }

    /** Moves parts into every concatenation that owns its slot, in execution order. */
    void aliasAll() {
        LoadTree load = new LoadTree(new long[graph.steps()]);
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isComputed(i) && reuse.first(i) == i) {
                load.add(firstSteps[i], endSteps[i], sizes.slot(i));
            }
        }
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isConcatenation(i) && reuse.first(i) == i) {
                aliasParts(i, load);
            }
        }
    }

    private void aliasParts(int whole, LoadTree load) {
        List<Integer> parts = new ArrayList<>();
        long element = 0;
        for (int k = 0; k < graph.inputCount(whole); k++) {
            int input = graph.input(whole, k);
            if (fits(whole, input, element)) {
                int part = reuse.first(graph.root(input));
                wholes[part] = whole; // so that it is not taken for a part twice
                displacements[part] = element * sizes.elementBytes(whole);
                parts.add(part);
            }
            element += graph.elements(input);
        }
        if (!parts.isEmpty() && !alias(whole, parts, load)) {
            // One by one, the latest first: each makes the slot's live range longer by as little as possible.
            parts.sort(
                    Comparator.comparingLong((Integer part) -> firstSteps[part]).reversed());
            parts.forEach(part -> alias(whole, List.of(part), load));
        }
    }

    /** Whether the slot of an input, whichever op uses it last, fits where a concatenation has the same bytes. */
    boolean fits(int whole, int input, long element) {
        int root = graph.root(input);
        if (!graph.isComputed(root)
                || !graph.isWhole(input)
                || graph.elements(input) == 0
                || reuse.next(root) != NONE) {
            return false;
        }
        int part = reuse.first(root);
        long next = element + graph.elements(input);
        long from = element * sizes.elementBytes(whole);
        long to = next == graph.elements(whole) ? sizes.slot(whole) : next * sizes.elementBytes(whole);
        int taker = reuse.next(whole);
        return wholes[part] == NONE
                && from % sizes.alignment() == 0
                && sizes.slot(root) <= to - from
                && (taker == NONE || endSteps[part] <= graph.step(taker));
    }

    /** Moves parts into a concatenation's slot, or leaves them where they are if that takes more bytes. */
    private boolean alias(int whole, List<Integer> parts, LoadTree load) {
        long begin = firstSteps[whole];
        long end = endSteps[whole];
        double areaBefore = area(whole, begin, end);
        for (int part : parts) {
            begin = Math.min(begin, firstSteps[part]);
            end = Math.max(end, endSteps[part]);
            areaBefore += area(part, firstSteps[part], endSteps[part]);
        }
        long before = load.max(begin, end);
        move(whole, parts, load, begin, end, 1);
        long after = load.max(begin, end);
        boolean worthwhile = after < before || (after == before && area(whole, begin, end) <= areaBefore);
        if (worthwhile) {
            firstSteps[whole] = begin;
            endSteps[whole] = end;
        } else {
            move(whole, parts, load, begin, end, -1);
        }
        parts.forEach(part -> wholes[part] = worthwhile ? whole : NONE);
        return worthwhile;
    }

    private double area(int first, long begin, long end) {
        return (double) sizes.slot(first) * (end - begin);
    }

    private void move(int whole, List<Integer> parts, LoadTree load, long begin, long end, int sign) {
        for (int part : parts) {
            load.add(firstSteps[part], endSteps[part], -sign * sizes.slot(part));
        }
        load.add(firstSteps[whole], endSteps[whole], -sign * sizes.slot(whole));
        load.add(begin, end, sign * sizes.slot(whole));
    }

    /** The concatenation in whose slot that of its first value lies, or {@link InPlaceReuse#NONE}. */
    int whole(int first) {
        return wholes[first];
    }

    long displacement(int first) {
        return displacements[first];
    }

    long firstStep(int first) {
        return firstSteps[first];
    }

    long endStep(int first) {
        return endSteps[first];
    }
}
