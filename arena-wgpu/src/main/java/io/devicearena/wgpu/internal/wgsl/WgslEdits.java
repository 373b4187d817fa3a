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
    record Edit(int begin, int end, String text) {}

    private final List<Edit> edits;
    /** The changed source. */
    final String text;

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
