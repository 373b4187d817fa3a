package io.devicearena.plan.testing;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.SplittableRandom;

/** Random problems of several shapes. */
public final class SmallProblems {
    private SmallProblems() {}

    /** Small and crowded, with ties, empty buffers, any alignment and often a boundary. */
    public static PlacementProblem small(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int count = random.nextInt(60);
        int steps = 1 + random.nextInt(40);
        long alignment = 1L << random.nextInt(5);
        int largest = 1 + random.nextInt(random.nextBoolean() ? 8 : 200);
        long boundary = random.nextInt(3) == 0 ? roundUp(largest + random.nextInt(100), alignment) : 0;
        return random(random, count, steps, largest, alignment, boundary, 1 + random.nextInt(steps));
    }

    /** Many short-lived buffers and a few long-lived ones, so that every level of an index is in use. */
    public static PlacementProblem crowded(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        long alignment = 1L << random.nextInt(9);
        long boundary = random.nextBoolean() ? 1L << 19 : 0;
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextInt(50) == 0 ? 0 : random.nextLong(1, 262_144);
            lowers[i] = i;
            uppers[i] = i + (random.nextInt(20) == 0 ? random.nextLong(count) : random.nextLong(20));
        }
        long origin = random.nextLong(1L << 12) * alignment;
        return new PlacementProblem(sizes, lowers, uppers, alignment, boundary, origin);
    }

    private static PlacementProblem random(
            SplittableRandom random, int count, int steps, int largest, long alignment, long boundary, int longest) {
        long[] sizes = new long[count];
        long[] lowers = new long[count];
        long[] uppers = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextInt(largest + 1);
            lowers[i] = random.nextInt(steps);
            uppers[i] = lowers[i] + random.nextInt(longest + 1);
        }
        long origin = random.nextBoolean() ? 0 : random.nextInt(64) * alignment;
        return new PlacementProblem(sizes, lowers, uppers, alignment, boundary, origin);
    }

    public static long roundUp(long bytes, long alignment) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    /** Whether two buffers are live at one step and both have bytes: the definition itself. */
    public static boolean conflict(PlacementProblem problem, int a, int b) {
        return problem.occupies(a)
                && problem.occupies(b)
                && problem.lower(a) < problem.upper(b)
                && problem.lower(b) < problem.upper(a);
    }
}
