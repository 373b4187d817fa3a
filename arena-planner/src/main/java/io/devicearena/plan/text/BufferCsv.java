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
 * and reads back to an equal plan. An exception is a plan whose arena is larger than its slots, as with a weight layout
 * of several graphs: the table has no column for it. A view has an empty live range, since its bytes are its parent's.
 * A value without a slot has size 0 and no offset; its lower and upper are the steps of the row before it.
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

    /** The index of each column in a row; -1 where the file has none. */
    private record Columns(List<String> names) {
        int index(String name) {
            return names.indexOf(name);
        }
    }

    /** A row: a buffer, and its offset, or {@link #NO_OFFSET} where the file gives none. */
    private record Row(LiveBuffer buffer, long offset) {}

    /**
     * Reads buffers; an offset column is allowed and ignored.
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
     * @return the plan with the live ranges of its buffers; its arena ends where the last buffer does
     * @throws PlanFormatException if the text is not such a table with an offset column; the message has line and
     *     column
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
        return new PlanResult(new MemoryPlan(arenaSize, slots, schedule), buffers, lowerBound, "file");
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
        long left = Long.MAX_VALUE;
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
                if (size > left) {
                    throw new PlanFormatException(
                            lines.line(),
                            1,
                            "size: expected the sizes of all buffers to add up to at most " + Long.MAX_VALUE
                                    + " bytes, got more with this one of " + size);
                }
                left -= size;
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
        int offsetIndex = columns.index(OFFSET);
        for (int i = 0; i < values.length; i++) {
            String name = columns.names().get(i);
            if (!fields.advance()) {
                throw fields.faultAtEnd("expected " + values.length + " fields, got fewer: '" + name + "' is missing");
            }
            values[i] = i == offsetIndex && fields.value().isEmpty() ? NO_OFFSET : fields.number(name);
        }
        if (fields.advance()) {
            throw fields.fault("expected " + values.length + " fields, got more");
        }
        long lower = values[columns.index("lower")];
        long upper = values[columns.index("upper")];
        long size = values[columns.index("size")];
        long offset = offsetIndex < 0 ? NO_OFFSET : values[offsetIndex];
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
        return new Row(new LiveBuffer(NodeId.of(values[columns.index("id")]), lower, upper, size), offset);
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
            target.append(Long.toString(id.value())).append(',');
            target.append(Long.toString(buffer.firstStep())).append(',');
            target.append(Long.toString(buffer.endStep())).append(',');
            target.append(Long.toString(slot == null ? 0 : slot.size())).append(',');
            target.append(slot == null ? "" : Long.toString(slot.offset())).append('\n');
            step = buffer.firstStep();
        }
    }
}
