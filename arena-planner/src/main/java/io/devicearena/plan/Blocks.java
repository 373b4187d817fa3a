package io.devicearena.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The values that come and go, put together into blocks of bytes that are placed as one, since the graph allows a value
 * to lie in the slot of another.
 *
 * <p>A block begins as one value. An op that may take the slot of an input that it is the last to use becomes the slot's
 * next tenant; all tenants of a slot take the same bytes, so this never costs anything. Then the blocks of a
 * concatenation's inputs, each with its last tenant, go into the concatenation's block; this block lives from the first of
 * them on, so that is done only where it makes the most bytes live in that time no more.
 */
final class Blocks {
    /** How far values may lie in one another's slots. */
    enum Sharing {
        ALL,
        IN_PLACE,
        CONCATENATIONS,
        NONE
    }

    private static final int NONE = -1;

    private final GraphIndex graph;
    private final Liveness liveness;
    private final SlotSizes sizes;
    private final long alignment;
    private final boolean[] readByHost;

    private final int[] firsts; // the first tenant of each value's slot
    private final int[] hosts; // the tenant before each value
    private final int[] takers; // the tenant after each value
    private final int[] wholes; // for a first tenant: the concatenation in whose slot it lies
    private final long[] displacements; // and how many bytes of that come before it
    private final long[] begins; // for a first tenant: the life of its slot and of what lies in it
    private final long[] ends;
    private final int[] blocks; // for a first tenant: the value that owns the block
    private final long[] offsets; // and where in the block it lies
    private final List<SharedSlot> shared = new ArrayList<>();
    private @Nullable Reads reads;

    private Blocks(GraphIndex graph, Liveness liveness, SlotSizes sizes, long alignment) {
        this.graph = graph;
        this.liveness = liveness;
        this.sizes = sizes;
        this.alignment = alignment;
        int count = graph.count();
        readByHost = new boolean[count];
        firsts = new int[count];
        hosts = new int[count];
        takers = new int[count];
        wholes = new int[count];
        displacements = new long[count];
        begins = new long[count];
        ends = new long[count];
        blocks = new int[count];
        offsets = new long[count];
        Arrays.fill(hosts, NONE);
        Arrays.fill(takers, NONE);
        Arrays.fill(wholes, NONE);
        for (int i = 0; i < count; i++) {
            firsts[i] = i;
            begins[i] = liveness.lower(i);
            ends[i] = liveness.upper(i);
            if (graph.isOutput(i)) {
                readByHost[graph.root(i)] = true;
            }
        }
    }

    static Blocks of(GraphIndex graph, Liveness liveness, SlotSizes sizes, long alignment, Sharing sharing) {
        Blocks made = new Blocks(graph, liveness, sizes, alignment);
        if (sharing == Sharing.ALL || sharing == Sharing.IN_PLACE) {
            made.takeSlots();
        }
        if (sharing == Sharing.ALL || sharing == Sharing.CONCATENATIONS) {
            made.joinConcatenations();
        }
        made.resolve();
        return made;
    }

    /** Whether value i comes and goes in bytes of its own or of its block's. */
    boolean isTransient(int i) {
        return !graph.isView(i) && !graph.isFused(i) && !graph.role(i).isPinned();
    }

    // ------------------------------------------------------------ in place

    private void takeSlots() {
        for (int i = 0; i < graph.count(); i++) {
            for (int k = 0; k < graph.inPlaceCount(i); k++) {
                int input = graph.inPlaceInput(i, k);
                if (mayTake(i, input)) {
                    take(i, graph.root(input));
                    break;
                }
            }
        }
    }

    private boolean mayTake(int op, int input) {
        int root = graph.root(input);
        return takers[root] == NONE && liveness.upper(root) == op + 1L && !readByHost[root] && fits(op, input);
    }

    /** Whether an op can take the slot of an input if it is the last to use it. */
    boolean fits(int op, int input) {
        int root = graph.root(input);
        return isTransient(root)
                && graph.isWhole(input)
                && graph.elements(op) <= graph.elements(input)
                && sizes.elementBytes(op) == sizes.elementBytes(input)
                && sizes.slot(op) == sizes.slot(root)
                && reads().isOnlyReadAs(input, op);
    }

