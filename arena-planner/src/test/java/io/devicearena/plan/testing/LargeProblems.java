package io.devicearena.plan.testing;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Large problems with the live ranges that programs have, and some that make algorithms slow. */
public final class LargeProblems {
    /** What {@link #aboveItsBound} needs, in bytes. */
    public static final long NEEDED_ABOVE_BOUND = 245;

    private LargeProblems() {}

    /** A few buffers that need more bytes than are live at any step. */
    public static PlacementProblem aboveItsBound() {
        return new PlacementProblem(
                new long[] {62, 80, 43, 60, 18, 56, 34, 4, 39, 3, 43, 13, 3, 48},
                new long[] {6, 0, 3, 5, 4, 0, 3, 7, 4, 0, 0, 5, 5, 1},
                new long[] {8, 3, 4, 7, 5, 5, 7, 9, 6, 8, 7, 9, 7, 6},
                1,
                0);
    }

    /** Each buffer is live for 1 to 16 steps. */
    public static PlacementProblem shortLived(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sizes = random.longs(count, 1, 65_537).toArray();
        long[] lowers = IntStream.range(0, count).asLongStream().toArray();
        long[] uppers =
                Arrays.stream(lowers).map(i -> i + 1 + random.nextInt(16)).toArray();
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }

    /** A backward pass frees what the forward pass made in reverse order; both also make short-lived buffers. */
    public static PlacementProblem training(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        long end = count / 2;
        for (int i = 0; i < count; i++) {
            long step = i / 4;
            sizes[i] = random.nextLong(1, 65_537);
            switch (i % 4) {
                case 0 -> {
                    lowers[i] = step;
                    uppers[i] = end - step;
                }
                case 1 -> {
                    lowers[i] = step;
                    uppers[i] = step + 1 + random.nextInt(3);
                }
                default -> {
                    lowers[i] = Math.max(0, end - 1 - step);
                    uppers[i] = lowers[i] + 1 + random.nextInt(3);
                }
            }
        }
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }

    /** Live ranges of any length, six sizes. */
    public static PlacementProblem mixed(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] kinds = {4_096, 16_384, 65_536, 100_352, 200_704, 401_408};
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = kinds[random.nextInt(kinds.length)];
            lowers[i] = random.nextInt(count);
            uppers[i] = lowers[i] + 1 + random.nextInt(1 << random.nextInt(1, 12));
        }
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }

    /** Short-lived buffers with sizes of sixteen powers of two: a few large ones decide the maximum load. */
    public static PlacementProblem uneven(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected buffers = new Collected();
        for (int i = 0; i < count; i++) {
            int steps = 1;
            while (random.nextInt(8) != 0) {
                steps++;
            }
            buffers.add((16L << random.nextInt(16)) + random.nextInt(16), i / 3, i / 3 + steps);
        }
        return buffers.problem();
    }

    /** Lengths and sizes over several orders of magnitude, all equally frequent: a few take most of the area. */
    public static PlacementProblem anyLength(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected buffers = new Collected();
        for (int i = 0; i < count; i++) {
            long lower = random.nextInt(count);
            long steps = (long) StrictMath.pow(count, 0.9 * random.nextDouble());
            buffers.add((long) StrictMath.pow(2, 6 + 16 * random.nextDouble()), lower, lower + steps);
        }
        return buffers.problem();
    }

    /**
     * One more at each step, each for a quarter to a half of all steps: many begin in a gap that few of them end in.
     */
    public static PlacementProblem staggered(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected buffers = new Collected();
        int quarter = count / 4;
        for (int i = 0; i < count; i++) {
            buffers.add(1 + random.nextInt(1_000), i, i + quarter + i * 7_919L % quarter);
        }
        return buffers.problem();
    }

    /** Collects live ranges. */
    private static final class Collected {
        private final List<long[]> buffers = new ArrayList<>();

        /** Adds a buffer unless its live range is empty. */
        void add(long size, long lower, long upper) {
            if (upper > lower) {
                buffers.add(new long[] {size, lower, upper});
            }
        }

        PlacementProblem problem() {
            return new PlacementProblem(
                    buffers.stream().mapToLong(buffer -> buffer[0]).toArray(),
                    buffers.stream().mapToLong(buffer -> buffer[1]).toArray(),
                    buffers.stream().mapToLong(buffer -> buffer[2]).toArray(),
                    1,
                    0);
        }
    }

    /** All are live at once. */
    public static PlacementProblem together(long[] sizes, long alignment, long boundary, long origin) {
        long[] uppers = new long[sizes.length];
        Arrays.fill(uppers, 1);
        return new PlacementProblem(sizes, new long[sizes.length], uppers, alignment, boundary, origin);
    }
}
