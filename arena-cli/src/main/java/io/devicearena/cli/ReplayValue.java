package io.devicearena.cli;

import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A value that a replay writes and reads.
 *
 * @param id the value
 * @param bytes its true length, without padding
 * @param lower the step at which it is written
 * @param upper the step before which it is read, for the last time
 * @param source the value whose bytes these are: itself, for a view the value that owns them, or for what lies in a
 *     concatenation's slot that concatenation
 * @param sourceOffset bytes of the source before these
 */
record ReplayValue(NodeId id, long bytes, long lower, long upper, NodeId source, long sourceOffset) {
    boolean isView() {
        return !source.equals(id);
    }

    static List<ReplayValue> of(Input input, PlanResult planned) {
        return switch (input) {
            case Input.OfGraph of -> ofGraph(of.network(), planned);
            case Input.OfTraining of -> ofGraph(of.graph().orElseThrow(), planned);
            case Input.OfBuffers buffers ->
                buffers.buffers().stream()
                        .map(buffer -> new ReplayValue(
                                buffer.id(), buffer.size(), buffer.firstStep(), buffer.endStep(), buffer.id(), 0))
                        .toList();
        };
    }

    private static List<ReplayValue> ofGraph(FileGraph graph, PlanResult planned) {
        Map<NodeId, LiveBuffer> lives = new HashMap<>();
        planned.buffers().forEach(buffer -> lives.put(buffer.id(), buffer));
        Map<NodeId, NodeId> wholes = wholes(planned);
        Map<NodeId, ReplayValue> values = new HashMap<>();
        Map<NodeId, FileNode> nodes = new HashMap<>();
        graph.nodes().forEach(node -> nodes.put(node.id(), node));
        List<ReplayValue> ordered = new ArrayList<>();
        for (NodeId id : planned.plan().schedule()) {
            LiveBuffer life = lives.get(id);
            FileNode node = nodes.get(id);
            if (life != null && node != null) {
                ReplayValue value = node.view().isPresent()
                        ? ofView(node, node.view().get(), life, values)
                        : ofNode(node, life, wholes, planned.plan());
                values.put(id, value);
                ordered.add(value);
            }
        }
        return ordered;
    }

    /** The outermost concatenation in whose slot each value lies that has no life of its own, though it is no view. */
    private static Map<NodeId, NodeId> wholes(PlanResult planned) {
        Map<NodeId, NodeId> wholes = new HashMap<>();
        for (SlotAlias pair : planned.aliases().reversed()) {
            if (pair.reason() == SlotAlias.Reason.CONCATENATION) {
                wholes.put(pair.value(), wholes.getOrDefault(pair.host(), pair.host()));
            } else if (wholes.containsKey(pair.value())) {
                wholes.put(pair.host(), wholes.getOrDefault(pair.value(), pair.host()));
            }
        }
        return wholes;
    }

    private static ReplayValue ofNode(FileNode node, LiveBuffer life, Map<NodeId, NodeId> wholes, MemoryPlan plan) {
        NodeId source = wholes.getOrDefault(node.id(), node.id());
        long sourceOffset = offset(plan, node.id()) - offset(plan, source);
        return new ReplayValue(node.id(), bytes(node), life.firstStep(), life.endStep(), source, sourceOffset);
    }

    private static long offset(MemoryPlan plan, NodeId id) {
        return plan.slot(id)
                .orElseThrow(() -> new IllegalArgumentException(id + ": expected a slot in the plan, got none"))
                .offset();
    }

    private static ReplayValue ofView(FileNode node, ViewOf view, LiveBuffer life, Map<NodeId, ReplayValue> earlier) {
        ReplayValue parent = earlier.get(view.parent());
        if (parent == null) {
            throw new IllegalArgumentException(node.id() + ": expected a view of an earlier value, got " + view);
        }
        return new ReplayValue(
                node.id(),
                bytes(node),
                life.firstStep(),
                life.endStep(),
                parent.source(),
                parent.sourceOffset() + view.firstElement() * Float.BYTES);
    }

    private static long bytes(FileNode node) {
        return node.elements() * Float.BYTES;
    }
}
