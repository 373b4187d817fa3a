package io.devicearena.cli.picture;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import io.devicearena.NodeId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The data in the page: one JSON object, a column for each property, in the order of the values.
 *
 * <p>Shapes and types repeat, so their columns hold places in a list of the distinct ones. Few values are views, so
 * those are listed apart: the place of each in the columns, and its parent's id; so are those that were made over another one.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class PictureData {
    /**
     * The largest long that the page's numbers, f64 all of them, tell from its neighbours: 2^53 - 1. What is larger
     * goes as a string; the page shows its digits and compares it as a BigInt, and rounds it only to draw.
     */
    static final long LARGEST_EXACT = (1L << 53) - 1;

    private static final int REPLACEMENT = 0xFFFD;

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
            json.writeStringField("title", wellFormed(title));
            json.writeStringField("subtitle", wellFormed(subtitle));
            json.writeFieldName("arena");
            writeLong(arenaBytes, json);
            json.writeFieldName("bound");
            writeLong(lowerBoundBytes, json);
            json.writeFieldName("roles");
            writeStrings(PictureValue.ROLES, json);
            writeColumn("id", values, value -> value.buffer().id().value(), json);
            writeColumn("lower", values, value -> value.buffer().firstStep(), json);
            writeColumn("upper", values, value -> value.buffer().endStep(), json);
            writeColumn("offset", values, value -> value.slot().offset(), json);
            writeColumn("size", values, value -> value.slot().size(), json);
            writeColumn("role", values, value -> PictureValue.ROLES.indexOf(value.role()), json);
            json.writeFieldName("name");
            writeStrings(values.stream().map(PictureValue::name).toList(), json);
            writeRepeating("shape", values, PictureValue::shape, json);
            writeRepeating("dtype", values, PictureValue::dtype, json);
            writeOthers("viewPlace", "viewParent", values, PictureValue::viewOf, json);
            writeOthers("inPlace", "inPlaceOf", values, PictureValue::inPlaceOf, json);
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

    /** The places of those values that have another one, and the other ones' ids. */
    private static void writeOthers(
            String places,
            String others,
            List<PictureValue> values,
            Function<PictureValue, Optional<NodeId>> property,
            JsonGenerator json)
            throws IOException {
        List<NodeId> found = new ArrayList<>();
        json.writeArrayFieldStart(places);
        for (int i = 0; i < values.size(); i++) {
            Optional<NodeId> other = property.apply(values.get(i));
            if (other.isPresent()) {
                found.add(other.get());
                json.writeNumber(i);
            }
        }
        json.writeEndArray();
        json.writeArrayFieldStart(others);
        for (NodeId other : found) {
            writeLong(other.value(), json);
        }
        json.writeEndArray();
    }

    private static void writeStrings(Iterable<String> texts, JsonGenerator json) throws IOException {
        json.writeStartArray();
        for (String text : texts) {
            json.writeString(wellFormed(text));
        }
        json.writeEndArray();
    }

    /** A text that can be encoded: half of a character, which names in JSON may hold, becomes a replacement character. */
    static String wellFormed(String text) {
        int[] characters = text.codePoints()
                .map(each -> each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE ? REPLACEMENT : each)
                .toArray();
        return new String(characters, 0, characters.length);
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
