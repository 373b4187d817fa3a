package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.size.SizeExpression;
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

    /**
     * {@return the number of elements, 0 or more: the product of the shape's dimensions} Of a value with free
     * dimensions: at their upper bounds.
     */
    long elements();

    /**
     * {@return the dimensions, each 0 or more, whose product is {@link #elements}} One dimension by default. The
     * planner only keeps it, for {@link io.devicearena.MemoryPlan#values}.
     */
    default List<Long> shape() {
        return List.of(elements());
    }

    /**
     * {@return the dimensions of the {@link #shape} as expressions of the graph's free dimensions; the shape by
     * default, which then is the same at all sizes} At the upper bound of each free dimension they have the values of
     * the shape. None shrinks when a free dimension grows. Parameters, constants and states depend on none, since they
     * keep their bytes when the sizes change.
     */
    default List<SizeExpression> sizes() {
        return shape().stream().map(SizeExpression::of).toList();
    }

    /**
     * {@return the values that the op reads, all of earlier nodes} Any order, repetitions allowed; empty for inputs,
     * parameters and constants.
     */
    List<NodeId> inputs();

    /**
     * {@return what this value is a view of, or empty for a value with bytes of its own, the default} A view executes
     * nothing.
     */
    default Optional<ViewOf> view() {
        return Optional.empty();
    }

    /**
     * {@return whether the op is fused into the ops that read it, so that its value is never in memory; false by
     * default} It is in the schedule and gets no slot. Its inputs are live until the last op runs that it is fused
     * into.
     */
    default boolean isFused() {
        return false;
    }

    /**
     * {@return those of the {@link #inputs} that the op may write its value over, the best first; empty by default} The
     * op reads element i of such an input no later than it writes element i of its value, and no other element of it
     * afterwards, as element-wise ops do. The planner reuses the slot of such an input if this op is its last use and
     * both take the same bytes.
     */
    default List<NodeId> inPlaceInputs() {
        return List.of();
    }

    /**
     * {@return whether the value is the elements of its inputs, one input after another in the order of {@link
     * #inputs}; false by default} That is a concatenation along axis 0, or along any axis with only dimensions of 1
     * before it. The planner may place inputs inside the slot of the value; the op has nothing to copy for those.
     */
    default boolean isConcatenation() {
        return false;
    }

    /**
     * {@return earlier nodes that must run before this one although it does not read them; empty by default} A changed
     * order of execution keeps them before it.
     */
    default List<NodeId> controlDependencies() {
        return List.of();
    }

    /**
     * {@return the state that the op changes in place, or an earlier update of that state; empty by default} An op that
     * adds rows to a cache is one. Its value is the whole state after the change, in the state's slot. So it has the
     * type and the elements of the state and a role of op or output; it is no view, not fused and no concatenation. No
     * later node reads the state, or the earlier update: it reads this value. A changed order of execution keeps
     * readers of what was there before in front of this op.
     */
    default Optional<NodeId> updates() {
        return Optional.empty();
    }
}
