package io.devicearena.cli.output;

import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.planview.PlanViewPage;
import io.devicearena.cli.planview.PlanViewValue;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the page that draws the plan of an input. */
final class PlanPage {
    private PlanPage() {}

    static PlanViewPage of(String title, PlannedInput planned, SegmentLayout segments) {
        Set<NodeId> results = planned.input()
                .graph()
                .map(graph -> Set.copyOf(graph.network().outputs()))
                .orElse(Set.of());
        Map<NodeId, NodeId> wholes = planned.hosts(SlotAlias.Reason.CONCATENATION);
        Map<NodeId, NodeId> replaced = planned.hosts(SlotAlias.Reason.IN_PLACE);
        List<PlanViewValue> values = new ArrayList<>();
        for (LiveBuffer buffer : planned.result().buffers()) {
            NodeId id = buffer.id();
            Optional<PlanNode> node = planned.input().node(id);
            Optional<NodeId> parent = node.flatMap(PlanNode::view).map(ViewOf::parent);
            String role = results.contains(id) ? "output" : planned.role(id);
            values.add(new PlanViewValue(
                    buffer,
                    planned.slot(id),
                    planned.name(id),
                    parent.isPresent() ? "view" : role,
                    node.map(PlanPage::shape).orElse(""),
                    node.map(shown -> shown.dtype().label()).orElse(""),
                    parent.or(() -> Optional.ofNullable(wholes.get(id))),
                    Optional.ofNullable(replaced.get(id))));
        }
        return new PlanViewPage(
                title,
                how(planned),
                planned.plan().arenaSize(),
                planned.result().lowerBoundBytes(),
                segments,
                values);
    }

    private static String shape(PlanNode node) {
        return node.shape().stream().map(Object::toString).collect(Collectors.joining(" × "));
    }

    private static String how(PlannedInput planned) {
        List<String> parts = new ArrayList<>();
        parts.add(
                HumanReadable.count(planned.input().count(), "value") + " placed by " + PlanSummary.strategy(planned));
        if (!planned.result().aliases().isEmpty()) {
            parts.add("shared slots: " + PlanSummary.shared(planned));
        }
        if (planned.isReordered()) {
            parts.add("schedule reordered");
        }
        return String.join("; ", parts);
    }
}
