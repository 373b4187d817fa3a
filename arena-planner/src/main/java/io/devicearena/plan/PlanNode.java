package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * One node of a graph, and the one value it makes. An engine's own node class implements it.
 *
 * <p><b>Threads:</b> one thread at a time; the planner only reads.
 */
public interface PlanNode {
    /** {@return the id of the node's value, unique in the graph} */
    NodeId id();

    /** {@return the name of the node in reports and messages; the number by default} */
    default String name() {
        return id().toString();
    }

    /** {@return the role of the value in the graph} */
    NodeRole role();

    /** {@return the declared element type} */
    DType dtype();

    /** {@return the number of elements, 0 or more: the product of the shape's dimensions} */
    long elements();

    /**
     * The values the op reads. All of them come earlier in the graph's order.
     *
     * @return names in any order, repetitions allowed; empty for inputs, parameters and constants
     */
    List<NodeId> inputs();

    /**
     * The value that this one is a view of, if it is a view. A view has no bytes of its own and executes nothing.
     *
     * @return what it is a view of, or empty for a value with bytes of its own, which is the default
     */
    default Optional<ViewOf> view() {
        return Optional.empty();
    }

    /**
     * Whether the op is fused into the ops that read it, so that its value is never in memory. It is in the schedule
     * and gets no slot. Its inputs are live until the last op runs that it is fused into.
     *
     * @return true if it is; false is the default
     */
    default boolean isFused() {
        return false;
    }

    /**
     * The inputs that the op may write its value over. The op reads element i of such an input no later than it writes
     * element i of its value, and no other element of it afterwards, as element-wise ops do. The planner reuses the
     * slot of such an input if this op is its last use and both take the same bytes.
     *
     * @return some of {@link #inputs}, the best first; empty by default
     */
    default List<NodeId> inPlaceInputs() {
        return List.of();
    }

    /**
     * Whether the value is the elements of its inputs, one input after another in the order of {@link #inputs}: a
     * concatenation along axis 0, or along any axis with only dimensions of 1 before it. The planner may then place
     * inputs inside the slot of the value, and the op has nothing to copy for those.
     *
     * @return true if it is; false is the default
     */
    default boolean isConcatenation() {
        return false;
    }

    /**
     * The nodes that must run before this one although it does not read them, such as for an effect that the graph does
     * not show. A changed order of execution keeps them before it.
     *
     * @return names of nodes that come earlier in the graph's order; empty by default
     */
    default List<NodeId> controlDependencies() {
        return List.of();
    }
}
