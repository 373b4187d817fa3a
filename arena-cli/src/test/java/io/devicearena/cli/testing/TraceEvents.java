package io.devicearena.cli.testing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a document in the Trace Event format: each event with its fields, those of {@code args} after a dot. */
public final class TraceEvents {
    /** The process of the plan. */
    public static final int PLAN = 1;

    private TraceEvents() {}

    public static List<Map<String, String>> read(Path file) throws IOException {
        List<Map<String, String>> events = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            while (!"traceEvents".equals(json.nextFieldName())) {
                if (json.currentToken() == null) {
                    throw new IOException("expected traceEvents");
                }
            }
            expect(json.nextToken(), JsonToken.START_ARRAY);
            while (json.nextToken() != JsonToken.END_ARRAY) {
                expect(json.currentToken(), JsonToken.START_OBJECT);
                Map<String, String> event = new LinkedHashMap<>();
                readFields(json, "", event);
                events.add(event);
            }
            expect(json.nextToken(), JsonToken.END_OBJECT);
        }
        return events;
    }

    private static void readFields(JsonParser json, String prefix, Map<String, String> event) throws IOException {
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = prefix + json.currentName();
            if (json.nextToken() == JsonToken.START_OBJECT) {
                readFields(json, name + ".", event);
            } else if (json.currentToken().isScalarValue()) {
                event.put(name, json.getText());
            } else {
                throw new IOException(name + ": expected a text, a number or an object");
            }
        }
    }

    private static void expect(JsonToken token, JsonToken expected) throws IOException {
        if (token != expected) {
            throw new IOException("expected " + expected + ", got " + token);
        }
    }

    /** The events of a phase, such as {@code X}, in a process. */
    public static List<Map<String, String>> of(List<Map<String, String>> events, String phase, int process) {
        return events.stream()
                .filter(event -> phase.equals(event.get("ph"))
                        && Integer.toString(process).equals(event.get("pid")))
                .toList();
    }
}
