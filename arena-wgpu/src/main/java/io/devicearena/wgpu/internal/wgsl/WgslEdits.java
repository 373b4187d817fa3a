package io.devicearena.wgpu.internal.wgsl;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A source with some ranges replaced. A replacement never adds or removes a line, and every place of the changed text
 * can be traced back to the source.
 *
 * <p>Threads: immutable.
 */
final class WgslEdits {
    /**
     * One replacement. Threads: immutable.
     *
     * @param begin where the replaced range begins, as an index of the source
     * @param end where it ends
     * @param text the replacement
     */
    record Edit(int begin, int end, String text) {
        /** Replaces a range by spaces, and keeps its line breaks. */
        static Edit blank(String source, int begin, int end) {
            StringBuilder blank = new StringBuilder(source.substring(begin, end));
            for (int i = 0; i < blank.length(); i++) {
                if (blank.charAt(i) != '\n' && blank.charAt(i) != '\r') {
                    blank.setCharAt(i, ' ');
                }
            }
            return new Edit(begin, end, blank.toString());
        }

        /** Replaces a range by a text; then come the line breaks of the range, and spaces if the text is shorter. */
        static Edit replace(String source, int begin, int end, String text) {
            String old = source.substring(begin, end);
            StringBuilder all = new StringBuilder(text);
            if (old.indexOf('\n') >= 0) {
                old.chars().filter(c -> c == '\n').forEach(_ -> all.append('\n'));
            } else {
                all.append(" ".repeat(Math.max(0, old.length() - text.length())));
            }
            return new Edit(begin, end, all.toString());
        }
    }

    private final List<Edit> edits;
    private final String text;

    /** Applies replacements, which do not overlap, to a source. */
    WgslEdits(String source, Collection<Edit> unordered) {
        List<Edit> ordered = new ArrayList<>(unordered);
        ordered.sort(Comparator.comparingInt(Edit::begin));
        StringBuilder changed = new StringBuilder();
        int at = 0;
        for (Edit edit : ordered) {
            changed.append(source, at, edit.begin()).append(edit.text());
            at = edit.end();
        }
        this.edits = List.copyOf(ordered);
        this.text = changed.append(source, at, source.length()).toString();
    }

    /** The changed source. */
    String text() {
        return text;
    }

    /** Returns the index of the source for an index of the changed text. */
    int original(int index) {
        int shift = 0;
        for (Edit edit : edits) {
            int begin = edit.begin() + shift;
            int end = begin + edit.text().length();
            if (index < begin) {
                break;
            }
            if (index < end) {
                return Math.min(edit.begin() + (index - begin), Math.max(edit.begin(), edit.end() - 1));
            }
            shift += edit.text().length() - (edit.end() - edit.begin());
        }
        return index - shift;
    }
}
