package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A graph that is put together node by node; the order of the calls is the order of execution. */
final class TestGraph implements PlanGraph {
    private final List<TestNode> nodes = new ArrayList<>();
    private final Set<NodeId> outputs = new LinkedHashSet<>();

    @Override
    public List<TestNode> nodes() {
        return nodes;
    }

    @Override
    public Set<NodeId> outputs() {
        return outputs;
    }

    TestGraph node(TestNode node) {
        nodes.add(node);
        return this;
    }

    TestGraph input(long id, long elements) {
        return node(TestNode.of(id, NodeRole.INPUT, elements));
    }

    TestGraph parameter(long id, long elements) {
        return node(TestNode.of(id, NodeRole.PARAMETER, elements));
    }

    TestGraph constant(long id, long elements) {
        return node(TestNode.of(id, NodeRole.CONSTANT, elements));
    }

    TestGraph op(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs));
    }

    TestGraph output(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OUTPUT, elements, inputs));
    }

    TestGraph fused(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs).fusedAway());
    }

    /** An op whose value is {@code elements} elements of {@code parent}, from {@code firstElement} on. */
    TestGraph view(long id, long elements, long parent, long firstElement) {
        return node(
                TestNode.of(id, NodeRole.OP, elements, parent).showing(new ViewOf(NodeId.of(parent), firstElement)));
    }

    /** An element-wise op that may be written over its first input. */
    TestGraph inPlace(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs).over(inputs[0]));
    }

    TestGraph concatenation(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs).joining());
    }

    /** Names a node that the host reads, as graphs do that say it apart from the roles. */
    TestGraph reads(long id) {
        outputs.add(NodeId.of(id));
        return this;
    }
}
