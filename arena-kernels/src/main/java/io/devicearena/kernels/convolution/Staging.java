package io.devicearena.kernels.convolution;

import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.tile.TileMemory;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Rows of channels in the heap, with their padding, in an order in which a window moves by one element: the elements
 * that have the same remainders of the strides lie together, a plane for each pair of remainders. So the elements
 * under one element of the window are the same number of floats away for all places of the window.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param height the rows of a channel
 * @param width the elements of a row
 * @param window its strides and padding
 * @param rows of a plane
 * @param pitch the elements of a row of a plane
 * @param planesDown the remainders that the window needs of the stride along the height
 * @param planesRight the remainders that the window needs of the stride along the width
 * @param padding what is around the image
 */
record Staging(
        int height,
        int width,
        SlidingWindow window,
        int rows,
        int pitch,
        int planesDown,
        int planesRight,
        float padding) {

    /** The floats of a line of a cache. */
    private static final int LINE = 16;

    /** Returns the rows for places of a window. */
    static Staging of(ImageShape input, SlidingWindow window, int placesDown, int placesRight, float padding) {
        return new Staging(
                input.height(),
                input.width(),
                window,
                placesDown + (window.y().span() - 1) / window.y().stride(),
                placesRight + (window.x().span() - 1) / window.x().stride(),
                planes(window.y()),
                planes(window.x()),
                padding);
    }

    private static int planes(SlidingWindow.Axis axis) {
        return axis.size() == 1 ? 1 : axis.stride();
    }

    /** The floats of a channel: an odd number of lines, so that equal places of channels fall into different sets. */
    int channel() {
        int lines = (planesDown * planesRight * rows * pitch - 1) / LINE + 1;
        return (lines | 1) * LINE;
    }

    /** Where the elements under element (ky, kx) of the window begin in a channel. */
    int offset(int ky, int kx) {
        int y = ky * window.y().dilation();
        int x = kx * window.x().dilation();
        int plane = y % window.y().stride() * planesRight + x % window.x().stride();
        return (plane * rows + y / window.y().stride()) * pitch + x / window.x().stride();
    }

    /** The rows of the input that a channel is staged from, at most. */
    int inputRows() {
        return rows * window.y().stride();
    }

    /** Copies channels of images, for places of the window from a row on, with room for rows of a channel. */
    void stage(MemorySegment in, long firstChannel, int channels, int firstPlace, TileMemory.Worker worker) {
        for (int c = 0; c < channels; c++) {
            long first = (firstChannel + c) * height * width;
            stage(in, first, firstPlace, worker.operand(), c * channel(), worker.room());
        }
    }

    private void stage(MemorySegment in, long first, int firstPlace, float[] to, int at, float[] room) {
        int top = firstPlace * window.y().stride() - window.y().before();
        int from = Math.max(top, 0);
        int end = Math.max(from, Math.min(height, top + inputRows()));
        boolean isWhole = window.x().before() == 0 && pitch == width && planesDown * planesRight == 1;
        if (isWhole && window.y().stride() == 1 && window.x().stride() == 1) {
            Arrays.fill(to, at, at + (from - top) * pitch, padding);
            copy(in, first, from, end, to, at + (from - top) * pitch);
            Arrays.fill(to, at + (end - top) * pitch, at + rows * pitch, padding);
            return;
        }
        copy(in, first, from, end, room, 0);
        for (int plane = 0; plane < planesDown * planesRight; plane++) {
            int y = top + plane / planesRight;
            for (int r = 0; r < rows; r++) {
                stageRow(room, y < from || y >= end ? -1 : (y - from) * width, plane % planesRight, to, at);
                at += pitch;
                y += window.y().stride();
            }
        }
    }

    private void copy(MemorySegment in, long first, int from, int end, float[] to, int at) {
        HostFloats.read(in, first + (long) from * width, to, at, (end - from) * width);
    }

    /** Copies every stride-th element of a row, which begins at {@code source}, or is padding if that is negative. */
    private void stageRow(float[] room, int source, int remainder, float[] to, int at) {
        int step = window.x().stride();
        int left = remainder - window.x().before();
        // the places whose column left + i step is in the row
        int from = source < 0 ? pitch : Math.min(pitch, left >= 0 ? 0 : (-left - 1) / step + 1);
        int end = left >= width ? from : Math.max(from, Math.min(pitch, (width - 1 - left) / step + 1));
        Arrays.fill(to, at, at + from, padding);
        Arrays.fill(to, at + end, at + pitch, padding);
        if (step == 1) {
            System.arraycopy(room, Math.max(source, 0) + left + from, to, at + from, end - from);
            return;
        }
        for (int i = at + from, j = source + left + from * step; i < at + end; i++, j += step) {
            to[i] = room[j];
        }
    }
}
