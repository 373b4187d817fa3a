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
 * @param staging of the input of its rows
 * @param rows of the result
 * @param channels of the result, whole tiles
 * @param operand the floats that are staged
 * @param sums those of a channel: of the places and of what lies between them, in whole tiles
 * @param rowBlocks the blocks of an image
 * @param channelBlocks the blocks of a group
 * @param tasks all blocks
 */
record ConvolutionBlock(
        Staging staging, int rows, int channels, int operand, int sums, int rowBlocks, int channelBlocks, int tasks) {
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
                        .mapToObj(channels -> of(shape, lanes, rows, channels)))
                .filter(block -> block.rows == 1 || block.fits())
                .min(Comparator.comparingLong(block -> block.products(shape.depth()) * (block.tasks + threads - 1)))
                .orElseThrow();
    }

    private static ConvolutionBlock of(ConvolutionShape shape, int lanes, int rows, int channels) {
        ImageShape output = shape.out();
        Staging staging = Staging.of(shape.in(), shape.window(), rows, output.width(), 0);
        int operand = shape.inGroup() * staging.channel();
        int sums = Math.ceilDiv((rows - 1) * staging.pitch() + output.width(), lanes) * lanes;
        int rowBlocks = Math.ceilDiv(output.height(), rows);
        int channelBlocks = Math.ceilDiv(shape.outGroup(), channels);
        int tasks = output.batch() * shape.groups() * rowBlocks * channelBlocks;
        return new ConvolutionBlock(staging, rows, channels, operand, sums, rowBlocks, channelBlocks, tasks);
    }

    private boolean fits() {
        return Math.max(operand, channels * sums) <= MOST_FLOATS;
    }

    /** The time of a task, in products; a sum has so many of them. */
    private long products(int depth) {
        return PRODUCTS_OF_TASK + operand * PRODUCTS_OF_FLOAT + (long) channels * sums * depth;
    }
}
