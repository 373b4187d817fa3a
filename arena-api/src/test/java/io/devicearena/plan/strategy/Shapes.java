package io.devicearena.plan.strategy;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Large problems of the shapes that programs have, and of those that they had better not have. */
final class Shapes {
    private Shapes() {}

    /** Each buffer lives for a few steps. */
    static PlacementProblem brief(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] sizes = random.longs(count, 1, 65_537).toArray();
        long[] lowers = IntStream.range(0, count).asLongStream().toArray();
        long[] uppers =
                Arrays.stream(lowers).map(i -> i + 1 + random.nextInt(16)).toArray();
        return new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }

    /** What the forward pass makes is freed in reverse by the backward pass, and both make what lives briefly. */
    static PlacementProblem training(int count, long seed) {
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

    /** Lives of any length, sizes of a few kinds. */
    static PlacementProblem mixed(int count, long seed) {
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

    /** All live at once. */
    static PlacementProblem together(long[] sizes, long alignment, long boundary, long origin) {
        long[] uppers = new long[sizes.length];
        Arrays.fill(uppers, 1);
        return new PlacementProblem(sizes, new long[sizes.length], uppers, alignment, boundary, origin);
    }
}
