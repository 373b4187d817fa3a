package io.devicearena.plan;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tables of allocation research: {@code id,lower,upper,size}, a buffer being live in the half-open interval of steps
 * [lower, upper), and with {@code offset} as a further column the placed buffers.
 *
 * <p>The first line names the columns, in any order. A plan that a planner made is written row by row in its schedule's
 * order and reads back to an equal plan, unless its arena is larger than its slots are (a weight layout of several
 * graphs), which the table does not tell: a view has an empty life, since its bytes are its parent's; a value without
 * slot has size 0 and no offset.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 *
 * <p><b>Source:</b> the input and output format of the MiniMalloc allocator (Moffitt, "MiniMalloc: A Lightweight Memory
 * Allocator for Hardware-Accelerated Machine Learning", ASPLOS 2023).
 */
public final class BufferCsv {
    private static final String HEADER = "id,lower,upper,size";
    private static final List<String> REQUIRED = List.of("id", "lower", "upper", "size");
    private static final String OFFSET = "offset";
    private static final long NO_OFFSET = -1;

    private BufferCsv() {}

    /** The place of each column in a row; -1 where the file has none. */
    private record Columns(List<String> names) {
        int place(String name) {
            return names.indexOf(name);
        }
    }

    /** A row: a buffer, and its offset, or {@link #NO_OFFSET} where the file gives none. */
    private record Row(LiveBuffer buffer, long offset) {}

    /**
     * Reads buffers; an offset column is allowed and left aside.
     *
     * @param source the text
     * @return the buffers, in the order of the rows
     * @throws PlanFormatException if the text is not such a table; the message has line and column
     * @throws IOException if reading fails
     */
    public static List<LiveBuffer> read(Reader source) throws IOException {
        return rows(source, false).stream().map(Row::buffer).toList();
    }

    /**
     * Reads placed buffers.
     *
     * @param source the text
     * @return the plan with the lives of its buffers; its arena ends where the last buffer does
     * @throws PlanFormatException if the text is not such a table with an offset column; the message has line and column
     * @throws IOException if reading fails
     */
    public static PlannedMemory readPlan(Reader source) throws IOException {
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
        return new PlannedMemory(
                new MemoryPlan(arenaSize, slots, schedule), buffers, MemoryPlanner.lowerBound(buffers), "file");
    }

    private static List<Row> rows(Reader source, boolean placed) throws IOException {
        LineReader lines = new LineReader(source);
        String header = lines.read();
        if (header == null) {
            throw new PlanFormatException(1, 1, "expected the header '" + HEADER + "', got an empty file");
        }
        Columns columns = columns(header, placed);
        List<Row> rows = new ArrayList<>();
        Map<NodeId, Long> firstLines = new HashMap<>();
        long room = Long.MAX_VALUE;
        for (String line = lines.read(); line != null; line = lines.read()) {
            if (!line.isBlank()) {
                Row row = row(line, lines.line(), columns, placed);
                Long first = firstLines.putIfAbsent(row.buffer().id(), lines.line());
                if (first != null) {
                    throw new PlanFormatException(
                            lines.line(),
                            1,
                            "id: expected a unique one, got "
                                    + row.buffer().id().value() + ", which line " + first + " has too");
                }
                long size = row.buffer().size();
                if (size > room) {
                    throw new PlanFormatException(
                            lines.line(),
                            1,
                            "size: expected the sizes of all buffers to add up to at most " + Long.MAX_VALUE
                                    + " bytes, got more with this one of " + size);
                }
                room -= size;
                rows.add(row);
            }
        }
        return rows;
    }

    private static Columns columns(String header, boolean placed) {
        List<String> names = new ArrayList<>();
        Fields fields = new Fields(header, ',', 1);
        while (fields.advance()) {
            String name = fields.value().toLowerCase(Locale.ROOT);
            if (!REQUIRED.contains(name) && !name.equals(OFFSET)) {
                throw fields.fault("header: expected the columns '" + HEADER + "' and perhaps '" + OFFSET + "', got '"
                        + Fields.shortened(name) + "'");
            }
            if (names.contains(name)) {
                throw fields.fault("header: expected each column once, got '" + name + "' again");
            }
            names.add(name);
        }
        for (String name : REQUIRED) {
            requireColumn(names, name, header);
        }
        if (placed) {
            requireColumn(names, OFFSET, header);
        }
        return new Columns(names);
    }

    private static void requireColumn(List<String> names, String name, String header) {
        if (!names.contains(name)) {
            throw new PlanFormatException(
                    1, 1, "header: expected a column '" + name + "', got '" + Fields.shortened(header) + "'");
        }
    }

    private static Row row(String line, long number, Columns columns, boolean placed) {
        long[] values = new long[columns.names().size()];
        Fields fields = new Fields(line, ',', number);
        int offsetPlace = columns.place(OFFSET);
        for (int i = 0; i < values.length; i++) {
            String name = columns.names().get(i);
            if (!fields.advance()) {
                throw fields.faultAtEnd("expected " + values.length + " fields, got fewer: '" + name + "' is missing");
            }
            values[i] = i == offsetPlace && fields.value().isEmpty() ? NO_OFFSET : fields.number(name);
        }
        if (fields.advance()) {
            throw fields.fault("expected " + values.length + " fields, got more");
        }
        long lower = values[columns.place("lower")];
        long upper = values[columns.place("upper")];
        long size = values[columns.place("size")];
        long offset = offsetPlace < 0 ? NO_OFFSET : values[offsetPlace];
        if (placed && offset == NO_OFFSET && size > 0) {
            throw new PlanFormatException(
                    number, 1, "offset: expected one for a buffer of " + size + " bytes, got an empty field");
        }
        if (upper < lower) {
            throw new PlanFormatException(
                    number, 1, "upper: expected at least lower, which is " + lower + ", got " + upper);
        }
        if (offset > Long.MAX_VALUE - size) {
            throw new PlanFormatException(
                    number,
                    1,
                    "offset: expected offset + size of at most " + Long.MAX_VALUE + ", got " + offset + " + " + size);
        }
        return new Row(new LiveBuffer(NodeId.of(values[columns.place("id")]), lower, upper, size), offset);
    }

    /**
     * Writes a plan as {@code id,lower,upper,size,offset}, a row for each scheduled value.
     *
     * @param planned the plan and its lives
     * @param target where the text goes
     * @throws IOException if writing fails
     */
    public static void write(PlannedMemory planned, Appendable target) throws IOException {
        target.append(HEADER).append(",offset\n");
        Map<NodeId, LiveBuffer> lives = HashMap.newHashMap(planned.buffers().size());
        planned.buffers().forEach(buffer -> lives.put(buffer.id(), buffer));
        long step = 0;
        for (NodeId id : planned.plan().schedule()) {
            LiveBuffer life = lives.getOrDefault(id, new LiveBuffer(id, step, step, 0));
            BufferSlot slot = planned.plan().slots().get(id);
            target.append(Long.toString(id.value())).append(',');
            target.append(Long.toString(life.lower())).append(',');
            target.append(Long.toString(life.upper())).append(',');
            target.append(Long.toString(slot == null ? 0 : slot.size())).append(',');
            target.append(slot == null ? "" : Long.toString(slot.offset())).append('\n');
            step++;
        }
    }
}
