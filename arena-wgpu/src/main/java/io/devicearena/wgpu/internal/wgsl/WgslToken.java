package io.devicearena.wgpu.internal.wgsl;

import java.util.ArrayList;
import java.util.List;

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
        int at = 0;
        while (at < source.length()) {
            int here = source.codePointAt(at);
            if (source.startsWith("//", at)) {
                at = endOfLine(source, at);
            } else if (source.startsWith("/*", at)) {
                at = endOfComment(source, at);
            } else if (Character.isUnicodeIdentifierStart(here) || here == '_') {
                at = add(tokens, Kind.NAME, source, at, endOfName(source, at));
            } else if (isDigit(source, at) || (here == '.' && isDigit(source, at + 1))) {
                at = add(tokens, Kind.NUMBER, source, at, endOfNumber(source, at));
            } else if (isBlank(here)) {
                at += Character.charCount(here);
            } else {
                at = add(tokens, Kind.SYMBOL, source, at, at + Character.charCount(here));
            }
        }
        return List.copyOf(tokens);
    }

    private static int add(List<WgslToken> tokens, Kind kind, String source, int begin, int end) {
        tokens.add(new WgslToken(kind, begin, source.substring(begin, end)));
        return end;
    }

    private static boolean isBlank(int here) {
        return Character.isWhitespace(here) || here == 0x85 || here == 0x200E || here == 0x200F;
    }

    private static boolean isDigit(String source, int at) {
        return at < source.length() && source.charAt(at) >= '0' && source.charAt(at) <= '9';
    }

    private static int endOfLine(String source, int at) {
        int end = at;
        while (end < source.length() && "\n\u000B\f\r\u0085\u2028\u2029".indexOf(source.charAt(end)) < 0) {
            end++;
        }
        return end;
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

    private static int endOfName(String source, int at) {
        int end = at;
        while (end < source.length()) {
            int here = source.codePointAt(end);
            if (!Character.isUnicodeIdentifierPart(here) || Character.isIdentifierIgnorable(here)) {
                break;
            }
            end += Character.charCount(here);
        }
        return end;
    }

    private static int endOfNumber(String source, int at) {
        boolean hex = source.startsWith("0x", at) || source.startsWith("0X", at);
        int end = at;
        while (end < source.length()) {
            char here = source.charAt(end);
            char before = end == at ? ' ' : source.charAt(end - 1);
            boolean sign = (here == '+' || here == '-')
                    && (hex ? before == 'p' || before == 'P' : before == 'e' || before == 'E');
            if (!(here < 128 && Character.isLetterOrDigit(here)) && here != '.' && !sign) {
                break;
            }
            end++;
        }
        return end;
    }
}
