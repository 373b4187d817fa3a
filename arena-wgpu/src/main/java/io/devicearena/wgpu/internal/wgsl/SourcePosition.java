package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.kernel.KernelSourceException;
import io.devicearena.wgpu.kernel.KernelSource;

/**
 * A place of a source, as people count. Threads: immutable.
 *
 * @param line 1 or more
 * @param column in characters (code points), 1 or more
 * @param text the line without the spaces around it
 */
record SourcePosition(int line, int column, String text) {
    /** Returns the position of an index of a source. */
    static SourcePosition of(String source, int index) {
        int begin = index == 0 ? 0 : source.lastIndexOf('\n', index - 1) + 1;
        int end = source.indexOf('\n', index);
        int line =
                (int) source.substring(0, begin).chars().filter(c -> c == '\n').count() + 1;
        String text = source.substring(begin, end < 0 ? source.length() : end);
        return new SourcePosition(line, source.codePointCount(begin, index) + 1, text.strip());
    }

    /** Makes the exception for an index of a source. */
    static KernelSourceException error(KernelSource kernel, int index, String what) {
        SourcePosition position = of(kernel.wgsl(), index);
        return new KernelSourceException(
                "kernel '" + kernel.label() + "', " + position + ": " + what, position.line(), position.column());
    }

    /** Returns the index of a place that the compiler reports; one outside the source is moved to its end. */
    static int index(String source, int line, int column) {
        int begin = 0;
        for (int i = 1; i < line; i++) {
            int end = source.indexOf('\n', begin);
            if (end < 0) {
                return source.length();
            }
            begin = end + 1;
        }
        int index = begin;
        for (int i = 1; i < column && index < source.length() && source.charAt(index) != '\n'; i++) {
            index += Character.charCount(source.codePointAt(index));
        }
        return index;
    }

    @Override
    public String toString() {
        return "line " + line + ", column " + column + ", '" + text + "'";
    }
}
