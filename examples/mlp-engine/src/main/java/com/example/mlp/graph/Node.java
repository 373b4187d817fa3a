package com.example.mlp.graph;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanNode;
import java.util.List;

/** A node as the planner sees it. */
record Node(NodeId id, String name, NodeRole role, DType dtype, long elements, List<NodeId> inputs)
        implements PlanNode {}
