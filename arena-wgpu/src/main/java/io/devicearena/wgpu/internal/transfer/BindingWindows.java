package io.devicearena.wgpu.internal.transfer;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows through which a kernel of this backend reaches a range of bytes, each with what binds it. A window
 * lies in one segment, and no binding is longer. It is bound when it is first needed.
 *
 * <p>Threads: safe for any thread.
 */
final class BindingWindows<T> {
    /** Binds a window, which begins at a byte of a segment. */
    @FunctionalInterface
    interface Binder<T> {
        T bind(int segment, long begin);
    }

    private final SegmentedBuffer buffer;
    private final long bytes;
    private final Binder<T> binder;
    /** The index of the first window of each segment. */
    private final int[] first;

    private final List<@Nullable T> bound = new ArrayList<@Nullable T>();

    /**
     * Makes the windows of a range.
     *
     * @param bytes the length of a window
     */
    BindingWindows(SegmentedBuffer buffer, long bytes, Binder<T> binder) {
        this.buffer = buffer;
        this.bytes = bytes;
        this.binder = binder;
        this.first = new int[buffer.count() + 1];
        for (int i = 0; i < buffer.count(); i++) {
            long windows = (buffer.buffer(i).bytes() + bytes - 1) / bytes;
            first[i + 1] = Math.addExact(first[i], Math.toIntExact(windows));
        }
        for (int i = 0; i < first[buffer.count()]; i++) {
            bound.add(null);
        }
    }

    /** The index of the window that holds a byte of the range. */
    int indexOf(long offset) {
        int segment = buffer.indexOf(offset);
        return first[segment] + (int) ((offset - buffer.start(segment)) / bytes);
    }

    /** Where a window begins in the range. */
    long start(int window) {
        int segment = segmentOf(window);
        return buffer.start(segment) + (window - first[segment]) * bytes;
    }

    /** Where a window ends in the range at the latest. */
    long end(int window) {
        int segment = segmentOf(window);
        return Math.min(buffer.end(segment), buffer.start(segment) + (window - first[segment] + 1) * bytes);
    }

    private int segmentOf(int window) {
        int found = Arrays.binarySearch(first, window);
        return found >= 0 ? found : -found - 2;
    }

    /** The window, bound. */
    synchronized T at(int window) {
        T known = bound.get(window);
        if (known == null) {
            int segment = segmentOf(window);
            known = binder.bind(segment, (window - first[segment]) * bytes);
            bound.set(window, known);
        }
        return known;
    }
}
