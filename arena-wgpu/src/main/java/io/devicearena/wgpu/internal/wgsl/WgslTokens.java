package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.kernel.KernelSourceException;
import io.devicearena.wgpu.internal.wgsl.WgslEdits.Edit;
import io.devicearena.wgpu.kernel.KernelSource;
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

    /** The source. */
    final KernelSource kernel;

    final List<WgslToken> tokens;

    WgslTokens(KernelSource kernel) {
        this.kernel = kernel;
        this.tokens = WgslToken.of(kernel.wgsl());
    }

    /** Makes the exception for a token. */
    KernelSourceException error(WgslToken place, String what) {
        return SourcePosition.error(kernel, place.begin(), what);
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

    /** Returns the semicolon that ends what begins at a token; the number of tokens if there is none. */
    int semicolon(int from) {
        int at = from;
        while (at < tokens.size() && !is(at, ";")) {
            at = skip(at);
        }
        return at;
    }

    /** Returns the first such token outside of brackets of any kind, or the end. */
    int find(int from, int end, String wanted) {
        int depth = 0;
        for (int i = from; i < end; i = Math.min(skip(i), end)) {
            if (depth <= 0 && is(i, wanted)) {
                return i;
            }
            depth += is(i, "<") ? 1 : is(i, ">") ? -1 : 0;
        }
        return end;
    }

    /** Returns the ranges between the commas of a type's angle brackets; none without brackets. */
    List<Range> templateArguments(Range type) {
        List<Range> arguments = new ArrayList<>();
        int open = type.begin() + 1;
        int close = is(open, "<") ? find(open + 1, type.end(), ">") : open;
        for (int i = open + 1; i < close; ) { // a comma at the end has nothing behind it
            int comma = find(i, close, ",");
            arguments.add(new Range(i, comma));
            i = comma + 1;
        }
        return arguments;
    }

    WgslToken token(int index) {
        return tokens.get(index);
    }

    boolean is(int index, String text) {
        return index >= 0 && index < tokens.size() && tokens.get(index).is(text);
    }

    boolean isName(int index) {
        return index < tokens.size() && tokens.get(index).isName();
    }

    /** Replaces some tokens, 1 or more, by a text; then come their line breaks, or spaces if the text is shorter. */
    Edit replace(Range range, String text) {
        return replace(token(range.begin()), token(range.end() - 1), text);
    }

    /** Replaces the tokens from one to another, which is replaced too. */
    Edit replace(WgslToken first, WgslToken last, String text) {
        String old = kernel.wgsl().substring(first.begin(), last.end());
        long lines = old.chars().filter(c -> c == '\n').count();
        String rest = lines > 0 ? "\n".repeat((int) lines) : " ".repeat(Math.max(0, old.length() - text.length()));
        return new Edit(first.begin(), last.end(), text + rest);
    }

    /** The text of some tokens. */
    String text(Range range) {
        return range.isEmpty()
                ? ""
                : kernel.wgsl()
                        .substring(
                                token(range.begin()).begin(),
                                token(range.end() - 1).end());
    }
}
