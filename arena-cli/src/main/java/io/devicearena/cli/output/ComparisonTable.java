package io.devicearena.cli.output;

import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.cli.input.Comparison;
import io.devicearena.cli.input.GraphInput;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.SlotAlias;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A plan beside what other planners take for the same model.
 *
 * <p>Activations are what operators write. onnxsim plans inputs too, each until its last use, and leaves values of
 * unknown shape out. So it is compared with a plan of the values that it has, inputs included, without padding.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ComparisonTable {
    private final GraphInput graph;
    private final Comparison other;
    private final Map<NodeId, LiveBuffer> buffers = new HashMap<>();
    private final Map<NodeId, NodeId> hosts;
    private final PlanOptions options;
    private long weightBytes;
    private long activationBytes;
    private long sameValuesBytes;
    private long sameValues;

    /**
     * Compares.
     *
     * @param graph what was planned
     * @param planned the plan
     * @param other what other planners take
     */
    public ComparisonTable(GraphInput graph, PlannedInput planned, Comparison other) {
        this.graph = graph;
        this.other = other;
        this.options = planned.options();
        this.hosts = planned.hosts(SlotAlias.Reason.CONCATENATION);
        planned.result().buffers().forEach(buffer -> buffers.put(buffer.id(), buffer));
        activationBytes = planned.plan().arenaSize();
        for (LiveBuffer buffer : planned.result().buffers()) {
            PlanNode node = node(buffer.id());
            if (node.role().isPersistent()) {
                activationBytes -= buffer.size();
                weightBytes += node.role() == NodeRole.INPUT ? 0 : bytes(node);
            }
        }
        planSameValues();
    }

    private PlanNode node(NodeId id) {
        return graph.node(id)
                .orElseThrow(() -> new IllegalArgumentException(id + ": expected a value of the graph, got none"));
    }

    private long bytes(PlanNode node) {
        return node.elements() * options.elementBytes(node.dtype());
    }

    private void planSameValues() {
        Map<NodeId, Long> ends = new HashMap<>(); // of each input, behind its last use
        Map<NodeId, Long> begins = new HashMap<>(); // of the slot of each value, with what lies in it
        Set<NodeId> same = new HashSet<>();
        for (PlanNode node : graph.network().nodes()) {
            long end = firstStep(node.id()) + 1;
            node.inputs().forEach(input -> ends.merge(owner(input), end, Math::max));
            begins.merge(owner(node.id()), firstStep(node.id()), Math::min);
            if (other.planned().contains(node.name())) {
                sameValues++;
                same.add(owner(node.id()));
            }
        }
        List<LiveBuffer> placed = new ArrayList<>();
        for (NodeId id : same) {
            LiveBuffer buffer = buffers.get(id);
            PlanNode node = node(id);
            if (buffer != null && (node.role() == NodeRole.INPUT || !node.role().isPersistent())) {
                long end = node.role() == NodeRole.INPUT ? ends.getOrDefault(id, 1L) : buffer.endStep();
                placed.add(new LiveBuffer(id, begins.getOrDefault(id, buffer.firstStep()), end, bytes(node)));
            }
        }
        placed.sort((a, b) -> a.id().compareTo(b.id()));
        sameValuesBytes = MemoryPlanner.plan(placed, PlanOptions.f32Uniform(1).withStrategy(options.strategy()))
                .plan()
                .arenaSize();
    }

    private long firstStep(NodeId id) {
        LiveBuffer buffer = buffers.get(id);
        return buffer == null ? 0 : buffer.firstStep();
    }

    /** The value with the bytes: the parent of a view, the concatenation of a part. */
    private NodeId owner(NodeId id) {
        NodeId owner = id;
        while (true) {
            NodeId next = node(owner).view().isPresent()
                    ? node(owner).view().get().parent()
                    : hosts.getOrDefault(owner, owner);
            if (next.equals(owner)) {
                return owner;
            }
            owner = next;
        }
    }

    /**
     * Writes the field {@code comparison}.
     *
     * @param json where it is written
     */
    public void json(JsonFields json) {
        json.put(
                "comparison",
                new JsonFields()
                        .put("activationBytes", activationBytes)
                        .put("weightBytes", weightBytes)
                        .put("otherWeightBytes", other.weightBytes())
                        .put(
                                "onnxruntime",
                                new JsonFields()
                                        .put("version", other.runtime().version())
                                        .put("activationBytes", other.runtime().activationBytes())
                                        .put("kernelBytes", other.runtime().kernelBytes()))
                        .put(
                                "onnxsim",
                                new JsonFields()
                                        .put("version", other.simplifier().version())
                                        .put(
                                                "activationBytes",
                                                other.simplifier().activationBytes())
                                        .put("sameValues", sameValues)
                                        .put("sameValuesBytes", sameValuesBytes)
                                        .put("unplanned", other.simplifier().unplanned())));
    }

    /**
     * Prints the comparison.
     *
     * @param out where it is printed
     */
    public void text(TextLines out) {
        out.println();
        out.line("activations", HumanReadable.bytes(activationBytes));
        out.line(
                "ONNX Runtime",
                HumanReadable.bytes(other.runtime().activationBytes()) + " in its memory pattern ("
                        + other.runtime().version() + "); its kernels take "
                        + HumanReadable.bytes(other.runtime().kernelBytes()) + " more");
        out.line(
                "same values",
                HumanReadable.bytes(sameValuesBytes) + " for the " + HumanReadable.count(sameValues, "value")
                        + " that onnxsim plans");
        out.line(
                "onnxsim",
                HumanReadable.bytes(other.simplifier().activationBytes()) + " ("
                        + other.simplifier().version() + "); it leaves "
                        + HumanReadable.count(other.simplifier().unplanned(), "value") + " out");
        out.line(
                "weights",
                HumanReadable.bytes(weightBytes) + ", with the others " + HumanReadable.bytes(other.weightBytes()));
    }
}