    /** They are not needed where no op may take a slot. */
    private Reads reads() {
        if (reads == null) {
            reads = new Reads(graph);
        }
        return reads;
    }

    private void take(int op, int root) {
        takers[root] = op;
        hosts[op] = root;
        firsts[op] = firsts[root];
        ends[firsts[op]] = liveness.upper(op);
    }

    // ------------------------------------------------------------ concatenations

    private void joinConcatenations() {
        LiveBytes live = null;
        for (int i = 0; i < graph.count(); i++) {
            if (graph.isConcatenation(i) && firsts[i] == i) {
                live = live == null ? liveBytes() : live;
                joinInputs(i, live);
            }
        }
    }

    private LiveBytes liveBytes() {
        LiveBytes live = new LiveBytes(graph.count());
        for (int i = 0; i < graph.count(); i++) {
            if (isTransient(i) && firsts[i] == i) {
                live.add(begins[i], ends[i], sizes.slot(i));
            }
        }
        return live;
    }

    private void joinInputs(int whole, LiveBytes live) {
        List<Integer> parts = new ArrayList<>();
        long element = 0;
        for (int k = 0; k < graph.inputCount(whole); k++) {
            int input = graph.input(whole, k);
            long next = element + graph.elements(input);
            if (mayLieIn(whole, input, element, next)) {
                int part = firsts[graph.root(input)];
                wholes[part] = whole; // so that it is not taken for a part twice
                displacements[part] = element * sizes.elementBytes(whole);
                parts.add(part);
            }
            element = next;
        }
        if (parts.isEmpty()) {
            return;
        }
        if (!joins(whole, parts, live)) {
            // One by one, the latest first: each makes the block's life longer by as little as can be.
            parts.sort(Comparator.comparingLong((Integer part) -> begins[part]).reversed());
            parts.forEach(part -> joins(whole, List.of(part), live));
        }
    }

    private boolean mayLieIn(int whole, int input, long element, long next) {
        int root = graph.root(input);
        if (!isTransient(root) || !graph.isWhole(input) || takers[root] != NONE || wholes[firsts[root]] != NONE) {
            return false;
        }
        long from = element * sizes.elementBytes(whole);
        long to = next == graph.elements(whole) ? sizes.slot(whole) : next * sizes.elementBytes(whole);
        return graph.elements(input) > 0
                && from % alignment == 0
                && sizes.slot(root) <= to - from
                && (takers[whole] == NONE || ends[firsts[root]] <= takers[whole]);
    }

    /** Puts parts into a concatenation's block, or leaves them where they are when that would take more bytes. */
    private boolean joins(int whole, List<Integer> parts, LiveBytes live) {
        long begin = begins[whole];
        long end = ends[whole];
        double areaBefore = area(whole, begin, end);
        for (int part : parts) {
            begin = Math.min(begin, begins[part]);
            end = Math.max(end, ends[part]);
            areaBefore += area(part, begins[part], ends[part]);
        }
        long before = live.most(begin, end);
        move(whole, parts, live, begin, end, 1);
        long after = live.most(begin, end);
        if (after < before || (after == before && area(whole, begin, end) <= areaBefore)) {
            begins[whole] = begin;
            ends[whole] = end;
            parts.forEach(part -> wholes[part] = whole);
            return true;
        }
        move(whole, parts, live, begin, end, -1);
        parts.forEach(part -> wholes[part] = NONE);
        return false;
    }

    private double area(int first, long begin, long end) {
        return (double) sizes.slot(first) * (end - begin);
    }

    private void move(int whole, List<Integer> parts, LiveBytes live, long begin, long end, int sign) {
        for (int part : parts) {
            live.add(begins[part], ends[part], -sign * sizes.slot(part));
        }
        live.add(begins[whole], ends[whole], -sign * sizes.slot(whole));
        live.add(begin, end, sign * sizes.slot(whole));
    }

    // ------------------------------------------------------------ the bound

