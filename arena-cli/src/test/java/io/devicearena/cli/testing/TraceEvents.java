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
    private TraceEvents() {}

    public static List<Map<String, String>> read(Path file) throws IOException {
        List<Map<String, String>> events = new ArrayList<>();
        try (JsonParser json = new JsonFactory().createParser(file.toFile())) {
            Map<String, String> event = new LinkedHashMap<>();
            boolean inside = false;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
                String path = json.getParsingContext().pathAsPointer().toString();
                if (token == JsonToken.START_OBJECT && path.matches("/traceEvents/\\d+")) {
                    event = new LinkedHashMap<>();
                    events.add(event);
                    inside = true;
                } else if (token.isScalarValue() && inside) {
                    event.put(path.replaceFirst("/traceEvents/\\d+/", "").replace('/', '.'), json.getText());
                }
            }
        }
        return events;
    }

    /** The events of a phase, such as {@code X}, in a process. */
    public static List<Map<String, String>> of(List<Map<String, String>> events, String phase, int process) {
        return events.stream()
                .filter(event -> phase.equals(event.get("ph"))
                        && Integer.toString(process).equals(event.get("pid")))
                .toList();
    }
}
