package io.devicearena.bench.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Prints the table: as text, line by line while it is measured, or as one JSON document at the end.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class SpeedTablePrinter {
    private static final String COLUMNS = "%-33s %-8s %10s %11s %11s %11s %8s %8s %9s";

    private final PrintWriter out;
    private final ReferenceFigures reference;

    /**
     * Makes a printer.
     *
     * @param out where the table is printed
     * @param reference the figures to compare with, or none
     */
    public SpeedTablePrinter(PrintWriter out, ReferenceFigures reference) {
        this.out = out;
        this.reference = reference;
    }

    /** Prints the header. */
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
     * Prints a row.
     *
     * @param row the row
     */
    public void row(SpeedRow row) {
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
                        String.format(Locale.ROOT, "%.2f", row.gigabytesPerSecond()),
                        row.iterations(),
                        String.format(Locale.ROOT, "%.1f", row.heapBytesPerCall()))
                + (theirs.isPresent()
                        ? String.format(
                                Locale.ROOT,
                                " %13s %7.2f",
                                micros(theirs.getAsDouble()),
                                row.medianMicros() / theirs.getAsDouble())
                        : ""));
    }

    /**
     * Prints all rows as one JSON document.
     *
     * @param rows the rows
     * @throws IOException if it cannot be written
     */
    public void json(List<SpeedRow> rows) throws IOException {
        JsonGenerator generator = new JsonFactory().createGenerator(out);
        generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        generator.useDefaultPrettyPrinter();
        generator.writeStartArray();
        for (SpeedRow row : rows) {
            generator.writeStartObject();
            generator.writeStringField("case", row.caseName());
            generator.writeStringField("provider", row.provider());
            generator.writeNumberField("bytes", row.bytes());
            generator.writeNumberField("medianMicros", row.medianMicros());
            generator.writeNumberField("p10Micros", row.p10Micros());
            generator.writeNumberField("p90Micros", row.p90Micros());
            generator.writeNumberField("iterations", row.iterations());
            generator.writeNumberField("heapBytesPerCall", row.heapBytesPerCall());
            OptionalDouble theirs = reference.microsOf(row);
            if (theirs.isPresent()) {
                generator.writeNumberField("referenceMicros", theirs.getAsDouble());
            }
            generator.writeEndObject();
        }
        generator.writeEndArray();
        generator.flush();
        out.println();
    }

    private void line(String text) {
        out.println(text.stripTrailing());
        out.flush();
    }

    private static String micros(double value) {
        return String.format(Locale.ROOT, value < 1_000 ? "%.2f" : "%.0f", value);
    }
}
