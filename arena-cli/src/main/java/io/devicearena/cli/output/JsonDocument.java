package io.devicearena.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;

/** Writes the one JSON document of a command to standard output. */
public final class JsonDocument {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonDocument() {}

    /** Writes the fields of an object. */
    public interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    public static void print(PrintWriter out, Body body) throws IOException {
        JsonGenerator json = FACTORY.createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.useDefaultPrettyPrinter();
        json.writeStartObject();
        body.write(json);
        json.writeEndObject();
        json.flush();
        out.println();
        out.flush();
    }
}
