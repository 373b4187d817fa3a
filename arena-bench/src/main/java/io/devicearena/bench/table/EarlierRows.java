package io.devicearena.bench.table;

import io.devicearena.bench.json.JsonValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the JSON documents of earlier runs and keeps the row with the best median of each case. On a shared machine,
 * the best of several runs says most about the code.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class EarlierRows {
    private EarlierRows() {}

    /**
     * Reads documents and keeps the best row of each case.
     *
     * @param documents files that {@link SpeedTablePrinter} wrote
     * @return the rows, in the order in which the cases come first
     * @throws UncheckedIOException if a file cannot be read
     * @throws IllegalArgumentException if a file holds something else
     */
    public static List<SpeedRow> best(List<Path> documents) {
        Map<List<Object>, SpeedRow> best = new LinkedHashMap<>();
        for (Path document : documents) {
            for (SpeedRow row : read(document)) {
                best.merge(
                        List.of(row.caseName(), row.provider(), row.bytes()),
                        row,
                        (one, other) -> other.medianMicros() < one.medianMicros() ? other : one);
            }
        }
        return List.copyOf(best.values());
    }

    private static List<SpeedRow> read(Path document) {
        try {
            if (!(JsonValues.parse(Files.readString(document)) instanceof List<?> rows)) {
                throw new IllegalArgumentException("expected an array of rows, got another document");
            }
            return rows.stream().map(EarlierRows::row).toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(document + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + document + ": " + e.getMessage(), e);
        }
    }

    private static SpeedRow row(Object fields) {
        return new SpeedRow(
                JsonValues.field(String.class, fields, "case"),
                JsonValues.field(String.class, fields, "provider"),
                JsonValues.field(Number.class, fields, "bytes").longValue(),
                JsonValues.field(Number.class, fields, "medianMicros").doubleValue(),
                JsonValues.field(Number.class, fields, "p10Micros").doubleValue(),
                JsonValues.field(Number.class, fields, "p90Micros").doubleValue(),
                JsonValues.field(Number.class, fields, "iterations").intValue(),
                JsonValues.field(Number.class, fields, "heapBytesPerCall").doubleValue());
    }
}
