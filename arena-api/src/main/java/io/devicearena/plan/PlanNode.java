package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * One node of a graph, and the one value it makes. An engine's own node class implements it.
 *
 * <p><b>Threads:</b> one thread at a time; a planner reads nodes and changes none.
 */
public interface PlanNode {
    /**
     * The name of the node's value.
     *
     * @return unique in the graph
     */
    NodeId id();

    /**
     * What people call the node, for reports.
     *
     * @return any text; the number by default
     */
    default String name() {
        return id().toString();
    }

    /**
     * What the value is to the graph.
     *
     * @return its role
     */
    NodeRole role();

    /**
     * The declared element type.
     *
     * @return the type
     */
    DType dtype();

    /**
     * The number of elements: the product of the shape's dimensions.
     *
     * @return 0 or more
     */
    long elements();

    /**
     * The values the op reads. All of them come earlier in the graph's order.
     *
     * @return names in any order, repetitions allowed; empty for inputs, parameters and constants
     */
    List<NodeId> inputs();

    /**
     * Tells whether the value is a view: a part of another value's bytes, with none of its own.
     *
     * @return what it is a view of, or empty for a value with bytes of its own, which is the default
     */
    default Optional<ViewOf> view() {
        return Optional.empty();
    }

    /**
     * Tells whether the op was fused into those that read it, so that its value is never in memory. It is scheduled and
     * gets no slot; what it reads lives until the last op that it was fused into.
     *
     * @return true when it was; false is the default
     */
    default boolean isFused() {
        return false;
    }
}
