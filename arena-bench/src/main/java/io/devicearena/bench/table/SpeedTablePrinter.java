package io.devicearena.bench.table;

import io.devicearena.bench.json.JsonValues;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Prints the table: as text, line by line while it is measured, or as one JSON document at the end.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class SpeedTablePrinter {
    private static final String COLUMNS = "%-33s %-8s %10s %11s %11s %11s %8s %8s %9s";

    private final PrintWriter out;
    private final boolean json;
    private final ReferenceFigures reference;
    private final List<Map<String, Object>> document = new ArrayList<>();

    /**
     * Makes a printer.
     *
     * @param out where the table is printed
     * @param json whether it is printed as a document
     * @param reference the figures to compare with, or none
     */
    public SpeedTablePrinter(PrintWriter out, boolean json, ReferenceFigures reference) {
        this.out = out;
        this.json = json;
        this.reference = reference;
    }

    /** Prints the header of a text. */
    public void head() {
        line(String.format(
                        Locale.ROOT,
                        COLUMNS,
                        "case",
                        "provider",
                        "bytes",
                        "median µs",
                        "p10 µs",
                        "p90 µs",
                        "GB/s",
                        "calls",
                        "heap B")
                + (reference.isEmpty() ? "" : String.format(Locale.ROOT, " %13s %7s", "reference µs", "ratio")));
    }

    /**
     * Prints a row, in a document with the others at the end.
     *
     * @param row the row
     */
    public void row(SpeedRow row) {
        document.add(fields(row));
        OptionalDouble theirs = reference.microsOf(row);
        line(String.format(
                        Locale.ROOT,
                        COLUMNS,
                        row.caseName(),
                        row.provider(),
                        row.bytes(),
                        micros(row.medianMicros()),
                        micros(row.p10Micros()),
                        micros(row.p90Micros()),
                        ifKnown("%.2f", row.gigabytesPerSecond()),
                        row.iterations(),
                        ifKnown("%.1f", row.heapBytesPerCall()))
                + (theirs.isPresent()
                        ? String.format(
                                Locale.ROOT,
                                " %13s %7.2f",
                                micros(theirs.getAsDouble()),
                                row.medianMicros() / theirs.getAsDouble())
                        : ""));
    }

    /**
     * Ends the table.
     *
     * @throws IOException if the document cannot be written
     */
    public void end() throws IOException {
        if (json) {
            JsonValues.write(document, out);
        }
        out.flush();
    }

    private Map<String, Object> fields(SpeedRow row) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("case", row.caseName());
        fields.put("provider", row.provider());
        fields.put("bytes", row.bytes());
        fields.put("medianMicros", row.medianMicros());
        fields.put("p10Micros", row.p10Micros());
        fields.put("p90Micros", row.p90Micros());
        fields.put("iterations", row.iterations());
        if (!Double.isNaN(row.heapBytesPerCall())) {
            fields.put("heapBytesPerCall", row.heapBytesPerCall());
        }
        reference.microsOf(row).ifPresent(theirs -> fields.put("referenceMicros", theirs));
        return fields;
    }

    private void line(String text) {
        if (!json) {
            out.println(text.stripTrailing());
            out.flush();
        }
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, value < 1 ? "%.4f" : value < 1_000 ? "%.2f" : "%.0f", value);
    }

    private static String ifKnown(String format, double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
    }
}
