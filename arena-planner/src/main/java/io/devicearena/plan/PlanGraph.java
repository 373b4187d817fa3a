package io.devicearena.plan;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.size.Dimension;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * A graph as the planner reads it. An engine's own graph class implements it.
 *
 * <p>Its sizes may depend on free dimensions with bounds: {@link PlanNode#sizes}. A plan of it holds at every size, and
 * {@link FamilyPlan#at} has the plan at one.
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

    /**
     * {@return the free dimensions of the nodes by their names, in the order in which they appear}
     *
     * @throws InvalidGraphException if the graph is invalid, or two have one name
     */
    default Map<String, Dimension> dimensions() {
        return SizedGraph.dimensions(GraphReader.read(this));
    }

    /**
     * {@return the graph at some sizes, without free dimensions} It reads this one.
     *
     * @param sizes a size for each of {@link #dimensions}
     * @throws IllegalArgumentException if a size is missing, or not of its dimension
     */
    default PlanGraph at(Map<String, Long> sizes) {
        return SizedGraph.of(this, size -> size.fixedAt(sizes));
    }

    /**
     * {@return the graph with lower upper bounds} It reads this one.
     *
     * @param bounds upper bounds by the names of dimensions; others keep theirs
     * @throws IllegalArgumentException if a bound is no size of its dimension
     */
    default PlanGraph upTo(Map<String, Long> bounds) {
        return SizedGraph.of(this, size -> size.upTo(bounds));
    }
}
