package io.devicearena.wgpu.internal.wgsl;

import java.util.ArrayList;
import java.util.List;

/** The tokens of a source, and ways from one to another. Threads: immutable. */
abstract class WgslTokens {
    /** Tokens from one index to before another. Threads: immutable. */
    record Range(int begin, int end) {
        boolean isEmpty() {
            return begin >= end;
        }
    }

    private final String source;
    private final List<WgslToken> tokens;

    WgslTokens(String source) {
        this.source = source;
        this.tokens = WgslToken.of(source);
    }

    /** Returns the token behind a token, or behind the brackets that it opens. */
    int skip(int at) {
        int depth = 0;
        int next = at;
        do {
            if (is(next, "(") || is(next, "[") || is(next, "{")) {
                depth++;
            } else if (is(next, ")") || is(next, "]") || is(next, "}")) {
                depth--;
            }
            next++;
        } while (depth > 0 && next < tokens.size());
        return Math.min(next, tokens.size());
    }

    /** Returns the first such token from one on, outside of brackets; the number of tokens if there is none. */
    int find(int from, String wanted) {
        int at = from;
        while (at < tokens.size() && !is(at, wanted)) {
            at = skip(at);
        }
        return at;
    }

    /** Returns the ranges between the commas of a type's angle brackets; none without brackets. */
    List<Range> templateArguments(Range type) {
        int open = type.begin() + 1;
        return open < type.end() && is(open, "<") ? split(new Range(open + 1, closing(open, type.end()))) : List.of();
    }

    /** Returns the ranges between the commas of a range; a comma at the end has nothing behind it. */
    List<Range> split(Range range) {
        List<Range> parts = new ArrayList<>();
        for (int i = range.begin(); i < range.end(); ) {
            int comma = comma(i, range.end());
            parts.add(new Range(i, comma));
            i = comma + 1;
        }
        return parts;
    }

    /** Returns the {@code =} that ends a type, or the end. */
    int assign(int from, int end) {
        int depth = 0;
        for (int i = from; i < end; i = Math.min(skip(i), end)) {
            if (is(i, "<")) {
                depth++;
            } else if (is(i, ">")) {
                depth--;
            } else if (is(i, "=") && depth <= 0) {
                return i;
            }
        }
        return end;
    }

    /** Returns the {@code >} for a {@code <}, or the end. */
    int closing(int open, int end) {
        int depth = 0;
        for (int i = open; i < end; i = skip(i)) {
            depth += is(i, "<") ? 1 : is(i, ">") ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return end;
    }

    /** Returns the first comma outside of brackets of any kind, or the end. */
    int comma(int from, int end) {
        int depth = 0;
        for (int i = from; i < end; i = Math.min(skip(i), end)) {
            depth += is(i, "<") ? 1 : is(i, ">") ? -1 : 0;
            if (depth <= 0 && is(i, ",")) {
                return i;
            }
        }
        return end;
    }

    /** Returns the semicolon that ends the statement at a token; the number of tokens if there is none. */
    int statementEnd(int from) {
        return find(from, ";");
    }

    WgslToken token(int index) {
        return tokens.get(index);
    }

    int tokenCount() {
        return tokens.size();
    }

    boolean is(int index, String text) {
        return index < tokens.size() && tokens.get(index).is(text);
    }

    boolean isName(int index) {
        return index < tokens.size() && tokens.get(index).isName();
    }

    /** Where a token ends in the source; the end of the source behind the last one. */
    int endOf(int token) {
        return token < tokens.size() ? tokens.get(token).end() : source.length();
    }

    /** The text of some tokens. */
    String text(Range range) {
        return range.isEmpty()
                ? ""
                : source.substring(
                        token(range.begin()).begin(), token(range.end() - 1).end());
    }
}
