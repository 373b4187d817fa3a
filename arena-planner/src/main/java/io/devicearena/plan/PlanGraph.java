package io.devicearena.plan;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import java.util.Collection;
import java.util.List;

/**
 * A graph as the planner reads it. An engine's own graph class implements it.
 *
 * <p><b>Threads:</b> one thread at a time; the planner only reads.
 */
public interface PlanGraph {
    /**
     * {@return the nodes in order of execution, each after all nodes that it reads} The ops that write their value to
     * memory are the steps of the execution.
     */
    List<? extends PlanNode> nodes();

    /**
     * {@return the values that the host reads after the execution, in addition to those of role {@link
     * NodeRole#OUTPUT}; empty by default} They are live to the end.
     */
    default Collection<NodeId> outputs() {
        return List.of();
    }
}
