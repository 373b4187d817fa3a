package io.devicearena.cli.output;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.SegmentLayout;
import io.devicearena.cli.input.FileGraph;
import io.devicearena.cli.input.FileNode;
import io.devicearena.cli.input.PlanInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.planview.PlanViewPage;
import io.devicearena.cli.planview.PlanViewValue;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.ViewOf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the page that draws the plan of an input. */
final class PlanPage {
    private PlanPage() {}

    static void write(
            String title,
            PlanInput input,
            PlanResult planned,
            PlanOptions options,
            SegmentLayout segments,
            Appendable target)
            throws IOException {
        MemoryPlan plan = planned.plan();
        Map<NodeId, FileNode> nodes = new HashMap<>();
        Set<NodeId> outputs = Set.of();
        if (input.graph().isPresent()) {
            FileGraph graph = input.graph().get();
            graph.nodes().forEach(node -> nodes.put(node.id(), node));
            outputs = Set.copyOf(graph.outputs());
        }
        Set<NodeId> results = outputs;
        Map<NodeId, NodeId> wholes = hosts(planned, SlotAlias.Reason.CONCATENATION);
        Map<NodeId, NodeId> replaced = hosts(planned, SlotAlias.Reason.IN_PLACE);
        List<PlanViewValue> values = planned.buffers().stream()
                .map(buffer -> value(
                        buffer,
                        plan.slots().get(buffer.id()),
                        nodes.get(buffer.id()),
                        results.contains(buffer.id()),
                        Optional.ofNullable(wholes.get(buffer.id())),
                        Optional.ofNullable(replaced.get(buffer.id()))))
                .toList();
        PlanViewPage.write(
                title,
                how(input, planned, options),
                plan.arenaSize(),
                planned.lowerBoundBytes(),
                segments,
                values,
                target);
    }

    private static PlanViewValue value(
            LiveBuffer buffer,
            @Nullable BufferSlot slot,
            @Nullable FileNode node,
            boolean output,
            Optional<NodeId> whole,
            Optional<NodeId> replaced) {
        if (slot == null) {
            throw new IllegalArgumentException(buffer.id() + ": the plan has no slot for it");
        }
        if (node == null) {
            return new PlanViewValue(
                    buffer,
                    slot,
                    Long.toString(buffer.id().value()),
                    "buffer",
                    "",
                    "",
                    Optional.empty(),
                    Optional.empty());
        }
        return new PlanViewValue(
                buffer,
                slot,
                node.name(),
                role(node, output),
                node.shape().stream().map(Object::toString).collect(Collectors.joining(" × ")),
                node.dtype().label(),
                node.view().map(ViewOf::parent).or(() -> whole),
                replaced);
    }

    /** How the plan was made, in one line. */
    private static String how(PlanInput input, PlanResult planned, PlanOptions options) {
        List<String> parts = new ArrayList<>();
        parts.add(HumanReadable.count(input.count(), "value") + " placed by " + PlanSummary.strategy(planned, options));
        if (!planned.aliases().isEmpty()) {
            parts.add("shared slots: " + PlanSummary.shared(planned));
        }
        if (input.isReordered(planned)) {
            parts.add("schedule reordered");
        }
        return String.join("; ", parts);
    }

    /** For each value that shares a slot for a reason, the value that owns the slot. */
    private static Map<NodeId, NodeId> hosts(PlanResult planned, SlotAlias.Reason reason) {
        Map<NodeId, NodeId> hosts = new HashMap<>();
        for (SlotAlias pair : planned.aliases()) {
            if (pair.reason() == reason) {
                hosts.put(pair.value(), pair.host());
            }
        }
        return hosts;
    }

    private static String role(FileNode node, boolean output) {
        if (node.view().isPresent()) {
            return "view";
        }
        return (output ? NodeRole.OUTPUT : node.role()).name().toLowerCase(Locale.ROOT);
    }
}
