package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The windows through which a kernel of this backend reaches a range of bytes, each with a bind group. A window lies in
 * one segment, and no binding is longer. A group is created when its window is first needed.
 *
 * <p>Threads: safe for any thread.
 */
final class BindingWindows {
    /** Creates the bind group of a window, which begins at a byte of a segment. */
    @FunctionalInterface
    interface Binder {
        GpuBindGroup bind(int segment, long begin);
    }

    private final SegmentedBuffer buffer;
    private final long bytes;
    private final Binder binder;
    /** The index of the first window of each segment. */
    private final int[] first;

    private final @Nullable GpuBindGroup[] groups;

    /**
     * Makes the windows of a range.
     *
     * @param bytes the length of a window
     */
    BindingWindows(SegmentedBuffer buffer, long bytes, Binder binder) {
        this.buffer = buffer;
        this.bytes = bytes;
        this.binder = binder;
        this.first = new int[buffer.count() + 1];
        for (int i = 0; i < buffer.count(); i++) {
            long windows = (buffer.buffer(i).bytes() + bytes - 1) / bytes;
            first[i + 1] = Math.addExact(first[i], Math.toIntExact(windows));
        }
        this.groups = new GpuBindGroup[first[buffer.count()]];
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

    synchronized GpuBindGroup group(int window) {
        GpuBindGroup group = groups[window];
        if (group == null) {
            int segment = segmentOf(window);
            group = binder.bind(segment, (window - first[segment]) * bytes);
            groups[window] = group;
        }
        return group;
    }
}
