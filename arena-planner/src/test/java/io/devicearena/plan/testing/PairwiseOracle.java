package io.devicearena.plan.testing;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanOptions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a plan is right, word for word as the rules say it: the set of steps at which each value is needed,
 * and then every pair of values. It shares no code with planner or validator.
 */
public final class PairwiseOracle {
    private final MemoryPlan plan;
    private final PlanOptions options;
    private final List<TestNode> nodes;
    private final Map<NodeId, Integer> steps = new HashMap<>();
    private final Map<TestNode, BitSet> needed = new HashMap<>();

    private PairwiseOracle(MemoryPlan plan, TestGraph graph, PlanOptions options) {
        this.plan = plan;
        this.options = options;
        this.nodes = graph.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            steps.put(nodes.get(i).id(), i);
        }
        for (int i = 0; i < nodes.size(); i++) {
            need(nodes.get(i), i, graph);
        }
    }

    public static boolean accepts(MemoryPlan plan, TestGraph graph, PlanOptions options) {
        PairwiseOracle oracle = new PairwiseOracle(plan, graph, options);
        return graph.nodes().stream().allMatch(oracle::isPlaced) && oracle.noTwoMeet();
    }

    private TestNode node(NodeId id) {
        return nodes.get(step(id));
    }

    private int step(NodeId id) {
        return Objects.requireNonNull(steps.get(id), id::toString);
    }

    private TestNode owner(TestNode node) {
        return node.view().map(view -> owner(node(view.parent()))).orElse(node);
    }

    private long firstElement(TestNode node) {
        return node.view()
                .map(view -> view.firstElement() + firstElement(node(view.parent())))
                .orElse(0L);
    }

    private BitSet stepsOf(TestNode value) {
        return needed.computeIfAbsent(owner(value), unknown -> new BitSet());
    }

    /** Marks the steps from the making of a value's owner to {@code last}. */
    private void needUntil(TestNode value, int last) {
        stepsOf(value).set(step(owner(value).id()), last + 1);
    }

    private void need(TestNode node, int step, TestGraph graph) {
        if (node.isFused()) {
            return;
        }
        if (owner(node).role().isPersistent()) {
            stepsOf(node).set(0, nodes.size() + 1);
            return;
        }
        boolean output = node.role() == NodeRole.OUTPUT || graph.outputs().contains(node.id());
        needUntil(node, output ? nodes.size() : step);
        needInputs(node, step);
    }

    private void needInputs(TestNode reader, int step) {
        for (NodeId input : reader.inputs()) {
            if (node(input).isFused()) {
                needInputs(node(input), step);
            } else if (!owner(node(input)).role().isPersistent()) {
                needUntil(node(input), step);
            }
        }
    }

    private long bytes(TestNode node) {
        return node.elements() * elementBytes(node);
    }

    private long elementBytes(TestNode node) {
        boolean isFloat = node.dtype().isHostFloat(); // what a uniform plan widens
        return isFloat ? slotBytes(node) : Math.min(node.dtype().bytes(), slotBytes(node));
    }

    private long slotBytes(TestNode node) {
        return options.elementBytes(node.dtype());
    }

    private boolean isPlaced(TestNode node) {
        Optional<BufferSlot> slot = plan.slot(node.id());
        if (node.isFused() || slot.isEmpty()) {
            return node.isFused() && slot.isEmpty();
        }
        if (node.view().isPresent()) {
            return isPlacedView(node, slot.get());
        }
        long boundary = options.boundary();
        return slot.get().size() >= bytes(node)
                && slot.get().offset() % options.alignment() == 0
                && (boundary == 0
                        || slot.get().size() == 0
                        || slot.get().offset() / boundary == (slot.get().end() - 1) / boundary);
    }

    private boolean isPlacedView(TestNode node, BufferSlot slot) {
        TestNode owner = owner(node);
        BufferSlot parent = plan.slot(owner.id()).orElse(new BufferSlot(0, 0));
        boolean lastRows = firstElement(node) + node.elements() == owner.elements();
        return slot.offset() == parent.offset() + firstElement(node) * elementBytes(node)
                && slot.size() >= bytes(node)
                && slot.end() <= (lastRows ? parent.end() : slot.offset() + bytes(node));
    }

    private boolean noTwoMeet() {
        List<TestNode> owners = new ArrayList<>(nodes);
        owners.removeIf(node -> node.isFused() || node.view().isPresent());
        for (TestNode a : owners) {
            for (TestNode b : owners) {
                if (!a.equals(b)
                        && stepsOf(a).intersects(stepsOf(b))
                        && shareBytes(a, b)
                        && !isWithin(a, b)
                        && !isWithin(b, a)
                        && !isMadeOver(a, b)
                        && !isMadeOver(b, a)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean shareBytes(TestNode a, TestNode b) {
        BufferSlot one = plan.slot(a.id()).orElseThrow();
        BufferSlot other = plan.slot(b.id()).orElseThrow();
        return one.size() > 0 && other.size() > 0 && one.offset() < other.end() && other.offset() < one.end();
    }

    /** Whether b is a concatenation that has the bytes of a where a is, or is within such a one. */
    private boolean isWithin(TestNode a, TestNode b) {
        for (TestNode whole = wholeOf(a).orElse(null);
                whole != null;
                whole = wholeOf(whole).orElse(null)) {
            if (whole.equals(b)) {
                return true;
            }
        }
        return false;
    }

    private Optional<TestNode> wholeOf(TestNode part) {
        return part.role().isPersistent()
                ? Optional.empty()
                : nodes.stream().filter(node -> hasInPlace(node, part)).findFirst();
    }

    private boolean hasInPlace(TestNode whole, TestNode part) {
        if (!whole.isConcatenation() || whole.isFused()) {
            return false;
        }
        long place = slot(whole).offset();
        for (NodeId id : whole.inputs()) {
            TestNode input = node(id);
            if (!input.isFused()
                    && owner(input).equals(part)
                    && input.elements() == part.elements()
                    && slot(part).offset() == place) {
                return true;
            }
            place += bytes(input);
        }
        return false;
    }

    /** Whether op b takes the slot of a as the last to use it, and reads it in no other way. */
    private boolean isMadeOver(TestNode a, TestNode b) {
        if (stepsOf(a).length() != step(b.id()) + 1) {
            return false;
        }
        Set<NodeId> allowed = new HashSet<>();
        for (NodeId id : b.inPlaceInputs()) {
            if (!node(id).isFused()
                    && slot(node(id)).offset() == slot(b).offset()
                    && elementBytes(node(id)) == elementBytes(b)
                    && b.elements() <= node(id).elements()) {
                allowed.add(id);
            }
        }
        return b.inputs().stream().allMatch(id -> allowed.contains(id) || !reads(id, a));
    }

    private boolean reads(NodeId id, TestNode value) {
        TestNode input = node(id);
        return input.isFused()
                ? input.inputs().stream().anyMatch(read -> reads(read, value))
                : owner(input).equals(value);
    }

    private BufferSlot slot(TestNode node) {
        return plan.slot(node.id()).orElseThrow();
    }
}
