package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.Collection;
import java.util.List;

/**
 * A graph as a planner sees it. An engine's own graph class implements it; nothing has to be copied into ours.
 *
 * <p><b>Threads:</b> one thread at a time; a planner reads the graph and changes nothing.
 */
public interface PlanGraph {
    /**
     * The nodes in the order in which they are executed: a node comes after all it reads.
     *
     * @return the nodes; the place in the list is the step
     */
    List<? extends PlanNode> nodes();

    /**
     * The values that the host reads after the execution. They live to its end, as those of role
     * {@link NodeRole#OUTPUT} do.
     *
     * @return names of nodes; empty by default, for graphs that say it by role
     */
    default Collection<NodeId> outputs() {
        return List.of();
    }
}
