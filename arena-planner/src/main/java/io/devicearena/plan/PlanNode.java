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

    /**
     * Tells which inputs' slots the op's value may take. The op reads element i of such an input no later than it writes
     * element i of its value, and no other element of it afterwards, as element-wise ops do. A planner uses it where the
     * input's last use is this op and both take the same bytes.
     *
     * @return some of {@link #inputs}, the best first; empty by default
     */
    default List<NodeId> inPlaceInputs() {
        return List.of();
    }

    /**
     * Tells whether the value is the elements of its inputs, one input after another in the order of {@link #inputs}: a
     * concatenation along axis 0, or along any axis with only dimensions of 1 before it. A planner may then let the
     * inputs be made inside the value's slot, and the op has nothing to copy for those.
     *
     * @return true when it is; false is the default
     */
    default boolean isConcatenation() {
        return false;
    }

    /**
     * The nodes that must have run before this one for another reason than that it reads them, such as an effect that
     * the graph does not show. They bind whoever changes the order of execution.
     *
     * @return names of nodes that come earlier in the graph's order; empty by default
     */
    default List<NodeId> runsAfter() {
        return List.of();
    }
}
