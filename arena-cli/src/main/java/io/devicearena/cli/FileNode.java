package io.devicearena.cli;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.plan.NodeRole;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.ViewOf;
import java.util.List;
import java.util.Optional;

/** A node of a graph file. */
record FileNode(
        NodeId id,
        String name,
        NodeRole role,
        DType dtype,
        List<Long> shape,
        long elements,
        List<NodeId> inputs,
        Optional<ViewOf> view,
        boolean isFused)
        implements PlanNode {}
