package io.devicearena.plan.internal.sharing;

import static io.devicearena.plan.internal.sharing.InPlaceReuse.NONE;

import io.devicearena.plan.internal.graph.ArrayGraph;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.internal.live.LoadTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The slots that remain to be placed once values share slots: first ops reuse inputs in place, then slots move into
 * concatenations. Each slot belongs to one value, its owner; other values lie in it at an offset. The owner's slot is
 * live as long as any of them; each of its bytes belongs to one value at a time.
 */
public final class SlotSharing {
    /** How values may share slots. One way may rule out the other, so each is tried alone as well. */
    public enum Mode {
        BOTH(true, true),
        IN_PLACE(true, false),
        CONCATENATIONS(false, true),
        NONE(false, false);

        public final boolean inPlace;
        public final boolean concatenations;

        Mode(boolean inPlace, boolean concatenations) {
            this.inPlace = inPlace;
            this.concatenations = concatenations;
        }
    }

    /** A value in the slot of a host, which is a concatenation of it or the input that it is written over. */
    public record Alias(int value, int host, boolean inConcatenation) {}

    private final ArrayGraph graph;
    private final Liveness liveness;
    private final InPlaceReuse reuse;
    private final ConcatAliasing concatenations;
    private final int[] owners; // of the first value of a slot: the value that owns the bytes
    private final List<Alias> aliases = new ArrayList<>();

    public SlotSharing(ArrayGraph graph, SlotSizes sizes, Mode mode) {
        this.graph = graph;
        liveness = Liveness.of(graph);
        reuse = new InPlaceReuse(graph, liveness, sizes);
        if (mode.inPlace) {
            reuse.reuseAll();
        }
        concatenations = new ConcatAliasing(graph, liveness, sizes, reuse);
        if (mode.concatenations) {
            concatenations.aliasAll();
        }
        owners = new int[graph.count()];
        // A concatenation comes after its parts and what had their slots before, so one walk from the end is enough.
        for (int i = graph.count() - 1; i >= 0; i--) {
            int whole = concatenations.wholes[i];
            owners[i] = whole == NONE ? i : owners[whole];
        }
        for (int i = 0; i < graph.count(); i++) {
            if (reuse.previous[i] != NONE) {
                aliases.add(new Alias(i, reuse.previous[i], false));
            }
            int whole = concatenations.wholes[reuse.firsts[i]];
            if (whole != NONE && reuse.next[i] == NONE && isPart(i)) {
                aliases.add(new Alias(i, whole, true));
            }
        }
    }

    /**
     * The most bytes that are live at a step if each value gave up its slot to every other one that may share it in a
     * mode.
     *
     * <p>No way to share takes less. At each step, the values that still count are different and none may lie in the
     * bytes of another. An op and the input that it may reuse count once at the op's step, whichever of several inputs
     * it reuses, since all have its size. A part does not count from the first concatenation that it may lie in until
     * the last one ends; a part that is read for longer counts again, since its bytes are then its own. Guard bytes do
     * not count, since those in concatenations have none. What may be a part, or be written over until it is, counts
     * with its elements alone.
     */
    public static long lowerBound(SlotSizes sizes, Mode mode) {
        ArrayGraph graph = sizes.graph();
        Liveness liveness = Liveness.of(graph);
        InPlaceReuse reuse = new InPlaceReuse(graph, liveness, sizes);
        ConcatAliasing concatenations = new ConcatAliasing(graph, liveness, sizes, reuse);
        int[] endSteps = new int[graph.count()]; // where a value ends, or an op may be written over it
        Arrays.setAll(endSteps, liveness::endStep);
        int[] joined = endSteps.clone(); // where the first concatenation begins that a value may lie in
        int[] lastWholes = new int[graph.count()]; // where the last one ends, with those that it may lie in itself
        BitSet parts = new BitSet();
        for (int i = graph.count() - 1; i >= 0; i--) {
            int reusable = mode.inPlace ? reuse.reusable(i) : NONE;
            if (reusable != NONE) {
                endSteps[reusable] = Math.min(endSteps[reusable], graph.step(i));
            }
            for (int input : parts.get(i) ? graph.inPlaceInputs(i) : new int[0]) {
                parts.set(graph.root(input));
            }
            if (mode.concatenations && graph.isConcatenation(i)) {
                int wholeEnd = Math.max(liveness.endStep(i), lastWholes[i]);
                for (int part : concatenations.parts(i).keySet()) {
                    joined[part] = Math.min(joined[part], graph.step(i));
                    lastWholes[part] = Math.max(lastWholes[part], wholeEnd);
                    parts.set(part);
                }
            }
        }
        LoadTree load = new LoadTree(new long[graph.steps()]);
        for (int i = 0; i < graph.count(); i++) {
            long size = parts.get(i) ? sizes.packed(i) : sizes.unguarded(i);
            long bytes = graph.isComputed(i) ? size : 0;
            int until = Math.min(joined[i], endSteps[i]);
            load.add(liveness.firstStep(i), until, bytes);
            load.add(Math.max(until, lastWholes[i]), endSteps[i], bytes);
        }
        return load.max(0, graph.steps());
    }

    public boolean isOwner(int i) {
        return graph.isComputed(i) && reuse.firsts[i] == i && concatenations.wholes[i] == NONE;
    }

    public int owner(int i) {
        return owners[reuse.firsts[i]];
    }

    /** Bytes of the owner's slot before each value, in a graph with the same nodes and sizes of its own. */
    public long[] offsets(SlotSizes at) {
        long[] offsets = new long[graph.count()];
        Map<Integer, long[]> before = new HashMap<>();
        for (int i = graph.count() - 1; i >= 0; i--) {
            int whole = concatenations.wholes[i];
            if (whole != NONE) {
                long elements = before.computeIfAbsent(whole, each -> elementsBefore(at.graph(), each))[
                        concatenations.inputsBefore[i]];
                offsets[i] = offsets[whole] + elements * at.elementBytes(whole);
            }
        }
        return IntStream.range(0, graph.count())
                .mapToLong(i -> offsets[reuse.firsts[i]])
                .toArray();
    }

    private static long[] elementsBefore(ArrayGraph graph, int whole) {
        int[] inputs = graph.inputs(whole);
        long[] before = new long[inputs.length];
        for (int k = 1; k < inputs.length; k++) {
            before[k] = before[k - 1] + graph.elements(inputs[k - 1]);
        }
        return before;
    }

    /** The first step at which the slot of an owner is live, since a value in it is. */
    public long slotFirstStep(int owner) {
        return concatenations.firstSteps[owner];
    }

    /** The first step at which the slot of an owner is no longer live. */
    public long slotEndStep(int owner) {
        return concatenations.endSteps[owner];
    }

    /** The first step at which value i has its bytes. */
    public long firstStep(int i) {
        return liveness.firstStep(i);
    }

    /** The first step at which it no longer has them; its first step for a view, whose bytes are another value's. */
    public long endStep(int i) {
        if (!graph.isComputed(i)) {
            return liveness.endStep(i);
        }
        int next = reuse.next[i];
        if (next != NONE) {
            return graph.step(next);
        }
        int first = reuse.firsts[i];
        return isPart(i) ? graph.step(concatenations.wholes[first]) : concatenations.endSteps[first];
    }

    /** Whether value i is written inside the slot of a concatenation that has it as a part. */
    public boolean isPart(int i) {
        int first = reuse.firsts[i];
        return concatenations.wholes[first] != NONE && !concatenations.fillers[first];
    }

    public List<Alias> aliases() {
        return aliases;
    }
}
