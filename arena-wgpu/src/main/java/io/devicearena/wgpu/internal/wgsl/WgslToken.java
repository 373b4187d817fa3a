package io.devicearena.wgpu.internal.wgsl;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A token of a source: a name, a number, or one character of an operator. Threads: immutable.
 *
 * <p>Source: WGSL, sections 3.2 (comments), 3.6 (literals) and 3.8 (identifiers).
 *
 * @param begin where it begins, as an index of the source
 * @param text its text
 */
record WgslToken(Kind kind, int begin, String text) {
    /** What a token is. Threads: immutable. */
    enum Kind {
        NAME,
        NUMBER,
        SYMBOL
    }

    /** A space, a comment up to the end of its line, or a token, in a group with the name of its kind. */
    private static final Pattern NEXT = Pattern.compile(
            "[\\p{javaWhitespace}\\x{85}\\x{200E}\\x{200F}]++"
                    + "|//[^\\n\\x0B\\f\\r\\x{85}\\x{2028}\\x{2029}]*+"
                    + "|(?<NAME>[_\\p{javaUnicodeIdentifierStart}]"
                    + "[\\p{javaUnicodeIdentifierPart}&&[^\\p{javaIdentifierIgnorable}]]*+)"
                    + "|(?<NUMBER>0[xX][A-Za-z0-9.]*+(?:(?<=[pP])[+-][A-Za-z0-9.]*+)?"
                    + "|\\.?[0-9][A-Za-z0-9.]*+(?:(?<=[eE])[+-][A-Za-z0-9.]*+)?)"
                    + "|(?<SYMBOL>.)",
            Pattern.DOTALL);

    /** Where the token ends, as an index of the source. */
    int end() {
        return begin + text.length();
    }

    boolean is(String wanted) {
        return text.equals(wanted);
    }

    boolean isName() {
        return kind == Kind.NAME;
    }

    /** Splits a source into tokens; comments and spaces are left out. Takes linear time on any text. */
    static List<WgslToken> of(String source) {
        List<WgslToken> tokens = new ArrayList<>();
        Matcher next = NEXT.matcher(source);
        int at = 0;
        while (at < source.length()) {
            if (source.startsWith("/*", at)) {
                at = endOfComment(source, at);
            } else if (next.region(at, source.length()).lookingAt()) {
                for (Kind kind : Kind.values()) {
                    if (next.group(kind.name()) != null) {
                        tokens.add(new WgslToken(kind, at, next.group()));
                    }
                }
                at = next.end();
            }
        }
        return List.copyOf(tokens);
    }

    private static int endOfComment(String source, int at) {
        int depth = 0;
        int end = at;
        do {
            if (source.startsWith("/*", end)) {
                depth++;
                end += 2;
            } else if (source.startsWith("*/", end)) {
                depth--;
                end += 2;
            } else {
                end++;
            }
        } while (depth > 0 && end < source.length());
        return Math.min(end, source.length());
    }
}
