package io.devicearena.plan.testing;

import io.devicearena.plan.internal.live.LiveRanges;
import io.devicearena.plan.placement.PlacementProblem;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Problems to search: real traces, squares cut to pieces, and random ones. */
public final class SearchProblems {
    /** The side of the squares of {@link #cutSquare}. */
    public static final long SQUARE = 1_048_576;

    private SearchProblems() {}

    public static PlacementProblem trace(String name) throws IOException {
        return TestResources.problem(name, 1);
    }

    /**
     * A square cut through and through, the largest of a few pieces each time, so that all its pieces fit into it
     * again.
     */
    public static PlacementProblem cutSquare(int pieces, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sizes = new long[pieces];
        long[] lowers = new long[pieces];
        long[] uppers = new long[pieces];
        sizes[0] = SQUARE;
        uppers[0] = SQUARE;
        for (int next = 1; next < pieces; next++) {
            int piece = random.nextInt(next);
            for (int i = 0; i < 4; i++) {
                int other = random.nextInt(next);
                if (area(sizes, lowers, uppers, other) > area(sizes, lowers, uppers, piece)) {
                    piece = other;
                }
            }
            sizes[next] = sizes[piece];
            lowers[next] = lowers[piece];
            uppers[next] = uppers[piece];
            if (random.nextBoolean() && sizes[piece] > 1) {
                long cut = random.nextLong(1, sizes[piece]);
                sizes[next] = sizes[piece] - cut;
                sizes[piece] = cut;
            } else {
                long cut = random.nextLong(lowers[piece] + 1, Math.max(uppers[piece], lowers[piece] + 2));
                lowers[next] = cut;
                uppers[piece] = cut;
            }
        }
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }

    private static double area(long[] sizes, long[] lowers, long[] uppers, int piece) {
        return (double) sizes[piece] * (uppers[piece] - lowers[piece]);
    }

    /** Most live ranges are short and some are nearly as long as all steps. */
    public static PlacementProblem heavyTailed(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextLong(1, 1L << random.nextInt(8, 22));
            lowers[i] = random.nextInt(count);
            uppers[i] = Math.min(count, lowers[i] + 1 + (long) (5 / StrictMath.pow(1 - random.nextDouble(), 1.4)));
        }
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }

    /** A few sizes near a huge one, two of which are live at each step. */
    public static PlacementProblem around(long huge) {
        return new PlacementProblem(
                new long[] {huge, 2 * huge, huge, huge - 1, huge + 3, huge},
                new long[] {0, 1, 2, 3, 0, 4},
                new long[] {2, 3, 4, 6, 1, 6},
                1,
                0);
    }

    public static PlacementProblem together(long... sizes) {
        long[] uppers = new long[sizes.length];
        Arrays.fill(uppers, 1);
        return new PlacementProblem(sizes, new long[sizes.length], uppers, 1, 0);
    }

    /** Random live ranges and sizes in one component; now and then with an alignment, a boundary and an origin. */
    public static PlacementProblem crowded(int count, SplittableRandom random) {
        long alignment = random.nextInt(3) == 0 ? 8 : 1;
        long boundary = random.nextInt(3) == 0 ? 256 : 0;
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextInt(1, 200);
            lowers[i] = random.nextInt(count);
            uppers[i] = lowers[i] + 1 + random.nextInt(1 + random.nextInt(count));
        }
        uppers[0] = 2L * count;
        lowers[0] = 0;
        return new PlacementProblem(sizes, lowers, uppers, alignment, boundary, 8L * random.nextInt(3));
    }

    /** The first component of a problem. */
    public static LiveRanges firstComponent(PlacementProblem problem) {
        return LiveRanges.of(problem).components().getFirst();
    }
}
