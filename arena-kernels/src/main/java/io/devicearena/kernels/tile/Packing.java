package io.devicearena.kernels.tile;

import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Puts the elements of a matrix into the order in which tiles read them.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param width the rows of a left tile, or the columns of a right one
 * @param depth of the product
 */
public record Packing(int width, int depth) {
    /**
     * Returns the number of tiles of a matrix.
     *
     * @param all its rows or columns
     * @return 1 or more
     */
    public int tiles(int all) {
        return (all - 1) / width + 1;
    }

    /** {@return the floats of a packed tile} */
    public int tile() {
        return width * depth;
    }

    /** {@return where each of the depth begins in a packed tile} */
    public int[] offsets() {
        int[] offsets = new int[depth];
        Arrays.setAll(offsets, k -> k * width);
        return offsets;
    }

    /**
     * Packs a tile; what it has beyond the matrix is zero. One of the steps is 1.
     *
     * @param from the matrix
     * @param first the number of its first element
     * @param count the rows or columns that the tile has of the matrix, 1 to its width
     * @param step the elements from one row or column to the next
     * @param depthStep the elements from one of the depth to the next
     * @param room memory for {@code depth} floats
     * @param to receives the tile
     * @param at the index of its first element
     */
    public void pack(
            MemorySegment from, long first, int count, long step, long depthStep, float[] room, float[] to, int at) {
        if (count < width) {
            Arrays.fill(to, at, at + tile(), 0);
        }
        if (step == 1) {
            for (int k = 0; k < depth; k++) {
                HostFloats.read(from, first + k * depthStep, to, at + k * width, count);
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            HostFloats.read(from, first + i * step, room, 0, depth);
            for (int k = 0, j = at + i; k < depth; k++, j += width) {
                to[j] = room[k];
            }
        }
    }

    /**
     * Packs all tiles of a matrix.
     *
     * @param from the matrix
     * @param first the number of its first element
     * @param all its rows or columns
     * @param step the elements from one row or column to the next
     * @param depthStep the elements from one of the depth to the next
     * @param room for {@code depth} elements
     * @param to receives the tiles
     * @param at the index of the first element
     */
    public void packAll(
            MemorySegment from, long first, int all, long step, long depthStep, float[] room, float[] to, int at) {
        for (int i = 0; i < tiles(all); i++) {
            int count = Math.min(width, all - i * width);
            pack(from, first + (long) i * width * step, count, step, depthStep, room, to, at + i * tile());
        }
    }
}
