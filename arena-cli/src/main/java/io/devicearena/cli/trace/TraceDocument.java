package io.devicearena.cli.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.TerminalText;
import java.io.IOException;
import java.io.Writer;
import java.util.Map;

/**
 * A document of trace events that is being written.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Source:</b> "Trace Event Format", sections "JSON Object Format", "Complete Events", "Instant Events", "Counter
 * Events" and "Metadata Events"; times are in microseconds.
 */
final class TraceDocument implements AutoCloseable {
    private static final JsonFactory FACTORY = new JsonFactory();

    private static final int LAST_PRINTABLE = '~'; // pure ASCII, as in the documents that commands print

    private final JsonGenerator json;

    TraceDocument(Writer target) throws IOException {
        json = FACTORY.createGenerator(target);
        json.setHighestNonEscapedChar(LAST_PRINTABLE);
        json.writeStartObject();
        json.writeStringField("displayTimeUnit", "ns");
        json.writeArrayFieldStart("traceEvents");
    }

    /** Names a process, which a viewer shows as a group of tracks. */
    void process(int process, String name) throws IOException {
        write(event("M", "process_name", process, 0, 0).put("args", Map.of("name", TerminalText.name(name))));
    }

    /** Names a track. */
    void track(int process, long track, String name) throws IOException {
        write(event("M", "thread_name", process, track, 0).put("args", Map.of("name", TerminalText.name(name))));
        write(event("M", "thread_sort_index", process, track, 0).put("args", Map.of("sort_index", track)));
    }

    /** Writes a slice, or an instant if it takes no time. Slices of a track lie in each other or apart. */
    void slice(int process, long track, String name, double micros, double duration, Map<String, ?> facts)
            throws IOException {
        JsonFields args = new JsonFields();
        facts.forEach((fact, value) -> args.put(
                fact,
                value instanceof Number || value instanceof Boolean ? value : TerminalText.name(value.toString())));
        JsonFields event = event(duration > 0 ? "X" : "i", name, process, track, micros);
        write((duration > 0 ? event.put("dur", duration) : event.put("s", "t")).put("args", args));
    }

    void counter(int process, String name, double micros, long value) throws IOException {
        write(event("C", name, process, 0, micros).put("args", Map.of("bytes", value)));
    }

    private static JsonFields event(String phase, String name, int process, long track, double micros) {
        return new JsonFields()
                .put("ph", phase)
                .put("name", TerminalText.name(name))
                .put("pid", process)
                .put("tid", track)
                .put("ts", micros);
    }

    private void write(JsonFields event) throws IOException {
        JsonFields.write(event, json);
    }

    @Override
    public void close() throws IOException {
        json.writeEndArray();
        json.writeEndObject();
        json.close();
    }
}
