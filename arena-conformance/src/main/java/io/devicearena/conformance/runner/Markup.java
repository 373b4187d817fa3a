package io.devicearena.conformance.runner;

import java.util.regex.Pattern;

/** Text as HTML. Whatever a provider calls itself or a message says, it stays text. */
final class Markup {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern SUPERSCRIPT = Pattern.compile("&lt;sup&gt;(\\w+)&lt;/sup&gt;");

    private Markup() {}

    static String escaped(String text) {
        return text.replace("&", "&amp;")
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
