package io.devicearena.cli;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.cli.picture.PictureValue;
import io.devicearena.cli.picture.PlanPicture;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.NodeRole;
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

/** Draws the plan of an input as a page. */
final class PlanPage {
    private PlanPage() {}

    static void write(Input input, PlanResult planned, PlanOptions options, Appendable target) throws IOException {
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
        List<PictureValue> values = planned.buffers().stream()
                .map(buffer -> value(
                        buffer,
                        plan.slots().get(buffer.id()),
                        nodes.get(buffer.id()),
                        results.contains(buffer.id()),
                        Optional.ofNullable(wholes.get(buffer.id())),
                        Optional.ofNullable(replaced.get(buffer.id()))))
                .toList();
        PlanPicture.write(
                input.name(),
                how(input, planned, options),
                plan.arenaSize(),
                planned.lowerBoundBytes(),
                values,
                target);
    }

    private static PictureValue value(
            LiveBuffer buffer,
            @Nullable BufferSlot slot,
            @Nullable FileNode node,
            boolean output,
            Optional<NodeId> whole,
            Optional<NodeId> replaced) {
        if (slot == null) {
            throw new IllegalArgumentException(buffer.id() + ": expected a slot in the plan, got none");
        }
        if (node == null) {
            return new PictureValue(
                    buffer,
                    slot,
                    Long.toString(buffer.id().value()),
                    "buffer",
                    "",
                    "",
                    Optional.empty(),
                    Optional.empty());
        }
        return new PictureValue(
                buffer,
                slot,
                node.name(),
                role(node, output),
                node.shape().stream().map(Object::toString).collect(Collectors.joining(" × ")),
                node.dtype().label(),
                node.view().map(ViewOf::parent).or(() -> whole),
                replaced);
    }

    /** How it was planned, in one line. */
    private static String how(Input input, PlanResult planned, PlanOptions options) {
        List<String> parts = new ArrayList<>();
        parts.add(Figures.count(input.count(), "value") + " placed by " + PlanFigures.strategy(planned, options));
        if (!planned.aliases().isEmpty()) {
            parts.add("shared slots: " + PlanFigures.shared(planned));
        }
        if (input.isReordered(planned)) {
            parts.add("order of execution changed");
        }
        return String.join("; ", parts);
    }

    /** In whose slot a value lies for a reason; a part of a concatenation shows bytes of it, as a view does. */
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