    /**
     * The most bytes that are live at a step if each value gave up its slot to each other one that may share it, asked of
     * blocks in which none does.
     *
     * <p>No choice of who shares takes less: at each step what is still counted is of different values, none of which may
     * lie in the bytes of another one of them then. An op and the input that it may take are counted as one at the op's
     * step, whichever of several inputs it takes, since all of them have its size; a part of a concatenation is not counted
     * from there on.
     */
    long leastBytes() {
        long[] uppers = new long[graph.count()];
        for (int i = 0; i < graph.count(); i++) {
            uppers[i] = ends[i];
        }
        for (int i = 0; i < graph.count(); i++) {
            shortenTaken(i, uppers);
            shortenParts(i, uppers);
        }
        long[] changes = new long[graph.count() + 1];
        for (int i = 0; i < graph.count(); i++) {
            if (isTransient(i) && begins[i] < uppers[i]) {
                changes[(int) begins[i]] += sizes.slot(i);
                changes[(int) uppers[i]] -= sizes.slot(i);
            }
        }
        long live = 0;
        long most = 0;
        for (long change : changes) {
            live += change;
            most = Math.max(most, live);
        }
        return most;
    }

    private void shortenTaken(int op, long[] uppers) {
        for (int k = 0; k < graph.inPlaceCount(op); k++) {
            int input = graph.inPlaceInput(op, k);
            if (mayTake(op, input)) {
                uppers[graph.root(input)] = Math.min(uppers[graph.root(input)], op);
                return;
            }
        }
    }

    private void shortenParts(int whole, long[] uppers) {
        long element = 0;
        for (int k = 0; graph.isConcatenation(whole) && k < graph.inputCount(whole); k++) {
            int input = graph.input(whole, k);
            long next = element + graph.elements(input);
            if (mayLieIn(whole, input, element, next)) {
                uppers[graph.root(input)] = Math.min(uppers[graph.root(input)], whole);
            }
            element = next;
        }
    }

    // ------------------------------------------------------------ the result

    /** A concatenation comes after its parts and what had their slots before them, so one walk from the end does. */
    private void resolve() {
        for (int i = graph.count() - 1; i >= 0; i--) {
            int whole = wholes[i];
            blocks[i] = whole == NONE ? i : blocks[whole];
            offsets[i] = whole == NONE ? 0 : offsets[whole] + displacements[i];
        }
        for (int i = 0; i < graph.count(); i++) {
            if (hosts[i] != NONE) {
                shared.add(new SharedSlot(graph.id(i), graph.id(hosts[i]), SharedSlot.Reason.IN_PLACE));
            }
            if (wholes[firsts[i]] != NONE && takers[i] == NONE) {
                shared.add(new SharedSlot(graph.id(i), graph.id(wholes[firsts[i]]), SharedSlot.Reason.CONCATENATION));
            }
        }
    }

    /** Whether a value owns a block. */
    boolean isBlock(int i) {
        return isTransient(i) && firsts[i] == i && wholes[i] == NONE;
    }

    /** The value that owns the block in which value i lies. */
    int block(int i) {
        return blocks[firsts[i]];
    }

    /** Bytes of the block before value i. */
    long offset(int i) {
        return offsets[firsts[i]];
    }

    /** The first step at which a block is live. */
    long lower(int block) {
        return begins[block];
    }

    /** The first step at which a block is no longer live. */
    long upper(int block) {
        return ends[block];
    }

    /** The part of its block's life in which value i, and no other tenant, stands for all of its block's bytes. */
    LiveBuffer life(int i) {
        if (!isTransient(i)) {
            return new LiveBuffer(graph.id(i), liveness.lower(i), liveness.upper(i), sizes.slot(i));
        }
        int first = firsts[i];
        if (wholes[first] != NONE) {
            return new LiveBuffer(graph.id(i), i, i, sizes.slot(i));
        }
        return new LiveBuffer(
                graph.id(i), first == i ? begins[i] : i, takers[i] == NONE ? ends[first] : takers[i], sizes.slot(i));
    }

    /** The values that lie in the slots of others, in execution order. */
    List<SharedSlot> shared() {
        return shared;
    }
}
