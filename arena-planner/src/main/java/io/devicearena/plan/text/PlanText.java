package io.devicearena.plan.text;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two text forms of a plan: one that reads back to an equal plan, and a report.
 *
 * <p>The first line of the readable form is {@code device-arena-plan/2}, the second {@code arena_size} and the size.
 * Then comes a line for each scheduled value in order: {@code node}, id, offset and size, or {@code fused} and id for a
 * value without a slot. Next comes {@code unscheduled}, id, offset and size for each slot outside the schedule. Last
 * comes a line for each value that the plan describes: {@code value}, id, role, type, shape, the id of the value that
 * it is a part of, and the name. A shape is dimensions with an {@code x} between them; {@code -} stands for no
 * dimension and for no such value. Fields are separated by tabs. In a name, {@code \t}, {@code \n}, {@code \r} and
 * {@code \\} stand for a tab, a line feed, a carriage return and a backslash.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanText {
    private static final String FORMAT = "device-arena-plan/2";
    private static final String SIZE = "arena_size";
    private static final String NODE = "node";
    private static final String FUSED = "fused";
    private static final String UNSCHEDULED = "unscheduled";
    private static final String VALUE = "value";

    private static final Comparator<Map.Entry<NodeId, BufferSlot>> BY_OFFSET =
            Map.Entry.<NodeId, BufferSlot>comparingByValue(
                            Comparator.comparingLong(BufferSlot::offset).thenComparingLong(BufferSlot::size))
                    .thenComparing(Map.Entry.comparingByKey());

    private PlanText() {}

    /**
     * {@return the text of a plan, in the readable form}
     *
     * @param plan the plan
     */
    public static String format(MemoryPlan plan) {
        StringBuilder text = new StringBuilder();
        text.append(FORMAT + "\n" + SIZE + "\t").append(plan.arenaSize()).append('\n');
        Map<NodeId, BufferSlot> unscheduled = new LinkedHashMap<>(plan.slots());
        for (NodeId id : plan.schedule()) {
            BufferSlot slot = unscheduled.remove(id);
            text.append(slot == null ? FUSED + "\t" + id.value() + "\n" : line(NODE, id, slot));
        }
        unscheduled.forEach((id, slot) -> text.append(line(UNSCHEDULED, id, slot)));
        plan.values()
                .forEach((id, value) -> text.append(VALUE + "\t" + id.value() + "\t")
                        .append(ValueFields.format(value))
                        .append('\n'));
        return text.toString();
    }

    private static String line(String kind, NodeId id, BufferSlot slot) {
        return kind + "\t" + id.value() + "\t" + slot.offset() + "\t" + slot.size() + "\n";
    }

    /**
     * Writes a plan.
     *
     * @param plan the plan
     * @param target where the text goes
     * @throws IOException if writing fails
     */
    public static void write(MemoryPlan plan, Appendable target) throws IOException {
        target.append(format(plan));
    }

    /**
     * Writes a report for people, and for scripts that cut columns: {@code # arena_size=… total_unshared=… saved=…},
     * all in bytes, then offset, size and node of each slot, separated by tabs, in offset order.
     *
     * @param plan the plan
     * @param target where the text goes
     * @throws IOException if writing fails
     */
    public static void report(MemoryPlan plan, Appendable target) throws IOException {
        target.append("# arena_size=" + plan.arenaSize() + " total_unshared=" + plan.totalUnsharedBytes() + " saved="
                + plan.bytesSaved() + "\n");
        for (Map.Entry<NodeId, BufferSlot> row :
                plan.slots().entrySet().stream().sorted(BY_OFFSET).toList()) {
            BufferSlot slot = row.getValue();
            target.append(
                    slot.offset() + "\t" + slot.size() + "\t" + row.getKey().value() + "\n");
        }
    }

    /**
     * {@return the plan of a text}
     *
     * @param text what {@link #format} gave
     * @throws PlanFormatException if the text is no plan; the message has line and column
     */
    public static MemoryPlan parse(String text) {
        try {
            return read(new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringReader does not throw it
        }
    }

    /**
     * {@return the plan of a text}
     *
     * @param source the text
     * @throws PlanFormatException if the text is no plan; the message has line and column
     * @throws IOException if reading fails
     */
    public static MemoryPlan read(Reader source) throws IOException {
        LineReader lines = new LineReader(source, '\t');
        boolean any = lines.nextLine();
        if (!any || !lines.text().equals(FORMAT)) {
            String got = any ? "'" + LineReader.shortened(lines.text()) + "'" : "an empty file";
            throw new PlanFormatException(1, 1, "expected '" + FORMAT + "', got " + got);
        }
        if (!lines.nextLine() || !lines.nextField() || !lines.value().equals(SIZE) || !lines.nextField()) {
            throw new PlanFormatException(2, 1, "expected '" + SIZE + "' and a number, separated by a tab");
        }
        long arenaSize = lines.number(SIZE);
        requireEnd(lines);
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        List<NodeId> schedule = new ArrayList<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        while (lines.nextNonBlankLine()) {
            String kind = kind(lines);
            NodeId id = NodeId.of(next(lines, "id"));
            if (kind.equals(VALUE)) {
                PlanValue value = ValueFields.read(lines);
                BufferSlot slot = slots.get(id);
                if (values.putIfAbsent(id, value) != null || (slot != null && value.bytes() > slot.size())) {
                    lines.restart();
                    throw lines.fault(
                            slot != null && value.bytes() > slot.size()
                                    ? "value: expected at most the " + slot.size() + " bytes of its slot, got "
                                            + value.bytes()
                                    : "value: expected one line for each id, got " + id.value() + " twice");
                }
            } else {
                if (!values.isEmpty()) {
                    lines.restart();
                    throw lines.fault("expected '" + VALUE + "' after the first such line, got '" + kind + "'");
                }
                lines.requireUnique(id);
                if (!kind.equals(UNSCHEDULED)) {
                    schedule.add(id);
                }
                if (!kind.equals(FUSED)) {
                    slots.put(id, slot(lines, arenaSize));
                }
            }
            requireEnd(lines);
        }
        return new MemoryPlan(arenaSize, slots, schedule, values);
    }

    private static String kind(LineReader line) {
        line.nextField();
        String kind = line.value();
        if (!List.of(NODE, FUSED, UNSCHEDULED, VALUE).contains(kind)) {
            throw line.fault("expected '" + NODE + "', '" + FUSED + "', '" + UNSCHEDULED + "' or '" + VALUE + "', got '"
                    + LineReader.shortened(kind) + "'");
        }
        return kind;
    }

    private static BufferSlot slot(LineReader line, long arenaSize) {
        long offset = next(line, "offset");
        long size = next(line, "size");
        if (size > arenaSize || offset > arenaSize - size) {
            throw line.fault("slot: expected one within the arena of " + arenaSize + " bytes, got offset " + offset
                    + " and size " + size);
        }
        return new BufferSlot(offset, size);
    }

    private static long next(LineReader line, String name) {
        if (!line.nextField()) {
            throw line.fault("expected a further field '" + name + "' after a tab");
        }
        return line.number(name);
    }

    private static void requireEnd(LineReader line) {
        if (line.nextField()) {
            throw line.fault("expected the end of the line, got '" + LineReader.shortened(line.value()) + "'");
        }
    }
}
