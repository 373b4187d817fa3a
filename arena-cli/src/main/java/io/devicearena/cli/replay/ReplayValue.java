package io.devicearena.cli.replay;

import io.devicearena.NodeId;
import io.devicearena.cli.input.BufferInput;
import io.devicearena.cli.input.GraphInput;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value that a replay writes and reads.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id the value
 * @param bytes its length without padding
 * @param lower the step at which it is written
 * @param upper the first step after the last read
 * @param source the value that owns the bytes: the value itself, or for a view its parent, or if that is over the
 *     concatenation that it is a part of
 * @param sourceOffset where its bytes begin in those of the source
 */
public record ReplayValue(NodeId id, long bytes, long lower, long upper, NodeId source, long sourceOffset) {
    boolean isView() {
        return !source.equals(id);
    }

    /**
     * The values of a plan.
     *
     * @param planned the plan
     * @return the values in the order of the schedule
     */
    public static List<ReplayValue> of(PlannedInput planned) {
        return switch (planned.input()) {
            case GraphInput graph -> ofGraph(graph, planned);
            case BufferInput buffers ->
                buffers.buffers().stream()
                        .map(buffer -> new ReplayValue(
                                buffer.id(), buffer.size(), buffer.firstStep(), buffer.endStep(), buffer.id(), 0))
                        .toList();
        };
    }

    private static List<ReplayValue> ofGraph(GraphInput graph, PlannedInput planned) {
        Map<NodeId, LiveBuffer> liveRanges = new HashMap<>();
        planned.result().buffers().forEach(buffer -> liveRanges.put(buffer.id(), buffer));
        Map<NodeId, NodeId> wholes = planned.hosts(SlotAlias.Reason.CONCATENATION);
        Map<NodeId, ReplayValue> values = new HashMap<>();
        List<ReplayValue> ordered = new ArrayList<>();
        for (NodeId id : planned.plan().schedule()) {
            LiveBuffer live = liveRanges.get(id);
            if (live != null) {
                NodeId source = graph.node(id)
                        .flatMap(PlanNode::view)
                        .map(view -> source(view, live, values, wholes))
                        .orElse(id);
                long sourceOffset =
                        planned.slot(id).offset() - planned.slot(source).offset();
                long bytes = planned.plan().value(id).orElseThrow().bytes();
                ReplayValue value = new ReplayValue(id, bytes, live.firstStep(), live.endStep(), source, sourceOffset);
                values.put(id, value);
                ordered.add(value);
            }
        }
        return ordered;
    }

    /** The value that has the bytes of a view at its step: a concatenation takes over those of its parts. */
    private static NodeId source(
            ViewOf view, LiveBuffer live, Map<NodeId, ReplayValue> earlier, Map<NodeId, NodeId> wholes) {
        ReplayValue parent = earlier.get(view.parent());
        if (parent == null) {
            throw new IllegalArgumentException(live.id() + ": expected a view of an earlier value, got " + view);
        }
        NodeId source = parent.source();
        while (wholes.containsKey(source) && isOver(earlier.get(source), live)) {
            source = wholes.getOrDefault(source, source);
        }
        return source;
    }

    private static boolean isOver(@Nullable ReplayValue value, LiveBuffer live) {
        return value != null && value.upper() <= live.firstStep();
    }
}
