package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.placement.OverlapCheck;
import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Proves that a plan is right, by other means than planners use.
 *
 * <p>For a graph it plays the execution: it keeps account of which value wrote each byte last, and holds that account
 * against what every op reads, an op's own value being written while its inputs are read. An input that the op may be
 * written over is read before; and where a concatenation has the very bytes of an input, what wrote the one wrote the
 * other. It neither asks for lives nor for a strategy. For buffers with given lives it sweeps over the steps and looks for neighbours that overlap.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanValidator {
    private PlanValidator() {}

    /**
     * Proves the plan of a graph, in O((n + e) log n) for n nodes with e inputs, those of a fused op counted for each
     * op that it was fused into.
     *
     * @param plan the plan; its schedule, unless empty, is the order that is played
     * @param graph the graph
     * @param options what the plan was to heed: sizing, alignment and boundary
     * @throws InvalidPlanException if the plan is wrong; the message names the values, their slots and steps
     * @throws InvalidGraphException if the graph cannot be planned
     */
    public static void validate(MemoryPlan plan, PlanGraph graph, PlanOptions options) {
        GraphIndex given = GraphIndex.of(graph);
        new Execution(plan, isInOrder(plan, graph) ? given : scheduled(plan, graph), options).run();
    }

    private static boolean isInOrder(MemoryPlan plan, PlanGraph graph) {
        List<NodeId> schedule = plan.schedule();
        return schedule.isEmpty()
                || schedule.equals(
                        graph.nodes().stream().<NodeId>map(PlanNode::id).toList());
    }

    /** The graph in the order of the plan's schedule, which is to be another order of the same nodes. */
    private static GraphIndex scheduled(MemoryPlan plan, PlanGraph graph) {
        Map<NodeId, PlanNode> nodes = new HashMap<>();
        graph.nodes().forEach(node -> nodes.put(node.id(), node));
        List<PlanNode> ordered = new ArrayList<>();
        for (NodeId id : plan.schedule()) {
            PlanNode node = nodes.get(id);
            if (node == null) {
                throw new InvalidPlanException("schedule: expected nodes of the graph, got " + id);
            }
            ordered.add(node);
        }
        if (ordered.size() < nodes.size()) {
            throw new InvalidPlanException(
                    "schedule: expected all " + nodes.size() + " nodes of the graph, got " + ordered.size());
        }
        try {
            return GraphIndex.of(new Scheduled(ordered, graph.outputs()));
        } catch (InvalidGraphException e) {
            throw new InvalidPlanException("schedule: expected an order in which the graph can run; " + e.getMessage());
        }
    }

    private record Scheduled(List<PlanNode> nodes, Collection<NodeId> outputs) implements PlanGraph {}

    /**
     * Proves the plans of a training step together: that of both graphs in a row, as {@link #validate(MemoryPlan, PlanGraph,
     * PlanOptions)} does, and that the two that were cut from it tell the same slots, all of theirs and in an order that is
     * part of the whole one's.
     *
     * @param plan the plans
     * @param forward the forward graph
     * @param backward the backward graph
     * @param options what the plans were to heed: sizing, alignment and boundary
     * @throws InvalidPlanException if a plan is wrong; the message names the values, their slots and steps
     * @throws InvalidGraphException if the graphs cannot be planned together
     */
    public static void validate(TrainingPlan plan, PlanGraph forward, PlanGraph backward, PlanOptions options) {
        MemoryPlan whole = plan.whole().plan();
        validate(whole, TrainingPlan.joined(forward, backward), options);
        validate(whole, plan.whole().buffers(), options);
        Set<NodeId> made = made(forward);
        Set<NodeId> madeAfter = made(backward);
        checkCut("forward", plan.forward(), forward, made, whole);
        checkCut("backward", plan.backward(), backward, madeAfter, whole);
        int ran = 0;
        for (NodeId id : whole.schedule()) {
            if (made.contains(id)) {
                ran++;
            } else if (madeAfter.contains(id) && ran < made.size()) {
                throw new InvalidPlanException(
                        id + ": expected all of the forward graph to run before it, got " + ran + " of " + made.size());
            }
        }
    }

    /** The values that ops of a graph make. */
    private static Set<NodeId> made(PlanGraph graph) {
        Set<NodeId> made = new HashSet<>();
        for (PlanNode node : graph.nodes()) {
            if (!node.role().isPinned()) {
                made.add(node.id());
            }
        }
        return made;
    }

    private static void checkCut(String name, MemoryPlan cut, PlanGraph graph, Set<NodeId> made, MemoryPlan whole) {
        if (cut.arenaSize() != whole.arenaSize()) {
            throw new InvalidPlanException(name + ": expected an arena of " + whole.arenaSize()
                    + " bytes as the whole plan has, got " + cut.arenaSize());
        }
        scheduled(cut, graph);
        for (PlanNode node : graph.nodes()) {
            if (!cut.slot(node.id()).equals(whole.slot(node.id()))) {
                throw new InvalidPlanException(name + ": expected " + node.id() + " in the slot of the whole plan, "
                        + described(whole, node.id()) + ", got " + described(cut, node.id()));
            }
        }
        if (!cut.schedule().stream()
                .filter(made::contains)
                .toList()
                .equals(whole.schedule().stream().filter(made::contains).toList())) {
            throw new InvalidPlanException(name + ": expected ops in the order of the whole plan, got another one");
        }
    }

    private static String described(MemoryPlan plan, NodeId id) {
        return plan.slot(id)
                .map(slot -> slot.size() + " bytes at " + slot.offset())
                .orElse("none");
    }

    /**
     * Proves the plan of buffers with given lives, in O(n log n).
     *
     * @param plan the plan
     * @param buffers the buffers
     * @param options what the plan was to heed: alignment and boundary, for buffers that have a life
     * @throws InvalidPlanException if the plan is wrong; the message names the buffers, their slots and lives
     */
    public static void validate(MemoryPlan plan, List<LiveBuffer> buffers, PlanOptions options) {
        int count = buffers.size();
        long[] offsets = new long[count];
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            LiveBuffer buffer = buffers.get(i);
            BufferSlot slot = plan.slot(buffer.id())
                    .orElseThrow(() -> new InvalidPlanException(
                            buffer.id() + ": expected a slot of " + buffer.size() + " bytes, got none"));
            boolean lives = buffer.lower() < buffer.upper();
            // A view lies where its parent's rows do, on whatever multiple.
            checkSlot(buffer.id().toString(), slot, buffer.size(), lives ? options : PlanOptions.declared(1));
            if (lives) {
                offsets[i] = slot.offset();
                sizes[i] = slot.size();
                lowers[i] = buffer.lower();
                uppers[i] = buffer.upper();
            }
        }
        try {
            // Slots may be smaller or larger than alignment and boundary want; that was checked above.
            OverlapCheck.check(
                    new PlacementProblem(sizes, lowers, uppers, 1, 0),
                    offsets,
                    plan.arenaSize(),
                    i -> buffers.get(i).id().toString());
        } catch (IllegalArgumentException e) {
            throw new InvalidPlanException(String.valueOf(e.getMessage()));
        }
    }

    private static void checkSlot(String name, BufferSlot slot, long bytes, PlanOptions options) {
        if (slot.size() < bytes) {
            throw new InvalidPlanException(
                    name + ": expected a slot of at least " + bytes + " bytes, got " + slot.size());
        }
        if (slot.offset() % options.alignment() != 0) {
            throw new InvalidPlanException(name + ": expected an offset that is a multiple of " + options.alignment()
                    + ", got " + slot.offset());
        }
        if (Stack.crosses(slot.offset(), slot.size(), options.boundary())) {
            throw new InvalidPlanException(name + ": expected a slot that crosses no multiple of " + options.boundary()
                    + " bytes, got offset " + slot.offset() + " and size " + slot.size());
        }
    }

    /** One play of a graph on the bytes of a plan. */
    private static final class Execution {
        private static final BufferSlot NOWHERE = new BufferSlot(0, 0);

        private final GraphIndex graph;
        private final PlanOptions options;
        private final SlotSizes sizes;
        private final BufferSlot[] slots;
        private final Parts parts;
        private final int[] overwritable; // the last op that may be written over each value
        private final int[] lastRuns; // of each fused op: the last step that it runs in, or -1
        private final ByteOwners owners = new ByteOwners();

        Execution(MemoryPlan plan, GraphIndex graph, PlanOptions options) {
            this.graph = graph;
            this.options = options;
            this.sizes = new SlotSizes(graph, options);
            this.slots = new BufferSlot[graph.count()];
            for (int i = 0; i < slots.length; i++) {
                slots[i] = checkedSlot(i, plan.slots().get(graph.id(i)));
            }
            this.parts = new Parts(graph, sizes, slots);
            this.overwritable = new int[slots.length];
            Arrays.fill(overwritable, ByteOwners.NOBODY);
            this.lastRuns = lastRuns(graph);
        }

        /** Readers come later, so one walk from the end settles what is fused into fused ops too. */
        private static int[] lastRuns(GraphIndex graph) {
            int[] lastRuns = new int[graph.count()];
            Arrays.fill(lastRuns, -1);
            for (int i = graph.count() - 1; i >= 0; i--) {
                int runs = graph.isFused(i) ? lastRuns[i] : i;
                for (int k = 0; k < graph.inputCount(i); k++) {
                    int input = graph.input(i, k);
                    lastRuns[input] = Math.max(lastRuns[input], runs);
                }
            }
            return lastRuns;
        }

        void run() {
            for (int i = 0; i < slots.length; i++) {
                if (graph.role(i).isPinned()) {
                    write(i);
                }
            }
            for (int i = 0; i < slots.length; i++) {
                if (!graph.role(i).isPinned() && !graph.isFused(i)) {
                    execute(i);
                }
            }
            for (int i = 0; i < slots.length; i++) {
                if (graph.role(i).isPinned() || graph.isOutput(i)) {
                    read(i, slots.length);
                }
            }
        }

        private BufferSlot checkedSlot(int i, @Nullable BufferSlot slot) {
            if (graph.isFused(i)) {
                if (slot != null) {
                    throw new InvalidPlanException(
                            graph.named(i) + ": expected no slot for a fused op, got offset " + slot.offset());
                }
                return NOWHERE;
            }
            if (slot == null) {
                throw new InvalidPlanException(
                        graph.named(i) + ": expected a slot of " + sizes.exact(i) + " bytes, got none");
            }
            if (!graph.isView(i)) {
                checkSlot(graph.named(i), slot, sizes.exact(i), options);
                return slot;
            }
            BufferSlot root = slots[graph.root(i)];
            long offset = root.offset() + sizes.offsetInRoot(i);
            // Padding behind the last row is the root's own; behind other rows comes the next one.
            boolean toTheEnd = graph.firstElement(i) + graph.elements(i) == graph.elements(graph.root(i));
            long end = toTheEnd ? root.end() : offset + sizes.exact(i);
            if (slot.offset() != offset || slot.size() < sizes.exact(i) || slot.end() > end) {
                throw new InvalidPlanException(graph.named(i) + ": expected a view of " + sizes.exact(i)
                        + " bytes at offset " + offset + " within " + graph.named(graph.root(i)) + " at "
                        + root.offset() + " of " + root.size() + " bytes, got offset " + slot.offset() + " and size "
                        + slot.size());
            }
            return slot;
        }

        /**
         * An op's value is written while its inputs are read, so they must be there after it as well as before; but not
         * those that it may be written over, nor those that it consists of.
         */
        private void execute(int i) {
            for (int k = 0; k < graph.inPlaceCount(i); k++) {
                overwritable[graph.inPlaceInput(i, k)] = i;
            }
            for (int k = 0; k < graph.inputCount(i); k++) {
                if (isReadBefore(graph.input(i, k), i)) {
                    read(graph.input(i, k), i);
                }
            }
            write(i);
            read(i, i);
            readInputs(i);
        }

        private boolean isReadBefore(int input, int op) {
            if (graph.isFused(input)) {
                return false;
            }
            return parts.isDirectPart(graph.root(input), op)
                    || (overwritable[input] == op
                            && slots[input].offset() == slots[op].offset()
                            && sizes.elementBytes(input) == sizes.elementBytes(op)
                            && graph.elements(op) <= graph.elements(input));
        }

        private void write(int i) {
            if (!graph.isView(i) && slots[i].size() > 0) {
                owners.write(slots[i].offset(), slots[i].end(), i);
            }
        }

        /**
         * Every input, and in place of a fused one what it reads, at the last step that it runs in: what is there then was there
         * before, since a value is written once. So each fused op is looked into once.
         */
        private void readInputs(int i) {
            Deque<Integer> pending = new ArrayDeque<>(List.of(i));
            Set<Integer> seen = new HashSet<>();
            while (!pending.isEmpty()) {
                int reader = pending.remove();
                for (int k = 0; k < graph.inputCount(reader); k++) {
                    int input = graph.input(reader, k);
                    if (!graph.isFused(input)) {
                        if (reader != i || !isReadBefore(input, i)) {
                            read(input, i);
                        }
                    } else if (lastRuns[input] == i && seen.add(input)) {
                        pending.add(input);
                    }
                }
            }
        }

        private void read(int value, int step) {
            int root = graph.root(value);
            BufferSlot slot = slots[root];
            if (slot.size() == 0) {
                return;
            }
            int intruder =
                    owners.intruder(slot.offset(), slot.end(), owner -> owner == root || parts.isPart(root, owner));
            if (intruder != ByteOwners.NOBODY) {
                throw new InvalidPlanException(graph.named(root) + ": expected its bytes " + slot.offset() + " to "
                        + slot.end() + " to be its own "
                        + (step == slots.length ? "at the end" : "while " + graph.named(step) + " runs at step " + step)
                        + ", got some of " + graph.named(intruder) + " at " + slots[intruder].offset() + " to "
                        + slots[intruder].end());
            }
        }
    }
}
