package io.devicearena.cli.output;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.SegmentLayout;
import io.devicearena.cli.input.PlanInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.planview.PlanViewPage;
import io.devicearena.cli.planview.PlanViewValue;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the page that draws the plan of an input. */
final class PlanPage {
    private PlanPage() {}

    static PlanViewPage of(
            String title, PlanInput input, PlanResult planned, PlanOptions options, SegmentLayout segments) {
        MemoryPlan plan = planned.plan();
        Map<NodeId, PlanNode> nodes = input.nodes();
        Set<NodeId> results = input.graph()
                .map(graph -> Set.copyOf(graph.network().outputs()))
                .orElse(Set.of());
        Map<NodeId, NodeId> wholes = PlanInput.hosts(planned, SlotAlias.Reason.CONCATENATION);
        Map<NodeId, NodeId> replaced = PlanInput.hosts(planned, SlotAlias.Reason.IN_PLACE);
        List<PlanViewValue> values = new ArrayList<>();
        for (LiveBuffer buffer : planned.buffers()) {
            NodeId id = buffer.id();
            PlanNode node = nodes.get(id);
            BufferSlot slot =
                    plan.slot(id).orElseThrow(() -> new IllegalArgumentException(id + ": the plan has no slot for it"));
            values.add(
                    node == null
                            ? new PlanViewValue(
                                    buffer,
                                    slot,
                                    Long.toString(id.value()),
                                    "buffer",
                                    "",
                                    "",
                                    Optional.empty(),
                                    Optional.empty())
                            : new PlanViewValue(
                                    buffer,
                                    slot,
                                    node.name(),
                                    role(node, results.contains(id)),
                                    node.shape().stream().map(Object::toString).collect(Collectors.joining(" × ")),
                                    node.dtype().label(),
                                    node.view().map(ViewOf::parent).or(() -> Optional.ofNullable(wholes.get(id))),
                                    Optional.ofNullable(replaced.get(id))));
        }
        return new PlanViewPage(
                title, how(input, planned, options), plan.arenaSize(), planned.lowerBoundBytes(), segments, values);
    }

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

    private static String role(PlanNode node, boolean output) {
        if (node.view().isPresent()) {
            return "view";
        }
        return (output ? NodeRole.OUTPUT : node.role()).name().toLowerCase(Locale.ROOT);
    }
}
