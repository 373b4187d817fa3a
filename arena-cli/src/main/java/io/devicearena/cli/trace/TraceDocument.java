package io.devicearena.cli.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
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
        metadata("process_name", process, 0, "name", name);
    }

    /** Names a track. */
    void track(int process, long track, String name) throws IOException {
        metadata("thread_name", process, track, "name", name);
        begin("M", "thread_sort_index", process, track, 0);
        json.writeObjectFieldStart("args");
        json.writeNumberField("sort_index", track);
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Writes a slice, or an instant if it takes no time. Slices of a track lie in each other or apart. */
    void slice(int process, long track, String name, double micros, double duration, Map<String, ?> facts)
            throws IOException {
        begin(duration > 0 ? "X" : "i", name, process, track, micros);
        if (duration > 0) {
            json.writeNumberField("dur", duration);
        } else {
            json.writeStringField("s", "t");
        }
        json.writeObjectFieldStart("args");
        for (Map.Entry<String, ?> fact : facts.entrySet()) {
            json.writeFieldName(fact.getKey());
            switch (fact.getValue()) {
                case Integer number -> json.writeNumber(number);
                case Long number -> json.writeNumber(number);
                case Boolean answer -> json.writeBoolean(answer);
                case Object text -> json.writeString(TerminalText.name(text.toString()));
            }
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    /** Writes the value of a counter from a time on. */
    void counter(int process, String name, double micros, long value) throws IOException {
        begin("C", name, process, 0, micros);
        json.writeObjectFieldStart("args");
        json.writeNumberField("bytes", value);
        json.writeEndObject();
        json.writeEndObject();
    }

    private void metadata(String kind, int process, long track, String key, String text) throws IOException {
        begin("M", kind, process, track, 0);
        json.writeObjectFieldStart("args");
        json.writeStringField(key, TerminalText.name(text));
        json.writeEndObject();
        json.writeEndObject();
    }

    private void begin(String phase, String name, int process, long track, double micros) throws IOException {
        json.writeStartObject();
        json.writeStringField("ph", phase);
        json.writeStringField("name", TerminalText.name(name));
        json.writeNumberField("pid", process);
        json.writeNumberField("tid", track);
        json.writeNumberField("ts", micros);
    }

    @Override
    public void close() throws IOException {
        json.writeEndArray();
        json.writeEndObject();
        json.close();
    }
}
