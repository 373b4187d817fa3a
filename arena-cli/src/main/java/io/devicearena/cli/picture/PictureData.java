package io.devicearena.cli.picture;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The data in the page: one JSON object, a column for each property, in the order of the values.
 *
 * <p>Shapes and types repeat, so their columns hold places in a list of the distinct ones. Few values are views, so
 * those are listed apart: the place of each in the columns, and its parent's id.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class PictureData {
    /**
     * The largest long that the page's numbers, f64 all of them, tell from its neighbours: 2^53 - 1. What is larger
     * goes as a string; the page shows its digits and compares it as a BigInt, and rounds it only to draw.
     */
    static final long LARGEST_EXACT = (1L << 53) - 1;

    private static final JsonFactory JSON = new JsonFactory();

    private PictureData() {}

    static void write(
            String title,
            String subtitle,
            long arenaBytes,
            long lowerBoundBytes,
            List<PictureValue> values,
            Appendable target)
            throws IOException {
        try (JsonGenerator json = JSON.createGenerator(new AppendableWriter(target))) {
            json.setCharacterEscapes(new ScriptEscapes());
            json.writeStartObject();
            json.writeStringField("format", "device-arena-picture/1");
            json.writeStringField("title", title);
            json.writeStringField("subtitle", subtitle);
            json.writeFieldName("arena");
            writeLong(arenaBytes, json);
            json.writeFieldName("bound");
            writeLong(lowerBoundBytes, json);
            json.writeFieldName("roles");
            writeStrings(PictureValue.ROLES, json);
            writeColumn("id", values, value -> value.buffer().id().value(), json);
            writeColumn("lower", values, value -> value.buffer().lower(), json);
            writeColumn("upper", values, value -> value.buffer().upper(), json);
            writeColumn("offset", values, value -> value.slot().offset(), json);
            writeColumn("size", values, value -> value.slot().size(), json);
            writeColumn("role", values, value -> PictureValue.ROLES.indexOf(value.role()), json);
            json.writeFieldName("name");
            writeStrings(values.stream().map(PictureValue::name).toList(), json);
            writeRepeating("shape", values, PictureValue::shape, json);
            writeRepeating("dtype", values, PictureValue::dtype, json);
            writeViews(values, json);
            json.writeEndObject();
        }
    }

    private static void writeColumn(
            String name, List<PictureValue> values, ToLongFunction<PictureValue> property, JsonGenerator json)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (PictureValue value : values) {
            writeLong(property.applyAsLong(value), json);
        }
        json.writeEndArray();
    }

    private static void writeLong(long number, JsonGenerator json) throws IOException {
        if (number > LARGEST_EXACT) {
            json.writeString(Long.toString(number));
        } else {
            json.writeNumber(number);
        }
    }

    private static void writeRepeating(
            String name, List<PictureValue> values, Function<PictureValue, String> property, JsonGenerator json)
            throws IOException {
        Map<String, Integer> places = new LinkedHashMap<>();
        json.writeArrayFieldStart(name);
        for (PictureValue value : values) {
            String text = property.apply(value);
            Integer place = places.get(text);
            if (place == null) {
                place = places.size();
                places.put(text, place);
            }
            json.writeNumber(place);
        }
        json.writeEndArray();
        json.writeFieldName(name + "s");
        writeStrings(places.keySet(), json);
    }

    private static void writeViews(List<PictureValue> values, JsonGenerator json) throws IOException {
        List<Integer> views = new ArrayList<>();
        json.writeArrayFieldStart("viewParent");
        for (int i = 0; i < values.size(); i++) {
            PictureValue value = values.get(i);
            if (value.viewOf().isPresent()) {
                views.add(i);
                writeLong(value.viewOf().get().value(), json);
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart("viewPlace");
        for (int view : views) {
            json.writeNumber(view);
        }
        json.writeEndArray();
    }

    private static void writeStrings(Iterable<String> texts, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (String text : texts) {
            json.writeString(text);
        }
        json.writeEndArray();
    }

    /**
     * Keeps what a name contains from ending the script element that holds it: without a {@code <} there is neither
     * {@code </script>} nor {@code <!--}.
     */
    private static final class ScriptEscapes extends CharacterEscapes {
        private static final long serialVersionUID = 1;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] escapes = standardAsciiEscapesForJSON();
            escapes['<'] = ESCAPE_STANDARD;
            escapes['>'] = ESCAPE_STANDARD;
            escapes['&'] = ESCAPE_STANDARD;
            return escapes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return null;
        }
    }
}
