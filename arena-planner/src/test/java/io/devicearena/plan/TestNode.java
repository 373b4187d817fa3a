package io.devicearena.plan;

import io.devicearena.DType;
import io.devicearena.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/** A node of a {@link TestGraph}. */
record TestNode(
        NodeId id,
        NodeRole role,
        DType dtype,
        long elements,
        List<NodeId> inputs,
        Optional<ViewOf> view,
        boolean isFused,
        List<NodeId> inPlaceInputs,
        boolean isConcatenation,
        List<NodeId> runsAfter)
        implements PlanNode {

    TestNode(
            NodeId id,
            NodeRole role,
            DType dtype,
            long elements,
            List<NodeId> inputs,
            Optional<ViewOf> view,
            boolean isFused) {
        this(id, role, dtype, elements, inputs, view, isFused, List.of(), false, List.of());
    }

    static TestNode of(long id, NodeRole role, long elements, long... inputs) {
        return new TestNode(NodeId.of(id), role, DType.F32, elements, ids(inputs), Optional.empty(), false);
    }

    static List<NodeId> ids(long... values) {
        return LongStream.of(values).mapToObj(NodeId::of).toList();
    }

    TestNode as(DType other) {
        return new TestNode(
                id, role, other, elements, inputs, view, isFused, inPlaceInputs, isConcatenation, runsAfter);
    }

    TestNode as(NodeRole other) {
        return new TestNode(
                id, other, dtype, elements, inputs, view, isFused, inPlaceInputs, isConcatenation, runsAfter);
    }

    TestNode showing(ViewOf shown) {
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
                runsAfter);
    }

    TestNode fusedAway() {
        return new TestNode(id, role, dtype, elements, inputs, view, true, inPlaceInputs, isConcatenation, runsAfter);
    }

    /** The op may be written over these inputs. */
    TestNode over(long... taken) {
        return over(ids(taken));
    }

    TestNode over(List<NodeId> taken) {
        return new TestNode(id, role, dtype, elements, inputs, view, isFused, taken, isConcatenation, runsAfter);
    }

    TestNode joining() {
        return new TestNode(id, role, dtype, elements, inputs, view, isFused, inPlaceInputs, true, runsAfter);
    }

    /** It shares its slot with no other value. */
    TestNode alone() {
        return new TestNode(id, role, dtype, elements, inputs, view, isFused, List.of(), false, runsAfter);
    }

    TestNode after(long... earlier) {
        return new TestNode(
                id, role, dtype, elements, inputs, view, isFused, inPlaceInputs, isConcatenation, ids(earlier));
    }
}
