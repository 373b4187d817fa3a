package com.example.llm;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** A report as one line of JSON. */
final class JsonLine {
    private JsonLine() {}

    /** The line: of texts, numbers, lists, arrays of ints and maps. */
    static String of(Map<String, ?> report) {
        StringWriter line = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(line)) {
            write(json, report);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of a writer to memory
        }
        return line.toString();
    }

    private static void write(JsonGenerator json, Object value) throws IOException {
        switch (value) {
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(entry.getKey().toString());
                    write(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case List<?> list -> {
                json.writeStartArray();
                for (Object element : list) {
                    write(json, element);
                }
                json.writeEndArray();
            }
            case int[] numbers -> json.writeArray(numbers, 0, numbers.length);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            default -> json.writeString(value.toString());
        }
    }
}
