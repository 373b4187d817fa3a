package io.devicearena.cli.planview;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.LiveBuffer;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pages for the tests, and the data in a page. */
final class Pages {
    private static final String DATA_STARTS = "<script type=\"application/json\" id=\"data\">";

    private Pages() {}

    static PlanViewValue value(long id, long lower, long upper, long offset, long size, String name, String role) {
        return new PlanViewValue(
                new LiveBuffer(NodeId.of(id), lower, upper, size),
                new BufferSlot(offset, size),
                name,
                role,
                "[4, 16]",
                "f32",
                Optional.empty(),
                Optional.empty());
    }

    static PlanViewValue inPlace(long id, long lower, long upper, long offset, long size, String name, long of) {
        return new PlanViewValue(
                new LiveBuffer(NodeId.of(id), lower, upper, size),
                new BufferSlot(offset, size),
                name,
                "op",
                "[4, 16]",
                "f32",
                Optional.empty(),
                Optional.of(NodeId.of(of)));
    }

    static PlanViewValue view(long id, long step, long offset, long size, String name, long parent) {
        return new PlanViewValue(
                new LiveBuffer(NodeId.of(id), step, step, size),
                new BufferSlot(offset, size),
                name,
                "view",
                "[64]",
                "f32",
                Optional.of(NodeId.of(parent)),
                Optional.empty());
    }

    static String page(String title, long arenaBytes, long lowerBoundBytes, List<PlanViewValue> values)
            throws IOException {
        return page(
                title,
                arenaBytes,
                lowerBoundBytes,
                SegmentLayout.of(Map.of(), Math.max(0, arenaBytes), Long.MAX_VALUE, 1),
                values);
    }

    static String page(
            String title, long arenaBytes, long lowerBoundBytes, SegmentLayout segments, List<PlanViewValue> values)
            throws IOException {
        StringWriter page = new StringWriter();
        new PlanViewPage(title, "aligned to 16 bytes", arenaBytes, lowerBoundBytes, segments, values).write(page);
        return page.toString();
    }

    static Map<?, ?> data(String page) throws IOException {
        int start = page.indexOf(DATA_STARTS) + DATA_STARTS.length();
        String json = page.substring(start, page.indexOf("</script>", start));
        try (JsonParser parser = new JsonFactory().createParser(json)) {
            parser.nextToken();
            if (parse(parser) instanceof Map<?, ?> data) {
                return data;
            }
            throw new AssertionError("data: expected an object");
        }
    }

    private static Object parse(JsonParser parser) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new LinkedHashMap<>();
                while (parser.nextToken() != JsonToken.END_OBJECT) {
                    String name = parser.currentName();
                    parser.nextToken();
                    object.put(name, parse(parser));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    array.add(parse(parser));
                }
                yield array;
            }
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_STRING -> parser.getText();
            default -> throw new AssertionError("data: unexpected " + parser.currentToken());
        };
    }
}
