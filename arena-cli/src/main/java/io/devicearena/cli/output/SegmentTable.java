package io.devicearena.cli.output;

import io.devicearena.MemoryPlan;
import io.devicearena.SegmentLayout;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.HumanReadable;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.text.PlanText;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The segments of a plan's arena: how many there are, and where they end.
 *
 * <p><b>Threads:</b> immutable; it writes to one target at a time.
 *
 * @param layout where the segments end
 * @param maxSegmentBytes the largest segment that was allowed, in bytes; 0 for one segment of any size
 */
public record SegmentTable(SegmentLayout layout, long maxSegmentBytes) {
    private static final int MAX_ROWS = 10;

    /**
     * Finds the segments of a plan.
     *
     * @param plan the plan
     * @param options how it was planned
     * @return its segments; one if the options name no largest one
     */
    public static SegmentTable of(MemoryPlan plan, PlanOptions options) {
        long most = options.segmentBytes();
        return new SegmentTable(
                SegmentLayout.of(
                        plan.slots(), plan.arenaSize(), most == 0 ? Long.MAX_VALUE : most, options.alignment()),
                most);
    }

    /**
     * Writes the fields {@code segmentBytes} and {@code segments}.
     *
     * @param json where they are written
     */
    public void json(JsonFields json) {
        json.put("segmentBytes", maxSegmentBytes)
                .put(
                        "segments",
                        IntStream.range(0, layout.count())
                                .mapToObj(i -> new JsonFields()
                                        .put("offset", layout.start(i))
                                        .put("bytes", layout.end(i) - layout.start(i)))
                                .toList());
    }

    /**
     * Prints how many segments there are, and for several ones where the first of them end.
     *
     * @param out where they are printed
     */
    public void text(TextLines out) {
        out.line(
                "segments",
                HumanReadable.count(layout.count())
                        + (maxSegmentBytes == 0 ? "" : " of at most " + HumanReadable.bytes(maxSegmentBytes)));
        if (layout.count() == 1) {
            return;
        }
        int rows = layout.count() > MAX_ROWS ? MAX_ROWS - 1 : layout.count();
        for (int i = 0; i < rows; i++) {
            row(out, i, "");
        }
        if (rows < layout.count()) {
            row(out, layout.count() - 1, "; --report has all ends");
        }
    }

    private void row(TextLines out, int segment, String more) {
        out.printf(
                Locale.ROOT,
                "  %,15d end of segment %,d, of %,d bytes%s%n",
                layout.end(segment),
                segment + 1,
                layout.end(segment) - layout.start(segment),
                more);
    }

    /**
     * Writes the report of a plan. In a plan of several segments, the line {@code # segment 1 of 3 ends at 1024} stands
     * where a segment ends: before the slots that begin there or later, and behind a slot that it lies in.
     *
     * @param plan the plan
     * @param target where the report goes
     * @throws IOException if writing fails
     */
    public void report(MemoryPlan plan, Appendable target) throws IOException {
        if (layout.count() == 1) {
            PlanText.report(plan, target);
            return;
        }
        StringBuilder report = new StringBuilder();
        PlanText.report(plan, report);
        List<String> lines = report.toString().lines().toList();
        target.append(lines.getFirst()).append('\n');
        int segment = 0;
        for (String line : lines.subList(1, lines.size())) {
            long offset = Long.parseLong(line.substring(0, line.indexOf('\t')));
            segment = writeEnds(segment, offset, target);
            target.append(line).append('\n');
        }
        writeEnds(segment, layout.end(layout.count() - 1), target);
    }

    /** Writes the ends up to an offset, from a segment on; returns the first segment that ends behind it. */
    private int writeEnds(int first, long offset, Appendable target) throws IOException {
        int segment = first;
        for (; segment < layout.count() && layout.end(segment) <= offset; segment++) {
            target.append(
                    "# segment " + (segment + 1) + " of " + layout.count() + " ends at " + layout.end(segment) + "\n");
        }
        return segment;
    }
}
