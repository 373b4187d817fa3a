package io.devicearena.bench.plans;

import io.devicearena.plan.placement.PlacementProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Generated problems of 1,000 to 1,000,000 buffers: how time and quality scale with the number of buffers. */
final class ScaleProblems {
    private static final int[] COUNTS = {1_000, 10_000, 100_000, 1_000_000};
    private static final long MAX_SIZE = 65_536;
    private static final long SEED = 1;

    /** How the live ranges lie. */
    private enum Shape {
        /** A buffer begins at each step and is live for 1 to 16 steps. */
        SHORT,
        /** From a step of the forward pass to its counterpart in the backward pass, give or take four steps. */
        NESTED,
        /** A quarter of the buffers nests; the others are live for 1 to 3 steps in one of the passes. */
        TRAINING
    }

    private ScaleProblems() {}

    /** Generates all problems, the small ones first. */
    static List<TraceProblem> all() {
        List<TraceProblem> problems = new ArrayList<>();
        for (int count : COUNTS) {
            for (Shape shape : Shape.values()) {
                problems.add(new TraceProblem(
                        String.format(Locale.ROOT, "%s_%d", shape.name().toLowerCase(Locale.ROOT), count),
                        problem(shape, count)));
            }
        }
        return problems;
    }

    private static PlacementProblem problem(Shape shape, int count) {
        SplittableRandom random = new SplittableRandom(SEED);
        long[] sizes = new long[count];
        long[] firsts = new long[count];
        long[] ends = new long[count];
        for (int i = 0; i < count; i++) {
            sizes[i] = random.nextLong(1, MAX_SIZE + 1);
            switch (shape) {
                case SHORT -> {
                    firsts[i] = i;
                    ends[i] = i + 1L + random.nextInt(16);
                }
                case NESTED -> {
                    firsts[i] = i;
                    ends[i] = 2L * count + 8 - i + random.nextInt(-4, 5);
                }
                case TRAINING -> training(i, count, random, firsts, ends);
            }
        }
        return new PlacementProblem(sizes, firsts, ends, 1, 0);
    }

    private static void training(int i, int count, SplittableRandom random, long[] firsts, long[] ends) {
        long step = i / 4;
        long last = count / 2;
        switch (i % 4) {
            case 0 -> {
                firsts[i] = step;
                ends[i] = last - step;
            }
            case 1 -> {
                firsts[i] = step;
                ends[i] = step + 1 + random.nextInt(3);
            }
            default -> {
                firsts[i] = last - 1 - step;
                ends[i] = last - step + random.nextInt(3);
            }
        }
    }
}
