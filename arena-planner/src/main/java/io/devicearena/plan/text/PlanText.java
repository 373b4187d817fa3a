package io.devicearena.plan.text;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Two text forms of a plan: one that reads back to an equal plan, and a report.
 *
 * <p>The first line of the readable form is {@code device-arena-plan/1}, the second {@code arena_size} and the size.
 * Then comes a line for each scheduled value in order: {@code node}, id, offset and size, or {@code fused} and id for a
 * value without a slot. Last comes {@code unscheduled}, id, offset and size for each slot outside the schedule. Fields
 * are separated by tabs.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class PlanText {
    private static final String FORMAT = "device-arena-plan/1";
    private static final String SIZE = "arena_size";
    private static final String NODE = "node";
    private static final String FUSED = "fused";
    private static final String UNSCHEDULED = "unscheduled";

    private static final Comparator<Map.Entry<NodeId, BufferSlot>> BY_OFFSET =
            Comparator.<Map.Entry<NodeId, BufferSlot>>comparingLong(
                            entry -> entry.getValue().offset())
                    .thenComparingLong(entry -> entry.getValue().size())
                    .thenComparing(Map.Entry::getKey);

    private PlanText() {}

    /**
     * Writes a plan.
     *
     * @param plan the plan
     * @return its text
     */
    public static String format(MemoryPlan plan) {
        StringBuilder text = new StringBuilder();
        try {
            write(plan, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // a StringBuilder does not throw it
        }
        return text.toString();
    }

    /**
     * Writes a plan.
     *
     * @param plan the plan
     * @param target where the text goes
     * @throws IOException if writing fails
     */
    public static void write(MemoryPlan plan, Appendable target) throws IOException {
        target.append(FORMAT).append('\n');
        target.append(SIZE).append('\t').append(Long.toString(plan.arenaSize())).append('\n');
        Map<NodeId, BufferSlot> unscheduled = new LinkedHashMap<>(plan.slots());
        for (NodeId id : plan.schedule()) {
            BufferSlot slot = unscheduled.remove(id);
            if (slot == null) {
                target.append(FUSED)
                        .append('\t')
                        .append(Long.toString(id.value()))
                        .append('\n');
            } else {
                line(NODE, id, slot, target);
            }
        }
        for (Map.Entry<NodeId, BufferSlot> entry : unscheduled.entrySet()) {
            line(UNSCHEDULED, entry.getKey(), entry.getValue(), target);
        }
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
        target.append("# arena_size=").append(Long.toString(plan.arenaSize()));
        target.append(" total_unshared=").append(Long.toString(plan.totalUnsharedBytes()));
        target.append(" saved=").append(Long.toString(plan.bytesSaved())).append('\n');
        List<Map.Entry<NodeId, BufferSlot>> rows = new ArrayList<>(plan.slots().entrySet());
        rows.sort(BY_OFFSET);
        for (Map.Entry<NodeId, BufferSlot> row : rows) {
            target.append(Long.toString(row.getValue().offset())).append('\t');
            target.append(Long.toString(row.getValue().size())).append('\t');
            target.append(Long.toString(row.getKey().value())).append('\n');
        }
    }

    private static void line(String kind, NodeId id, BufferSlot slot, Appendable target) throws IOException {
        target.append(kind).append('\t').append(Long.toString(id.value()));
        target.append('\t').append(Long.toString(slot.offset()));
        target.append('\t').append(Long.toString(slot.size())).append('\n');
    }

    /**
     * Reads a plan.
     *
     * @param text what {@link #format} gave
     * @return the plan
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
     * Reads a plan.
     *
     * @param source the text
     * @return the plan
     * @throws PlanFormatException if the text is no plan; the message has line and column
     * @throws IOException if reading fails
     */
    public static MemoryPlan read(Reader source) throws IOException {
        LineReader lines = new LineReader(source);
        String first = lines.read();
        if (!FORMAT.equals(first)) {
            throw new PlanFormatException(
                    1,
                    1,
                    "expected '" + FORMAT + "', got "
                            + (first == null ? "an empty file" : "'" + Fields.shortened(first) + "'"));
        }
        String second = lines.read();
        Fields size = new Fields(second == null ? "" : second, '\t', 2);
        if (!size.advance() || !size.value().equals(SIZE) || !size.advance()) {
            throw new PlanFormatException(2, 1, "expected '" + SIZE + "' and a number, separated by a tab");
        }
        long arenaSize = size.number(SIZE);
        requireEnd(size);
        Lines read = new Lines(arenaSize);
        for (String line = lines.read(); line != null; line = lines.read()) {
            if (!line.isBlank()) {
                read.add(new Fields(line, '\t', lines.line()), lines.line());
            }
        }
        return new MemoryPlan(arenaSize, read.slots, read.schedule);
    }

    private static void requireEnd(Fields fields) {
        if (fields.advance()) {
            throw fields.fault("expected the end of the line, got '" + Fields.shortened(fields.value()) + "'");
        }
    }

    /** The lines after the first two that were read so far. */
    private static final class Lines {
        private final Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        private final List<NodeId> schedule = new ArrayList<>();
        private final Map<NodeId, Long> firstLines = new HashMap<>();
        private final long arenaSize;

        Lines(long arenaSize) {
            this.arenaSize = arenaSize;
        }

        void add(Fields fields, long line) {
            fields.advance();
            String kind = fields.value();
            if (!kind.equals(NODE) && !kind.equals(FUSED) && !kind.equals(UNSCHEDULED)) {
                throw fields.fault("expected '" + NODE + "', '" + FUSED + "' or '" + UNSCHEDULED + "', got '"
                        + Fields.shortened(kind) + "'");
            }
            NodeId id = id(fields, line);
            if (!kind.equals(UNSCHEDULED)) {
                schedule.add(id);
            }
            if (!kind.equals(FUSED)) {
                slots.put(id, slot(fields));
            }
            requireEnd(fields);
        }

        private NodeId id(Fields fields, long line) {
            NodeId id = NodeId.of(next(fields, "id"));
            Long first = firstLines.putIfAbsent(id, line);
            if (first != null) {
                throw fields.fault(
                        "id: expected a unique one, got " + id.value() + ", which line " + first + " has too");
            }
            return id;
        }

        private BufferSlot slot(Fields fields) {
            long offset = next(fields, "offset");
            long size = next(fields, "size");
            if (size > arenaSize || offset > arenaSize - size) {
                throw fields.fault("slot: expected one within the arena of " + arenaSize + " bytes, got offset "
                        + offset + " and size " + size);
            }
            return new BufferSlot(offset, size);
        }

        private static long next(Fields fields, String name) {
            if (!fields.advance()) {
                throw fields.faultAtEnd("expected a further field '" + name + "' after a tab");
            }
            return fields.number(name);
        }
    }
}
