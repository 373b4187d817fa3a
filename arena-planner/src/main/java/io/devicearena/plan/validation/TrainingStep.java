package io.devicearena.plan.validation;

import io.devicearena.NodeId;
import io.devicearena.plan.InvalidGraphException;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A forward graph and the backward graph that runs after it, as one list of nodes. */
final class TrainingStep {
    private final List<PlanNode> nodes;
    private final Set<NodeId> outputs = new LinkedHashSet<>();
    private final Set<NodeId> madeForward;
    private final Set<NodeId> madeBackward;

    private TrainingStep(PlanGraph forward, PlanGraph backward) {
        nodes = new ArrayList<>(forward.nodes());
        outputs.addAll(forward.outputs());
        outputs.addAll(backward.outputs());
        madeForward = made(forward);
        madeBackward = made(backward);
    }

    static TrainingStep of(PlanGraph forward, PlanGraph backward, PlanOptions options) {
        Map<NodeId, GraphValue> known = new HashMap<>();
        CheckedGraph.read(List.copyOf(forward.nodes()), forward.outputs(), options)
                .forEach(value -> known.put(value.id, value));
        TrainingStep step = new TrainingStep(forward, backward);
        List<GraphValue> second = CheckedGraph.read(List.copyOf(backward.nodes()), backward.outputs(), options);
        List<? extends PlanNode> backwardNodes = List.copyOf(backward.nodes());
        for (GraphValue value : second) {
            GraphValue shared = known.get(value.id);
            if (shared == null) {
                step.nodes.add(backwardNodes.get(value.position));
            } else if (!agree(shared, value)) {
                throw new InvalidGraphException(value.name + ": expected the same value in memory in both graphs, made"
                        + " by the forward graph or the host");
            }
        }
        return step;
    }

    private static boolean agree(GraphValue first, GraphValue second) {
        boolean sameBytes = first.root.id.equals(second.root.id) && first.firstElement == second.firstElement;
        return second.persistent
                && !first.fused
                && first.elements == second.elements
                && first.dtype == second.dtype
                && (!second.isView() || sameBytes);
    }

    private static Set<NodeId> made(PlanGraph graph) {
        Set<NodeId> made = new HashSet<>();
        for (PlanNode node : graph.nodes()) {
            if (!node.role().isPersistent()) {
                made.add(node.id());
            }
        }
        return made;
    }

    /** Those of a schedule that the ops of a graph make, in its order. */
    static List<NodeId> made(PlanGraph graph, List<NodeId> schedule) {
        return schedule.stream().filter(made(graph)::contains).toList();
    }

    List<PlanNode> nodes() {
        return nodes;
    }

    Set<NodeId> outputs() {
        return outputs;
    }

    /** Checks that all ops of the forward graph come before those of the backward graph. */
    void checkOrder(List<NodeId> schedule) {
        int ran = 0;
        for (NodeId id : schedule) {
            if (madeForward.contains(id)) {
                ran++;
            } else if (madeBackward.contains(id) && ran < madeForward.size()) {
                throw new InvalidPlanException(id + ": expected all of the forward graph to run before it, got " + ran
                        + " of " + madeForward.size());
            }
        }
    }
}
