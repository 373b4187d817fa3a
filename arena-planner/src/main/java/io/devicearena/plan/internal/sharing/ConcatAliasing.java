package io.devicearena.plan.internal.sharing;

import static io.devicearena.plan.internal.sharing.InPlaceReuse.NONE;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.live.LoadTree;
import io.devicearena.plan.internal.live.StepBudget;
import io.devicearena.plan.size.SizeExpression;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which slots lie within the slot of a concatenation of their values, so that it has nothing to copy.
 *
 * <p>The concatenation's slot must then be live from the first of its parts on. So parts move in only where this does
 * not raise the most bytes that are live in that time.
 *
 * <p>Until a part is written, its bytes are vacant. The load is high where a part is written: the whole slot is live
 * then, and so is what the op reads. So an input of that op moves into the vacant bytes of a later part, as a filler,
 * if it is no longer needed when that part is written. What stays vacant takes the largest slot that is live within
 * that time: in a U-Net, the concatenation of the level below.
 */
final class ConcatAliasing {
    /** Vacant parts that are looked at to find fillers, for each part on average: networks have up to 50 parts. */
    private static final long FILLER_LOOKS_PER_PART = 256;

    /** Nodes before a part, one of which may fill it: U-Nets need the 6 between a concatenation and the next part. */
    private static final int NODES_BEFORE_A_PART = 64;

    private final ArrayGraph graph;
    private final SlotSizes sizes;
    private final InPlaceReuse reuse;
    /** Of the first value of a slot: the concatenation in whose slot the bytes lie, or {@link InPlaceReuse#NONE}. */
    final int[] wholes;
    /** Of the first value of a slot: whether it is a filler, and no part of the concatenation. */
    final boolean[] fillers;
    /** Of the first value of a slot: how many inputs of the concatenation lie before its bytes. */
    final int[] inputsBefore;
    /** Of the first value of a slot: where the live range of the slot, and of all in it, begins. */
    final long[] firstSteps;
    /** Of the first value of a slot: where the live range ends. */
    final long[] endSteps;

    ConcatAliasing(ArrayGraph graph, Liveness liveness, SlotSizes sizes, InPlaceReuse reuse) {
        this.graph = graph;
        this.sizes = sizes;
        this.reuse = reuse;
        int count = graph.count();
        wholes = new int[count];
        fillers = new boolean[count];
        inputsBefore = new int[count];
        firstSteps = new long[count];
        endSteps = new long[count];
        Arrays.fill(wholes, NONE);
        for (int i = 0; i < count; i++) {
            firstSteps[i] = liveness.firstStep(i);
            int first = reuse.firsts[i];
            endSteps[first] = Math.max(endSteps[first], liveness.endStep(i));
        }
    }

    /** Moves parts into every concatenation that owns its slot, in execution order. */
    void aliasAll() {
        LoadTree load = new LoadTree(new long[graph.steps()]);
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isComputed(i) && reuse.firsts[i] == i) {
                load.add(firstSteps[i], endSteps[i], sizes.slot(i));
            }
        }
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isConcatenation(i) && reuse.firsts[i] == i) {
                aliasParts(i, load);
            }
        }
    }

    private void aliasParts(int whole, LoadTree load) {
        Map<Integer, Integer> found = parts(whole);
        found.forEach((part, before) -> inputsBefore[part] = before);
        List<Integer> parts = new ArrayList<>(found.keySet());
        if (!alias(whole, parts, load)) {
            // One by one, the latest first: each makes the slot's live range longer by as little as possible.
            parts.sort(
                    Comparator.comparingLong((Integer part) -> firstSteps[part]).reversed());
            parts.forEach(part -> alias(whole, List.of(part), load));
            parts.removeIf(part -> wholes[part] != whole);
        }
        fillVacant(whole, parts, load);
    }

    /** Moves what the ops of the first parts read into the bytes of later parts; one filler for each part. */
    private void fillVacant(int whole, List<Integer> parts, LoadTree load) {
        Set<Integer> vacant = new LinkedHashSet<>(parts);
        StepBudget looks = new StepBudget(FILLER_LOOKS_PER_PART * parts.size());
        for (int part : parts) {
            for (int input : graph.inputs(part)) {
                int filler = reuse.firsts[graph.root(input)];
                if (graph.isComputed(filler) && wholes[filler] == NONE) {
                    fillFirst(vacant, whole, filler, load, looks);
                }
            }
        }
        for (int part : vacant) {
            int filler = largestBefore(part, whole);
            if (filler != NONE) {
                inputsBefore[filler] = inputsBefore[part];
                fillers[filler] = alias(whole, List.of(filler), load);
            }
        }
    }

    /** The slot of most bytes times steps that fits a part and is live only while that is vacant; of nodes near it. */
    private int largestBefore(int part, int whole) {
        int found = NONE;
        double most = 0;
        int nearest = Math.max(0, part - NODES_BEFORE_A_PART);
        for (int i = part - 1; i >= nearest && graph.step(i) >= firstSteps[whole]; i--) {
            double area = area(i, firstSteps[i], endSteps[i]);
            if (graph.isComputed(i)
                    && reuse.firsts[i] == i
                    && wholes[i] == NONE
                    && firstSteps[i] >= firstSteps[whole]
                    && endSteps[i] <= firstSteps[part]
                    && area > most
                    && sizes.fitsInto(i, part)) {
                found = i;
                most = area;
            }
        }
        return found;
    }

    /** Moves a filler into the first vacant part that it fits, which is vacant no longer. */
    private void fillFirst(Set<Integer> vacant, int whole, int filler, LoadTree load, StepBudget looks) {
        Iterator<Integer> next = vacant.iterator();
        while (next.hasNext() && !fillers[filler] && !looks.isExhausted()) {
            int part = next.next();
            looks.spend(1);
            if (sizes.fitsInto(filler, part) && endSteps[filler] <= firstSteps[part]) {
                inputsBefore[filler] = inputsBefore[part];
                fillers[filler] = alias(whole, List.of(filler), load);
                if (fillers[filler]) {
                    next.remove();
                }
            }
        }
    }

    /** The first values of slots that fit where a concatenation has the same bytes, with the inputs before these. */
    Map<Integer, Integer> parts(int whole) {
        Map<Integer, Integer> parts = new LinkedHashMap<>();
        SizeExpression elements = SizeExpression.of(0);
        int[] inputs = graph.inputs(whole);
        for (int k = 0; k < inputs.length; k++) {
            SizeExpression end = elements.plus(graph.size(inputs[k]));
            if (fits(whole, inputs[k], elements, end)) {
                parts.putIfAbsent(reuse.firsts[graph.root(inputs[k])], k);
            }
            elements = end;
        }
        return parts;
    }

    /** Only the last part may have padding, that of the whole. */
    private boolean fits(int whole, int input, SizeExpression from, SizeExpression to) {
        int root = graph.root(input);
        int part = reuse.firsts[root];
        int taker = reuse.next[whole];
        return graph.isComputed(root)
                && graph.isWhole(input)
                && graph.elements(input) > 0
                && reuse.next[root] == NONE
                && wholes[part] == NONE
                && sizes.isAligned(from, whole)
                && (sizes.isAligned(graph.size(input), whole) || to.equals(graph.size(whole)))
                && (taker == NONE || endSteps[part] <= graph.step(taker));
    }

    /** Moves slots into a concatenation's slot, or leaves them where they are if that takes more bytes. */
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
}
