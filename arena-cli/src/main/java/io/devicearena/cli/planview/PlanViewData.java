package io.devicearena.cli.planview;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.cli.message.TerminalText;
import java.io.IOException;
import java.io.Writer;
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
 * <p>Shapes and types repeat, so their columns hold indices into a list of the distinct ones. Few values are views, so
 * views have lists of their own: the index of each in the columns, and the id of its parent. So do values that an op
 * wrote in place of its input.
 *
 * <p><b>Threads:</b> static and stateless; safe for any thread.
 */
final class PlanViewData {
    /**
     * The largest integer up to which JavaScript's numbers, which are f64, are exact: 2^53 - 1. Larger ones are written
     * as strings; the page shows and compares them as BigInt, and rounds them only to draw.
     */
    static final long LARGEST_EXACT = (1L << 53) - 1;

    private static final int REPLACEMENT = 0xFFFD;

    private static final JsonFactory JSON = new JsonFactory();

    private PlanViewData() {}

    static void write(PlanViewPage page, Writer target) throws IOException {
        SegmentLayout segments = page.segments();
        List<PlanViewValue> values = page.values();
        try (JsonGenerator json = JSON.createGenerator(target)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.setCharacterEscapes(new ScriptEscapes());
            json.writeStartObject();
            json.writeStringField("format", "device-arena-picture/1");
            json.writeStringField("title", shown(page.title()));
            json.writeStringField("subtitle", shown(page.subtitle()));
            json.writeFieldName("arena");
            writeLong(page.arenaBytes(), json);
            json.writeFieldName("bound");
            writeLong(page.lowerBoundBytes(), json);
            json.writeArrayFieldStart("segmentEnds");
            for (int i = 0; i < segments.count(); i++) {
                writeLong(segments.end(i), json);
            }
            json.writeEndArray();
            json.writeFieldName("roles");
            writeStrings(PlanViewValue.ROLES, json);
            writeColumn("id", values, value -> value.buffer().id().value(), json);
            writeColumn("lower", values, value -> value.buffer().firstStep(), json);
            writeColumn("upper", values, value -> value.buffer().endStep(), json);
            writeColumn("offset", values, value -> value.slot().offset(), json);
            writeColumn("size", values, value -> value.slot().size(), json);
            writeColumn("role", values, value -> PlanViewValue.ROLES.indexOf(value.role()), json);
            json.writeFieldName("name");
            writeStrings(values.stream().map(PlanViewValue::name).toList(), json);
            writeRepeating("shape", values, PlanViewValue::shape, json);
            writeRepeating("dtype", values, PlanViewValue::dtype, json);
            writeOthers("viewPlace", "viewParent", values, PlanViewValue::viewOf, json);
            writeOthers("inPlace", "inPlaceOf", values, PlanViewValue::inPlaceOf, json);
            json.writeEndObject();
        }
    }

    private static void writeColumn(
            String name, List<PlanViewValue> values, ToLongFunction<PlanViewValue> property, JsonGenerator json)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (PlanViewValue value : values) {
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
            String name, List<PlanViewValue> values, Function<PlanViewValue, String> property, JsonGenerator json)
            throws IOException {
        Map<String, Integer> places = new LinkedHashMap<>();
        json.writeArrayFieldStart(name);
        for (PlanViewValue value : values) {
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

    /** The indices of the values that refer to another value, and the ids of the values that they refer to. */
    private static void writeOthers(
            String places,
            String others,
            List<PlanViewValue> values,
            Function<PlanViewValue, Optional<NodeId>> property,
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
            json.writeString(shown(text));
        }
        json.writeEndArray();
    }

    /**
     * A text as the page shows it. Half of a surrogate pair, which JSON allows, becomes a replacement character, and a
     * control character an escape.
     */
    static String shown(String text) {
        int[] characters = text.codePoints()
                .map(each -> each >= Character.MIN_SURROGATE && each <= Character.MAX_SURROGATE ? REPLACEMENT : each)
                .toArray();
        return TerminalText.visible(new String(characters, 0, characters.length));
    }

    /**
     * Keeps a name from ending the script element that holds it: without {@code <} there is neither {@code </script>}
     * nor {@code <!--}.
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
