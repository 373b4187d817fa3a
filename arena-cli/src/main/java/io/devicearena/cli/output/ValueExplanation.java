package io.devicearena.cli.output;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Why a value lies where it lies, whose bytes it takes over, and what it waits for.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ValueExplanation {
    private static final int MAX_ROWS = 10;

    private final PlanResult planned;
    private final LiveBuffer value;
    private final BufferSlot slot;

    private ValueExplanation(PlanResult planned, LiveBuffer value) {
        this.planned = planned;
        this.value = value;
        this.slot = slot(planned.plan(), value);
    }

    /**
     * Finds a value.
     *
     * @param planned the plan
     * @param value its name, or its id; where several values have the name, the first of the schedule is meant
     * @return what to say of it
     * @throws IllegalArgumentException if no value in memory has that name or id
     */
    public static ValueExplanation of(PlanResult planned, String value) {
        return planned.buffers().stream()
                .filter(buffer -> name(planned, buffer.id()).equals(value)
                        || Long.toString(buffer.id().value()).equals(value))
                .findFirst()
                .map(buffer -> new ValueExplanation(planned, buffer))
                .orElseThrow(() -> new IllegalArgumentException(
                        "--explain: expected the name or the id of a value in memory, got '" + value + "'"));
    }

    private static String name(PlanResult planned, NodeId id) {
        return planned.plan().value(id).map(PlanValue::name).orElseGet(() -> Long.toString(id.value()));
    }

    private static BufferSlot slot(MemoryPlan plan, LiveBuffer buffer) {
        return plan.slot(buffer.id())
                .orElseThrow(() -> new IllegalStateException(buffer.id() + ": the plan has no slot for it"));
    }

    private String describe(LiveBuffer buffer) {
        BufferSlot there = slot(planned.plan(), buffer);
        return TerminalText.name(name(planned, buffer.id())) + ", bytes " + HumanReadable.count(there.offset()) + " to "
                + HumanReadable.count(there.end()) + ", live in [" + buffer.firstStep() + ", " + buffer.endStep() + ")";
    }

    /**
     * Prints the explanation.
     *
     * @param out where it is printed
     */
    public void text(PrintWriter out) {
        PlanSummary.line(out, "value", describe(value));
        PlanSummary.line(out, "lies there", reason());
        List<LiveBuffer> earlier = others().filter(other -> other.endStep() <= value.firstStep()
                        && slot(planned.plan(), other).offset() < slot.end()
                        && slot(planned.plan(), other).end() > slot.offset())
                .sorted(Comparator.comparingLong(LiveBuffer::endStep).reversed())
                .toList();
        if (earlier.isEmpty()) {
            PlanSummary.line(out, "takes over", "no bytes of other values; it waits for none");
            return;
        }
        earlier.stream().limit(MAX_ROWS).forEach(other -> PlanSummary.line(out, "takes over", describe(other)));
        if (earlier.size() > MAX_ROWS) {
            PlanSummary.line(out, "", "and " + HumanReadable.count(earlier.size() - MAX_ROWS) + " others");
        }
        LiveBuffer last = earlier.getFirst();
        PlanSummary.line(
                out,
                "waits for",
                "the last use of " + TerminalText.name(name(planned, last.id())) + "; its bytes are free from step "
                        + HumanReadable.count(last.endStep()) + " on");
    }

    /** All other values that are live at some step; a view is live at none. */
    private Stream<LiveBuffer> others() {
        return planned.buffers().stream()
                .filter(other -> !other.id().equals(value.id()) && other.firstStep() < other.endStep());
    }

    private String reason() {
        Optional<SlotAlias> alias = planned.aliases().stream()
                .filter(each -> each.value().equals(value.id()))
                .findFirst();
        if (alias.isPresent()) {
            String host = TerminalText.name(name(planned, alias.get().host()));
            return switch (alias.get().reason()) {
                case IN_PLACE -> "it is written over " + host + ", which its op uses last";
                case CONCATENATION -> "it is a part of the concatenation " + host;
            };
        }
        Optional<NodeId> whole = planned.plan().value(value.id()).flatMap(PlanValue::partOf);
        if (whole.isPresent()) {
            return "it has the bytes of " + TerminalText.name(name(planned, whole.get()));
        }
        return others().filter(other -> other.firstStep() < value.endStep()
                        && value.firstStep() < other.endStep()
                        && slot(planned.plan(), other).end() <= slot.offset())
                .max(Comparator.comparingLong(
                        other -> slot(planned.plan(), other).end()))
                .map(below -> "above the highest value below that is live with it: " + describe(below))
                .orElse("no value below is live with it");
    }
}
