package io.devicearena.cli.output;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.cli.input.PlannedInput;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.cli.message.TerminalText;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.SlotAlias;
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

    private final PlannedInput planned;
    private final LiveBuffer value;
    private final BufferSlot slot;

    private ValueExplanation(PlannedInput planned, LiveBuffer value) {
        this.planned = planned;
        this.value = value;
        this.slot = planned.slot(value.id());
    }

    /**
     * Finds a value.
     *
     * @param planned the plan
     * @param value its name, or its id; where several values have the name, the first of the schedule is meant
     * @return what to say of it
     * @throws IllegalArgumentException if no value in memory has that name or id
     */
    public static ValueExplanation of(PlannedInput planned, String value) {
        return planned.result().buffers().stream()
                .filter(buffer -> planned.name(buffer.id()).equals(value)
                        || Long.toString(buffer.id().value()).equals(value))
                .findFirst()
                .map(buffer -> new ValueExplanation(planned, buffer))
                .orElseThrow(() -> new IllegalArgumentException(
                        "--explain: expected the name or the id of a value in memory, got '" + value + "'"));
    }

    private String describe(LiveBuffer buffer) {
        BufferSlot there = planned.slot(buffer.id());
        return TerminalText.name(planned.name(buffer.id())) + ", bytes " + HumanReadable.count(there.offset()) + " to "
                + HumanReadable.count(there.end()) + ", live in [" + buffer.firstStep() + ", " + buffer.endStep() + ")";
    }

    /**
     * Prints the explanation.
     *
     * @param out where it is printed
     */
    public void text(TextLines out) {
        out.line("value", describe(value));
        out.line("lies there", reason());
        List<LiveBuffer> earlier = others().filter(other -> other.endStep() <= value.firstStep()
                        && planned.slot(other.id()).offset() < slot.end()
                        && planned.slot(other.id()).end() > slot.offset())
                .sorted(Comparator.comparingLong(LiveBuffer::endStep).reversed())
                .toList();
        if (earlier.isEmpty()) {
            out.line("takes over", "no bytes of other values; it waits for none");
            return;
        }
        earlier.stream().limit(MAX_ROWS).forEach(other -> out.line("takes over", describe(other)));
        if (earlier.size() > MAX_ROWS) {
            out.line("", "and " + HumanReadable.count(earlier.size() - MAX_ROWS) + " others");
        }
        LiveBuffer last = earlier.getFirst();
        out.line(
                "waits for",
                "the last use of " + TerminalText.name(planned.name(last.id())) + "; its bytes are free from step "
                        + HumanReadable.count(last.endStep()) + " on");
    }

    /** All other values that are live at some step; a view is live at none. */
    private Stream<LiveBuffer> others() {
        return planned.result().buffers().stream()
                .filter(other -> !other.id().equals(value.id()) && other.firstStep() < other.endStep());
    }

    private String reason() {
        Optional<SlotAlias> alias = planned.result().aliases().stream()
                .filter(each -> each.value().equals(value.id()))
                .findFirst();
        if (alias.isPresent()) {
            String host = TerminalText.name(planned.name(alias.get().host()));
            return switch (alias.get().reason()) {
                case IN_PLACE -> "it is written over " + host + ", which its op uses last";
                case CONCATENATION -> "it is a part of the concatenation " + host;
            };
        }
        Optional<NodeId> whole = planned.plan().value(value.id()).flatMap(PlanValue::partOf);
        if (whole.isPresent()) {
            return "it has the bytes of " + TerminalText.name(planned.name(whole.get()));
        }
        return others().filter(other -> other.firstStep() < value.endStep()
                        && value.firstStep() < other.endStep()
                        && planned.slot(other.id()).end() <= slot.offset())
                .max(Comparator.comparingLong(other -> planned.slot(other.id()).end()))
                .map(below -> "above the highest value below that is live with it: " + describe(below))
                .orElse("no value below is live with it");
    }
}
