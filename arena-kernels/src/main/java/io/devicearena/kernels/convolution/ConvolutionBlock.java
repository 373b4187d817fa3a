package io.devicearena.kernels.convolution;

import io.devicearena.kernels.tile.Packing;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a task of a convolution on the host computes: some rows of the result, and some of its channels.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param shape of the convolution
 * @param packing of the kernels
 * @param lanes the places of a tile
 * @param rows of the result
 * @param channels of the result, whole tiles
 */
record ConvolutionBlock(ConvolutionShape shape, Packing packing, int lanes, int rows, int channels) {
    /** The most floats of an operand or of sums, if a row of places needs less: together they fit the second cache. */
    private static final int MOST_FLOATS = 40_000;

    /** The products that are computed in the time in which a float is staged. */
    private static final long PRODUCTS_OF_FLOAT = 8;

    /** The products that are computed in the time in which a task begins and ends. */
    private static final long PRODUCTS_OF_TASK = 20_000;

    /** Parts of the channels that are tried, for each thread. */
    private static final int PARTS_OF_THREAD = 4;

    /** The block with which all tasks take the least time, and one more, since a thread may wait for the last. */
    static ConvolutionBlock best(ConvolutionShape shape, Packing packing, int lanes, int threads) {
        int tiles = packing.tiles(shape.outGroup());
        int most = Math.min(tiles, PARTS_OF_THREAD * threads);
        return Stream.iterate(shape.out().height(), rows -> rows > 0, rows -> rows == 1 ? 0 : (rows + 1) / 2)
                .flatMap(rows -> IntStream.rangeClosed(1, most)
                        .map(part -> Math.ceilDiv(tiles, part) * packing.width())
                        .mapToObj(channels -> new ConvolutionBlock(shape, packing, lanes, rows, channels)))
                .filter(block -> block.rows == 1 || block.fits())
                .min(Comparator.comparingLong(block -> block.products() * (block.tasks() + threads - 1)))
                .orElseThrow();
    }

    private boolean fits() {
        return Math.max(operand(), channels * sums()) <= MOST_FLOATS;
    }

    /** The time of a task, in products. */
    private long products() {
        return PRODUCTS_OF_TASK + operand() * PRODUCTS_OF_FLOAT + (long) channels * sums() * shape.depth();
    }

    Staging staging() {
        return Staging.of(shape.in(), shape.window(), rows, shape.out().width(), 0);
    }

    /** The floats that are staged. */
    int operand() {
        return shape.inGroup() * staging().channel();
    }

    /** The sums of a channel: those of the places and what lies between them, in whole tiles. */
    int sums() {
        int all = (rows - 1) * staging().pitch() + shape.out().width();
        return Math.ceilDiv(all, lanes) * lanes;
    }

    int rowBlocks() {
        return Math.ceilDiv(shape.out().height(), rows);
    }

    int channelBlocks() {
        return Math.ceilDiv(shape.outGroup(), channels);
    }

    int tasks() {
        return shape.out().batch() * shape.groups() * rowBlocks() * channelBlocks();
    }
}
