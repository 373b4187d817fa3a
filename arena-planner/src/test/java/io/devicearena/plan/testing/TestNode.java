package io.devicearena.plan.testing;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.ViewOf;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** A node of a {@link TestGraph}. */
public record TestNode(
        NodeId id,
        NodeRole role,
        DType dtype,
        long elements,
        List<NodeId> inputs,
        Optional<ViewOf> view,
        boolean isFused,
        List<NodeId> inPlaceInputs,
        boolean isConcatenation,
        List<NodeId> controlDependencies)
        implements PlanNode {

    public TestNode(
            NodeId id,
            NodeRole role,
            DType dtype,
            long elements,
            List<NodeId> inputs,
            Optional<ViewOf> view,
            boolean isFused) {
        this(id, role, dtype, elements, inputs, view, isFused, List.of(), false, List.of());
    }

    public static TestNode of(long id, NodeRole role, long elements, long... inputs) {
        return new TestNode(NodeId.of(id), role, DType.F32, elements, ids(inputs), Optional.empty(), false);
    }

    public static List<NodeId> ids(long... values) {
        return LongStream.of(values).mapToObj(NodeId::of).toList();
    }

    public TestNode as(DType other) {
        return new TestNode(
                id, role, other, elements, inputs, view, isFused, inPlaceInputs, isConcatenation, controlDependencies);
    }

    public TestNode as(NodeRole other) {
        return new TestNode(
                id, other, dtype, elements, inputs, view, isFused, inPlaceInputs, isConcatenation, controlDependencies);
    }

    public TestNode showing(ViewOf shown) {
        return new TestNode(
                id,
                role,
                dtype,
                elements,
                inputs,
                Optional.of(shown),
                isFused,
                inPlaceInputs,
                isConcatenation,
                controlDependencies);
    }

    public TestNode fusedAway() {
        return new TestNode(
                id, role, dtype, elements, inputs, view, true, inPlaceInputs, isConcatenation, controlDependencies);
    }

    /** The op may be written over these inputs. */
    public TestNode over(long... taken) {
        return over(ids(taken));
    }

    public TestNode over(List<NodeId> taken) {
        return new TestNode(
                id, role, dtype, elements, inputs, view, isFused, taken, isConcatenation, controlDependencies);
    }

    public TestNode joining() {
        return new TestNode(id, role, dtype, elements, inputs, view, isFused, inPlaceInputs, true, controlDependencies);
    }

    /** It shares its slot with no other value. */
    public TestNode alone() {
        return new TestNode(id, role, dtype, elements, inputs, view, isFused, List.of(), false, controlDependencies);
    }

    public TestNode after(long... earlier) {
        return new TestNode(
                id, role, dtype, elements, inputs, view, isFused, inPlaceInputs, isConcatenation, ids(earlier));
    }
}
