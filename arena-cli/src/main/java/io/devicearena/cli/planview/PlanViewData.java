package io.devicearena.cli.planview;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.cli.message.TerminalText;
import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
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
        JsonFields data = new JsonFields()
                .put("format", "device-arena-picture/1")
                .put("title", shown(page.title()))
                .put("subtitle", shown(page.subtitle()))
                .put("arena", exact(page.arenaBytes()))
                .put("bound", exact(page.lowerBoundBytes()))
                .put(
                        "segmentEnds",
                        column(IntStream.range(0, segments.count()).boxed().toList(), i -> exact(segments.end(i))))
                .put("roles", PlanViewValue.ROLES)
                .put("id", column(values, value -> exact(value.buffer().id().value())))
                .put("lower", column(values, value -> exact(value.buffer().firstStep())))
                .put("upper", column(values, value -> exact(value.buffer().endStep())))
                .put("offset", column(values, value -> exact(value.slot().offset())))
                .put("size", column(values, value -> exact(value.slot().size())))
                .put("role", column(values, value -> PlanViewValue.ROLES.indexOf(value.role())))
                .put("name", column(values, value -> shown(value.name())));
        putRepeating("shape", values, PlanViewValue::shape, data);
        putRepeating("dtype", values, PlanViewValue::dtype, data);
        putOthers("viewPlace", "viewParent", values, PlanViewValue::viewOf, data);
        putOthers("inPlace", "inPlaceOf", values, PlanViewValue::inPlaceOf, data);
        try (JsonGenerator json = JSON.createGenerator(target)) {
            json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            json.setCharacterEscapes(new ScriptEscapes());
            JsonFields.write(data, json);
        }
    }

    /** A property of each value, made while it is written. */
    private static <T> Iterable<Object> column(Collection<T> values, Function<T, Object> property) {
        return () -> values.stream().map(property).iterator();
    }

    private static Object exact(long number) {
        return number > LARGEST_EXACT ? Long.toString(number) : (Object) number;
    }

    /** The index of each value's text among the distinct ones, and these. */
    private static void putRepeating(
            String name, List<PlanViewValue> values, Function<PlanViewValue, String> property, JsonFields data) {
        Map<String, Integer> places = new LinkedHashMap<>();
        List<Integer> column = values.stream()
                .map(value -> places.computeIfAbsent(property.apply(value), _ -> places.size()))
                .toList();
        data.put(name, column).put(name + "s", column(places.keySet(), PlanViewData::shown));
    }

    /** The indices of the values that refer to another value, and the ids of the values that they refer to. */
    private static void putOthers(
            String places,
            String others,
            List<PlanViewValue> values,
            Function<PlanViewValue, Optional<NodeId>> property,
            JsonFields data) {
        List<Integer> found = new ArrayList<>();
        List<Object> ids = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            int place = i;
            property.apply(values.get(i)).ifPresent(other -> {
                found.add(place);
                ids.add(exact(other.value()));
            });
        }
        data.put(places, found).put(others, ids);
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
