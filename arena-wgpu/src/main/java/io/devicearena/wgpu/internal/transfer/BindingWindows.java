package io.devicearena.wgpu.internal.transfer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The windows through which a kernel of this backend reaches a range of bytes, each with what binds it. A window
 * lies in one segment, and no binding is longer. It is bound when it is first needed.
 *
 * <p>Threads: safe for any thread.
 */
public final class BindingWindows<T> {
    /** Binds a window, which begins at a byte of a segment. */
    @FunctionalInterface
    interface Binder<T> {
        T bind(int segment, long begin);
    }

    private final SegmentedBuffer buffer;
    /** The windows as ranges. */
    private final SegmentedBuffer windows;

    private final Binder<T> binder;
    private final List<@Nullable T> bound;

    /**
     * Makes the windows of a range.
     *
     * @param bytes the length of a window
     */
    BindingWindows(SegmentedBuffer buffer, long bytes, Binder<T> binder) {
        this.buffer = buffer;
        this.windows = buffer.split(bytes);
        this.binder = binder;
        this.bound = new ArrayList<>(Collections.<@Nullable T>nCopies(windows.count(), null));
    }

    /** The index of the window that holds a byte of the range. */
    public int indexOf(long offset) {
        return windows.indexOf(offset);
    }

    /** Where a window begins in the range. */
    public long start(int window) {
        return windows.start(window);
    }

    /** Where a window ends in the range; the last one has no end. */
    public long end(int window) {
        return windows.end(window);
    }

    /** The window, bound. */
    public synchronized T at(int window) {
        T known = bound.get(window);
        if (known == null) {
            int segment = buffer.indexOf(start(window));
            known = binder.bind(segment, start(window) - buffer.start(segment));
            bound.set(window, known);
        }
        return known;
    }
}
