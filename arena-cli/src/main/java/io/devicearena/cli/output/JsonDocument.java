package io.devicearena.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * The JSON document that a command prints on standard output.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class JsonDocument {
    private static final JsonFactory FACTORY = new JsonFactory();

    private static final int LAST_PRINTABLE = '~';

    private JsonDocument() {}

    /**
     * Writes the fields of an object.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public interface Body {
        /**
         * Writes them.
         *
         * @param json where they are written
         * @throws IOException if writing fails
         */
        void write(JsonGenerator json) throws IOException;
    }

    /**
     * Prints one document.
     *
     * @param out where it is printed
     * @param body its fields
     * @throws IOException if writing fails
     */
    public static void print(PrintWriter out, Body body) throws IOException {
        JsonGenerator json = FACTORY.createGenerator(out);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.useDefaultPrettyPrinter();
        // pure ASCII, which every locale encodes alike; control characters beyond it are escaped too
        json.setHighestNonEscapedChar(LAST_PRINTABLE);
        json.writeStartObject();
        body.write(json);
        json.writeEndObject();
        json.flush();
        out.println();
        out.flush();
    }
}
