package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.Collection;
import java.util.List;

/**
 * A graph as the planner reads it. An engine's own graph class implements it.
 *
 * <p><b>Threads:</b> one thread at a time; the planner only reads.
 */
public interface PlanGraph {
    /**
     * The nodes in the order in which they are executed: a node comes after all nodes that it reads.
     *
     * @return the nodes; the ops among them that write their value to memory are the steps of the execution
     */
    List<? extends PlanNode> nodes();

    /**
     * The values that the host reads after the execution. They are live to its end, as those
     * of role {@link NodeRole#OUTPUT} are.
     *
     * @return names of nodes; empty by default, for graphs that mark outputs by role
     */
    default Collection<NodeId> outputs() {
        return List.of();
    }
}
