package io.devicearena.plan.validation;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One value of a {@link CheckedGraph}, with its references resolved to other values. */
final class GraphValue {
    final PlanNode node;
    final NodeId id;
    final String name; // in messages: the id, and the node's name where that says more
    final int position; // in the order of execution
    final int step; // ops that run before it
    final boolean persistent;
    final boolean fused;
    final DType dtype;
    final long elements;
    final long elementBytes; // from one element to the next
    final boolean concatenation;
    final List<GraphValue> inputs = new ArrayList<>();
    final Set<GraphValue> inPlaceInputs = new HashSet<>();
    GraphValue root = this; // the value that owns the bytes: another one for a view or an update
    GraphValue maker = this; // the value that was written to the bytes: another one for a view
    GraphValue latest = this; // of a state: its last update
    boolean update; // of a state, in place
    long firstElement; // elements of the root before this value
    boolean output; // whether the host reads the value after the execution

    GraphValue(PlanNode node, int position, int step, PlanOptions options) {
        this.node = node;
        this.id = node.id();
        this.name = id.toString().equals(node.name()) ? node.name() : id + " '" + node.name() + "'";
        this.position = position;
        this.step = step;
        this.persistent = node.role().isPersistent();
        this.fused = node.isFused();
        this.dtype = node.dtype();
        this.elements = node.elements();
        this.elementBytes = options.storedType(dtype).bytes();
        this.concatenation =
                node.isConcatenation() && !fused && !persistent && node.view().isEmpty();
        this.output = node.role() == NodeRole.OUTPUT;
    }

    boolean isView() {
        return root != this && !update;
    }

    /** Whether the bytes are those of a parameter or constant. */
    boolean isWeight() {
        NodeRole role = root.node.role();
        return role == NodeRole.PARAMETER || role == NodeRole.CONSTANT;
    }

    /** Whether an op makes the value in bytes of its own. */
    boolean isMadeInMemory() {
        return !persistent && !fused && root == this;
    }

    /** Whether the value is all of its root. */
    boolean isWhole() {
        return firstElement == 0 && elements == root.elements;
    }

    /** Bytes of the elements. */
    long bytes() {
        return elements * elementBytes;
    }
}
