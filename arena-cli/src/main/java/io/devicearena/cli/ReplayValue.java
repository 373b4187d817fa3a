package io.devicearena.cli;

import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlannedMemory;
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
 * @param source the value whose bytes these are: itself, or for a view the value that owns them
 * @param sourceOffset bytes of the source before these
 */
record ReplayValue(NodeId id, long bytes, long lower, long upper, NodeId source, long sourceOffset) {
    boolean isView() {
        return !source.equals(id);
    }

    static List<ReplayValue> of(Input input, PlannedMemory planned) {
        return switch (input) {
            case Input.OfGraph graph -> ofGraph(graph.graph(), planned);
            case Input.OfBuffers buffers ->
                buffers.buffers().stream()
                        .map(buffer -> new ReplayValue(
                                buffer.id(), buffer.size(), buffer.lower(), buffer.upper(), buffer.id(), 0))
                        .toList();
        };
    }

    private static List<ReplayValue> ofGraph(FileGraph graph, PlannedMemory planned) {
        Map<NodeId, LiveBuffer> lives = new HashMap<>();
        planned.buffers().forEach(buffer -> lives.put(buffer.id(), buffer));
        Map<NodeId, ReplayValue> values = new HashMap<>();
        List<ReplayValue> ordered = new ArrayList<>();
        for (PlanNode node : graph.nodes()) {
            LiveBuffer life = lives.get(node.id());
            if (life != null) {
                ReplayValue value = ofNode(node, life, values);
                values.put(node.id(), value);
                ordered.add(value);
            }
        }
        return ordered;
    }

    private static ReplayValue ofNode(PlanNode node, LiveBuffer life, Map<NodeId, ReplayValue> earlier) {
        long bytes = node.elements() * Float.BYTES;
        NodeId source = node.id();
        long sourceOffset = 0;
        if (node.view().isPresent()) {
            ViewOf view = node.view().get();
            ReplayValue parent = earlier.get(view.parent());
            if (parent == null) {
                throw new IllegalArgumentException(node.id() + ": expected a view of an earlier value, got " + view);
            }
            source = parent.source();
            sourceOffset = parent.sourceOffset() + view.firstElement() * Float.BYTES;
        }
        return new ReplayValue(node.id(), bytes, life.lower(), life.upper(), source, sourceOffset);
    }
}
