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
        List<NodeId> controlDependencies,
        Details details)
        implements PlanNode {
    /** What most nodes leave at its default. */
    public record Details(Optional<String> givenName, Optional<List<Long>> givenShape, Optional<NodeId> updates) {}

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

    public TestNode(
            NodeId id,
            NodeRole role,
            DType dtype,
            long elements,
            List<NodeId> inputs,
            Optional<ViewOf> view,
            boolean isFused,
            List<NodeId> inPlaceInputs,
            boolean isConcatenation,
            List<NodeId> controlDependencies) {
        this(
                id,
                role,
                dtype,
                elements,
                inputs,
                view,
                isFused,
                inPlaceInputs,
                isConcatenation,
                controlDependencies,
                new Details(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    public static TestNode of(long id, NodeRole role, long elements, long... inputs) {
        return new TestNode(NodeId.of(id), role, DType.F32, elements, ids(inputs), Optional.empty(), false);
    }

    public static List<NodeId> ids(long... values) {
        return LongStream.of(values).mapToObj(NodeId::of).toList();
    }

    public TestNode as(DType other) {
        return new TestNode(
                id,
                role,
                other,
                elements,
                inputs,
                view,
                isFused,
                inPlaceInputs,
                isConcatenation,
                controlDependencies,
                details);
    }

    public TestNode as(NodeRole other) {
        return new TestNode(
                id,
                other,
                dtype,
                elements,
                inputs,
                view,
                isFused,
                inPlaceInputs,
                isConcatenation,
                controlDependencies,
                details);
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
                controlDependencies,
                details);
    }

    public TestNode fusedAway() {
        return new TestNode(
                id,
                role,
                dtype,
                elements,
                inputs,
                view,
                true,
                inPlaceInputs,
                isConcatenation,
                controlDependencies,
                details);
    }

    /** The op may be written over these inputs. */
    public TestNode over(long... taken) {
        return over(ids(taken));
    }

    public TestNode over(List<NodeId> taken) {
        return new TestNode(
                id, role, dtype, elements, inputs, view, isFused, taken, isConcatenation, controlDependencies, details);
    }

    public TestNode joining() {
        return new TestNode(
                id, role, dtype, elements, inputs, view, isFused, inPlaceInputs, true, controlDependencies, details);
    }

    /** It shares its slot with no other value. */
    public TestNode alone() {
        return new TestNode(
                id, role, dtype, elements, inputs, view, isFused, List.of(), false, controlDependencies, details);
    }

    public TestNode after(long... earlier) {
        return new TestNode(
                id,
                role,
                dtype,
                elements,
                inputs,
                view,
                isFused,
                inPlaceInputs,
                isConcatenation,
                ids(earlier),
                details);
    }

    public TestNode named(String other) {
        return with(new Details(Optional.of(other), details.givenShape, details.updates));
    }

    public TestNode shaped(Long... dimensions) {
        return with(new Details(details.givenName, Optional.of(List.of(dimensions)), details.updates));
    }

    /** The op changes a state, or an earlier update of it, in place. */
    public TestNode updating(long state) {
        return with(new Details(details.givenName, details.givenShape, Optional.of(NodeId.of(state))));
    }

    private TestNode with(Details other) {
        return new TestNode(
                id,
                role,
                dtype,
                elements,
                inputs,
                view,
                isFused,
                inPlaceInputs,
                isConcatenation,
                controlDependencies,
                other);
    }

    @Override
    public String name() {
        return details.givenName.orElseGet(id::toString);
    }

    @Override
    public List<Long> shape() {
        return details.givenShape.orElseGet(() -> List.of(elements));
    }

    @Override
    public Optional<NodeId> updates() {
        return details.updates;
    }
}
