package io.devicearena.wgpu.internal.wgsl;

import io.devicearena.kernel.KernelSourceException;
import io.devicearena.wgpu.kernel.KernelSource;

/** Places of a source, as people count lines and columns from 1 on. Threads: static and stateless. */
final class SourcePosition {
    private SourcePosition() {}

    /** Makes the exception for an index of a source; its column counts characters (code points). */
    static KernelSourceException error(KernelSource kernel, int index, String what) {
        String source = kernel.wgsl();
        int begin = index == 0 ? 0 : source.lastIndexOf('\n', index - 1) + 1;
        int end = source.indexOf('\n', index);
        int line =
                (int) source.substring(0, begin).chars().filter(c -> c == '\n').count() + 1;
        int column = source.codePointCount(begin, index) + 1;
        String text = source.substring(begin, end < 0 ? source.length() : end).strip();
        return new KernelSourceException(
                "kernel '" + kernel.label() + "', line " + line + ", column " + column + ", '" + text + "': " + what,
                line,
                column);
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
}
