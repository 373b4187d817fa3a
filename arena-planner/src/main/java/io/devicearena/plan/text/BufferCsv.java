package io.devicearena.plan.text;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.PlanPeak;
import io.devicearena.plan.PlanResult;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables of allocation research: {@code id,lower,upper,size}, where a buffer is live in the half-open interval of
 * steps [lower, upper). Placed buffers have {@code offset} as a further column.
 *
 * <p>The first line names the columns, in any order. A plan is written in the order of its schedule, one row a value,
 * and reads back to an equal plan, without what the plan knows of its values ({@link MemoryPlan#values}). An exception
 * is a plan whose arena is larger than its slots, as that of several graphs: the table has no column
 * for it. A view has an empty live range, since its bytes are its parent's.
 * A value without a slot has size 0 and no offset; its lower and upper are the steps of the row before it.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the input and output format of the MiniMalloc allocator (Moffitt, "MiniMalloc: A Lightweight Memory
 * Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023).
 */
public final class BufferCsv {
    private static final String HEADER = "id,lower,upper,size";
    private static final String OFFSET = "offset";
    private static final List<String> REQUIRED = List.of("id", "lower", "upper", "size");
    private static final List<String> PLACED = List.of("id", "lower", "upper", "size", OFFSET);
    private static final long NO_OFFSET = -1;

    private BufferCsv() {}

    /** A row: a buffer, and its offset, or {@link #NO_OFFSET} where the file gives none. */
    private record Row(LiveBuffer buffer, long offset) {}

    /**
     * {@return the buffers of a table, in the order of its rows; an offset column is ignored}
     *
     * @param source the text
     * @throws PlanFormatException if the text is not such a table; the message has line and column
     * @throws IOException if reading fails
     */
    public static List<LiveBuffer> read(Reader source) throws IOException {
        return rows(source, false).stream().map(Row::buffer).toList();
    }

    /**
     * {@return the plan of a table with the live ranges of its buffers; its arena ends where the last buffer does}
     *
     * @param source the text
     * @throws PlanFormatException if the text is no table with an offset column; the message has line and column
     * @throws IOException if reading fails
     */
    public static PlanResult readPlan(Reader source) throws IOException {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        List<NodeId> schedule = new ArrayList<>();
        List<LiveBuffer> buffers = new ArrayList<>();
        long arenaSize = 0;
        for (Row row : rows(source, true)) {
            LiveBuffer buffer = row.buffer();
            schedule.add(buffer.id());
            if (row.offset() != NO_OFFSET) {
                BufferSlot slot = new BufferSlot(row.offset(), buffer.size());
                slots.put(buffer.id(), slot);
                buffers.add(buffer);
                arenaSize = Math.max(arenaSize, slot.end());
            }
        }
        // A buffer that is never live has a slot too.
        long largest = buffers.stream().mapToLong(LiveBuffer::size).max().orElse(0);
        long lowerBound = Math.max(largest, PlanPeak.of(buffers).bytes());
        return new PlanResult(new MemoryPlan(arenaSize, slots, schedule), buffers, lowerBound, "file", List.of());
    }

    private static List<Row> rows(Reader source, boolean placed) throws IOException {
        LineReader lines = new LineReader(source, ',');
        if (!lines.nextLine()) {
            throw new PlanFormatException(1, 1, "expected the header '" + HEADER + "', got an empty file");
        }
        List<String> columns = columns(lines, placed);
        List<Row> rows = new ArrayList<>();
        long left = Long.MAX_VALUE;
        while (lines.nextNonBlankLine()) {
            Row row = row(lines, columns, placed);
            lines.requireUnique(row.buffer().id());
            long size = row.buffer().size();
            if (size > left) {
                throw lines.fault("size: expected the sizes of all buffers to add up to at most " + Long.MAX_VALUE
                        + " bytes, got more with this one of " + size);
            }
            left -= size;
            rows.add(row);
        }
        return rows;
    }

    private static List<String> columns(LineReader header, boolean placed) {
        List<String> names = new ArrayList<>();
        while (header.nextField()) {
            String name = header.value().toLowerCase(Locale.ROOT);
            if (!REQUIRED.contains(name) && !name.equals(OFFSET)) {
                throw header.fault("header: expected the columns '" + HEADER + "' and perhaps '" + OFFSET + "', got '"
                        + LineReader.shortened(name) + "'");
            }
            if (names.contains(name)) {
                throw header.fault("header: expected each column once, got '" + name + "' again");
            }
            names.add(name);
        }
        header.restart();
        for (String name : placed ? PLACED : REQUIRED) {
            if (!names.contains(name)) {
                throw header.fault(
                        "header: expected a column '" + name + "', got '" + LineReader.shortened(header.text()) + "'");
            }
        }
        return names;
    }

    private static Row row(LineReader line, List<String> columns, boolean placed) {
        long[] values = new long[columns.size()];
        for (int i = 0; i < values.length; i++) {
            String name = columns.get(i);
            if (!line.nextField()) {
                throw line.fault("expected " + values.length + " fields, got fewer: '" + name + "' is missing");
            }
            values[i] = name.equals(OFFSET) && line.value().isEmpty() ? NO_OFFSET : line.number(name);
        }
        if (line.nextField()) {
            throw line.fault("expected " + values.length + " fields, got more");
        }
        line.restart();
        long lower = values[columns.indexOf("lower")];
        long upper = values[columns.indexOf("upper")];
        long size = values[columns.indexOf("size")];
        long offset = columns.contains(OFFSET) ? values[columns.indexOf(OFFSET)] : NO_OFFSET;
        if (placed && offset == NO_OFFSET && size > 0) {
            throw line.fault("offset: expected one for a buffer of " + size + " bytes, got an empty field");
        }
        if (upper < lower) {
            throw line.fault("upper: expected at least lower, which is " + lower + ", got " + upper);
        }
        if (offset > Long.MAX_VALUE - size) {
            throw line.fault(
                    "offset: expected offset + size of at most " + Long.MAX_VALUE + ", got " + offset + " + " + size);
        }
        return new Row(new LiveBuffer(NodeId.of(values[columns.indexOf("id")]), lower, upper, size), offset);
    }

    /**
     * Writes a plan as {@code id,lower,upper,size,offset}, a row for each scheduled value.
     *
     * @param planned the plan and its live ranges
     * @param target where the text goes
     * @throws IOException if writing fails
     */
    public static void write(PlanResult planned, Appendable target) throws IOException {
        target.append(HEADER).append(",offset\n");
        Map<NodeId, LiveBuffer> buffers = HashMap.newHashMap(planned.buffers().size());
        planned.buffers().forEach(buffer -> buffers.put(buffer.id(), buffer));
        long step = 0;
        for (NodeId id : planned.plan().schedule()) {
            LiveBuffer buffer = buffers.getOrDefault(id, new LiveBuffer(id, step, step, 0));
            BufferSlot slot = planned.plan().slots().get(id);
            String placed = slot == null ? "0," : slot.size() + "," + slot.offset();
            target.append(id.value() + "," + buffer.firstStep() + "," + buffer.endStep() + "," + placed + "\n");
            step = buffer.firstStep();
        }
    }
}
