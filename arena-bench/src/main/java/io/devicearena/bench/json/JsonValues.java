package io.devicearena.bench.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON as maps, lists, numbers and texts.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
public final class JsonValues {
    private static final JsonFactory FACTORY = new JsonFactory();

    private JsonValues() {}

    /**
     * Writes one document and the end of its line; the target stays open.
     *
     * @param value a map, a list, a number, a text or a boolean
     * @param target where it is written
     * @throws IOException if writing fails
     */
    public static void write(Object value, Writer target) throws IOException {
        JsonGenerator json = FACTORY.createGenerator(target);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.useDefaultPrettyPrinter();
        write(value, json);
        json.flush();
        target.append('\n').flush();
    }

    private static void write(Object value, JsonGenerator json) throws IOException {
        switch (value) {
            case Map<?, ?> object -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> field : object.entrySet()) {
                    json.writeFieldName((String) field.getKey());
                    write(field.getValue(), json);
                }
                json.writeEndObject();
            }
            case List<?> array -> {
                json.writeStartArray();
                for (Object element : array) {
                    write(element, json);
                }
                json.writeEndArray();
            }
            case Object simple -> json.writePOJO(simple);
        }
    }

    /**
     * Reads one document.
     *
     * @param text the document
     * @return its value
     * @throws IllegalArgumentException if it is not JSON
     */
    public static Object parse(String text) {
        try (JsonParser json = FACTORY.createParser(text)) {
            json.nextToken();
            return value(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("expected JSON, got " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new AssertionError(e); // a text in memory
        }
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    object.put(name, value(json));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(json));
                }
                yield array;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
            case null, default -> String.valueOf(json.getText());
        };
    }

    /**
     * Finds a field of an object.
     *
     * @param type what it is: a list, a number, a text or a map
     * @param object a value of {@link #parse}
     * @param name its name
     * @param <T> what it is
     * @return the field
     * @throws IllegalArgumentException if {@code object} is no object, or has no such field
     */
    public static <T> T field(Class<T> type, Object object, String name) {
        if (!(object instanceof Map<?, ?> fields)) {
            throw new IllegalArgumentException("expected an object, got '" + object + "'");
        }
        Object value = fields.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("expected a field '" + name + "' in " + object);
        }
        return type.cast(value);
    }
}
