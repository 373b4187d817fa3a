package io.devicearena.conformance.runner;

import java.util.Locale;
import java.util.regex.Pattern;

/** Text as HTML. Whatever a provider calls itself or a message says, it stays text. */
final class Markup {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern SUPERSCRIPT = Pattern.compile("&lt;sup&gt;(\\w+)&lt;/sup&gt;");

    /** Control characters but the ends of lines, and the marks that change the direction of text. */
    private static final Pattern CONTROL =
            Pattern.compile("[\\p{Cc}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069&&[^\\n\\r\\t]]");

    private Markup() {}

    static String escaped(String text) {
        return CONTROL.matcher(text)
                .replaceAll(found -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)))
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    /** A paragraph of the specification; of Markdown it knows what the clauses use. */
    static String ofMarkdown(String paragraph) {
        String code = CODE.matcher(escaped(paragraph)).replaceAll("<code>$1</code>");
        return SUPERSCRIPT.matcher(code).replaceAll("<sup>$1</sup>");
    }
}
