package io.devicearena.cli.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * An object of the JSON document that a command prints on standard output: its fields in the order of the calls.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class JsonFields {
    private static final JsonFactory FACTORY = new JsonFactory();

    private static final int LAST_PRINTABLE = '~';

    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    /** Makes an object without fields. */
    public JsonFields() {}

    /**
     * Adds a field.
     *
     * @param name its name
     * @param value a number, a truth value, an object, a map, a list of values, or an {@link OptionalLong}, which is
     *     null where it is empty; all else is written as text
     * @return this object
     */
    public JsonFields put(String name, @Nullable Object value) {
        fields.put(name, value);
        return this;
    }

    /**
     * Prints this object as a document.
     *
     * @param out where it is printed
     */
    public void print(PrintWriter out) {
        try {
            JsonGenerator json = FACTORY.createGenerator(out);
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.useDefaultPrettyPrinter();
            // pure ASCII, which every locale encodes alike; control characters beyond it are escaped too
            json.setHighestNonEscapedChar(LAST_PRINTABLE);
            write(this, json);
            json.flush();
            out.println();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes a value.
     *
     * @param value as a field has it
     * @param json where it is written
     * @throws IOException if writing fails
     */
    public static void write(@Nullable Object value, JsonGenerator json) throws IOException {
        switch (value) {
            case JsonFields object -> write(object.fields, json);
            case Map<?, ?> object -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> field : object.entrySet()) {
                    json.writeFieldName(String.valueOf(field.getKey()));
                    write(field.getValue(), json);
                }
                json.writeEndObject();
            }
            case Iterable<?> values -> {
                json.writeStartArray();
                for (Object each : values) {
                    write(each, json);
                }
                json.writeEndArray();
            }
            case OptionalLong number when number.isEmpty() -> json.writeNull();
            case OptionalLong number -> json.writeNumber(number.getAsLong());
            case Number number -> json.writePOJO(number);
            case Boolean answer -> json.writeBoolean(answer);
            case null -> json.writeNull();
            case Object text -> json.writeString(text.toString());
        }
    }
}
