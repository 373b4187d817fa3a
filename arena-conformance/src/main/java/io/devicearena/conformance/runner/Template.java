package io.devicearena.conformance.runner;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with marks that are filled. {@code {{name}}} is a text, which is escaped; {@code {{=name}}} is HTML; and
 * {@code {{#name}}…{{/name}}} stands once for each of a list of values, in which the values around it can be seen.
 */
record Template(String text) {
    private static final Pattern MARK = Pattern.compile("\\{\\{([#=]?)(\\w+)}}");

    /** A file beside this class. */
    static Template ofFile(String name) throws IOException {
        try (InputStream stream = Template.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IOException(name + " is missing beside " + Template.class.getName());
            }
            return new Template(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** The page. A value is a text, or a list of maps of values; a name without a value stands for nothing. */
    String fill(Map<String, ?> values) {
        StringBuilder page = new StringBuilder();
        // from mark to mark, not by replacing in the whole text: a message may contain a mark
        Matcher mark = MARK.matcher(text);
        int from = 0;
        while (mark.find(from)) {
            page.append(text, from, mark.start());
            from = mark.end();
            String name = mark.group(2);
            Object value = values.get(name);
            if (mark.group(1).equals("#")) {
                int end = text.indexOf("{{/" + name + "}}", from);
                for (Object each : value instanceof List<?> list ? list : List.of()) {
                    page.append(new Template(text.substring(from, end)).fill(within(values, (Map<?, ?>) each)));
                }
                from = end + name.length() + "{{/}}".length();
            } else if (value != null) {
                String shown = value.toString();
                page.append(mark.group(1).isEmpty() ? Markup.escaped(shown) : shown);
            }
        }
        return page.append(text, from, text.length()).toString();
    }

    private static Map<String, Object> within(Map<String, ?> around, Map<?, ?> values) {
        Map<String, Object> all = new HashMap<>(around);
        values.forEach((name, value) -> all.put((String) name, value));
        return all;
    }
}
