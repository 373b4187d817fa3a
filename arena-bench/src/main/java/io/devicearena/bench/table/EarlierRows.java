package io.devicearena.bench.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
     * @param documents files that {@link SpeedTablePrinter#json} wrote
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
        List<SpeedRow> rows = new ArrayList<>();
        try (JsonParser parser = new JsonFactory().createParser(document.toFile())) {
            expect(document, parser, parser.nextToken(), JsonToken.START_ARRAY, "an array of rows");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                expect(document, parser, parser.currentToken(), JsonToken.START_OBJECT, "a row");
                rows.add(row(document, parser));
            }
            return rows;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    document + ": expected the JSON of an earlier run, got " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + document + ": " + e.getMessage(), e);
        }
    }

    private static SpeedRow row(Path document, JsonParser parser) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            fields.put(name, parser.getText());
        }
        try {
            return new SpeedRow(
                    field(document, fields, "case"),
                    field(document, fields, "provider"),
                    Long.parseLong(field(document, fields, "bytes")),
                    Double.parseDouble(field(document, fields, "medianMicros")),
                    Double.parseDouble(field(document, fields, "p10Micros")),
                    Double.parseDouble(field(document, fields, "p90Micros")),
                    Integer.parseInt(field(document, fields, "iterations")),
                    Double.parseDouble(field(document, fields, "heapBytesPerCall")));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(document + ": expected a row's figures, got " + fields, e);
        }
    }

    private static String field(Path document, Map<String, String> fields, String name) {
        String value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException(document + ": expected a row with '" + name + "', got " + fields);
        }
        return value;
    }

    private static void expect(
            Path document, JsonParser parser, @Nullable JsonToken got, JsonToken expected, String what) {
        if (got != expected) {
            throw new IllegalArgumentException(document + ", line "
                    + parser.currentTokenLocation().getLineNr() + ": expected " + what + ", got "
                    + (got == null ? "nothing" : got));
        }
    }
}
