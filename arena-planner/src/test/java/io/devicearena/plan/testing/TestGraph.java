package io.devicearena.plan.testing;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A graph that is put together node by node; the order of the calls is the order of execution. */
public final class TestGraph implements PlanGraph {
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

    public TestGraph node(TestNode node) {
        nodes.add(node);
        return this;
    }

    public TestGraph input(long id, long elements) {
        return node(TestNode.of(id, NodeRole.INPUT, elements));
    }

    public TestGraph parameter(long id, long elements) {
        return node(TestNode.of(id, NodeRole.PARAMETER, elements));
    }

    public TestGraph constant(long id, long elements) {
        return node(TestNode.of(id, NodeRole.CONSTANT, elements));
    }

    public TestGraph op(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs));
    }

    public TestGraph output(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OUTPUT, elements, inputs));
    }

    public TestGraph fused(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs).fusedAway());
    }

    /** An op whose value is {@code elements} elements of {@code parent}, from {@code firstElement} on. */
    public TestGraph view(long id, long elements, long parent, long firstElement) {
        return node(
                TestNode.of(id, NodeRole.OP, elements, parent).showing(new ViewOf(NodeId.of(parent), firstElement)));
    }

    /** An element-wise op that may be written over its first input. */
    public TestGraph inPlace(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs).over(inputs[0]));
    }

    public TestGraph concatenation(long id, long elements, long... inputs) {
        return node(TestNode.of(id, NodeRole.OP, elements, inputs).joining());
    }

    /** Names a node that the host reads, as graphs do that say it apart from the roles. */
    public TestGraph reads(long id) {
        outputs.add(NodeId.of(id));
        return this;
    }
}
