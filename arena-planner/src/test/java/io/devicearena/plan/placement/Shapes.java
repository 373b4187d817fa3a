package io.devicearena.plan.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Large problems of the shapes that programs have, and of those that they had better not have. */
public final class Shapes {
    /** What {@link #aboveItsBound} needs, in bytes. */
    public static final long NEEDED_ABOVE_BOUND = 245;

    /** Of {@link #pipeline} and {@link #equalMicroBatches}. */
    private static final int MICRO_BATCHES = 8;

    private Shapes() {}

    /** Few buffers that need more bytes than are ever live. */
    public static PlacementProblem aboveItsBound() {
        return new PlacementProblem(
                new long[] {62, 80, 43, 60, 18, 56, 34, 4, 39, 3, 43, 13, 3, 48},
                new long[] {6, 0, 3, 5, 4, 0, 3, 7, 4, 0, 0, 5, 5, 1},
                new long[] {8, 3, 4, 7, 5, 5, 7, 9, 6, 8, 7, 9, 7, 6},
                1,
                0);
    }

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

    /**
     * A training step of a transformer: activations saved for the backward pass, gradients that live briefly, gradients of
     * weights that wait for the optimizer, small statistics between large tensors.
     */
    static PlacementProblem transformer(int layers, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected lives = new Collected();
        long hidden = 262_144L * (1 + random.nextInt(3));
        List<Long> sizes = new ArrayList<>();
        List<Long> begins = new ArrayList<>();
        long step = 0;
        for (int op = 0; op < 100 * layers; op++, step++) {
            long size = random.nextInt(4) == 0 ? 4L * (1 + random.nextInt(4_096)) : hidden * (1L << random.nextInt(4));
            if (op * 7 % 10 < 4) {
                sizes.add(size);
                begins.add(step);
            } else {
                lives.add(size, step, step + 1 + random.nextInt(4));
            }
        }
        List<Long> gradients = new ArrayList<>();
        for (int i = sizes.size() - 1; i >= 0; i--) {
            for (int op = 1 + random.nextInt(3); op > 0; op--, step++) {
                lives.add(hidden * (1L << random.nextInt(4)), step, step + 1 + random.nextInt(3));
            }
            lives.add(sizes.get(i), begins.get(i), step + random.nextInt(2));
            if (random.nextInt(4) == 0) {
                gradients.add(step);
            }
        }
        for (long gradient : gradients) {
            lives.add(hidden * (1 + random.nextInt(4)), gradient, step + 1);
            lives.add(hidden, step, step + 2);
            step++;
        }
        return lives.problem();
    }

    /** A training step that keeps a few activations and computes those between them again, part by part. */
    static PlacementProblem checkpoints(int parts, int opsPerPart, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected lives = new Collected();
        long unit = 1 << 20;
        long end = 3L * parts * opsPerPart;
        for (int part = 0; part < parts; part++) {
            long forward = (long) part * opsPerPart;
            long backward = end - 2 * forward - 2L * opsPerPart;
            lives.add(unit, forward, backward + opsPerPart);
            for (int op = 0; op < opsPerPart; op++) {
                lives.add(unit * (1 + random.nextInt(4)), forward + op, forward + op + 1 + random.nextInt(3));
                lives.add(unit * (1 + random.nextInt(4)), backward + op, backward + 2L * opsPerPart - op);
                long gradient = backward + 2L * opsPerPart - op - 1;
                lives.add(unit * (1 + random.nextInt(4)), gradient, gradient + 1 + random.nextInt(3));
            }
        }
        return lives.problem();
    }

    /** Sizes of sixteen powers of two between few steps: a few large ones decide where it is full. */
    static PlacementProblem uneven(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected lives = new Collected();
        for (int i = 0; i < count; i++) {
            int steps = 1;
            while (random.nextInt(8) != 0) {
                steps++;
            }
            lives.add((16L << random.nextInt(16)) + random.nextInt(16), i / 3, i / 3 + steps);
        }
        return lives.problem();
    }

    /**
     * A stage of a pipeline: eight micro-batches that overlap, each a training step of its own whose tensors differ in size
     * from those of the others.
     */
    static PlacementProblem pipeline(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return microBatches(count, op -> new Tensor(4_096L * (1 + random.nextInt(64)), random.nextInt(3)));
    }

    /** As {@link #pipeline}, but all micro-batches have the same tensors. */
    static PlacementProblem equalMicroBatches(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Tensor> tensors = IntStream.range(0, count / MICRO_BATCHES / 3)
                .mapToObj(op -> new Tensor(
                        random.nextInt(3) == 0 ? 4_096L * (1 + random.nextInt(64)) : 65_536L * (1 + random.nextInt(4)),
                        random.nextInt(3)))
                .toList();
        return microBatches(count, tensors::get);
    }

    /**
     * What an op makes.
     *
     * @param size bytes of what it keeps for the way back, and of what it passes on
     * @param stay for how many steps after that what it keeps stays
     */
    private record Tensor(long size, int stay) {}

    /** Micro-batches that overlap, each of which asks for its tensors in the order of its ops. */
    private static PlacementProblem microBatches(int count, IntFunction<Tensor> tensors) {
        Collected lives = new Collected();
        int ops = count / MICRO_BATCHES / 3;
        for (int batch = 0; batch < MICRO_BATCHES; batch++) {
            long begin = (long) batch * ops / 3;
            long end = begin + 2L * ops;
            for (int op = 0; op < ops; op++) {
                Tensor tensor = tensors.apply(op);
                lives.add(tensor.size(), begin + op, end - op + tensor.stay());
                lives.add(tensor.size(), begin + op, begin + op + 2);
                lives.add(tensor.size(), end - op, end - op + 2);
            }
        }
        return lives.problem();
    }

    /**
     * Equal micro-batches in turn, four of them begun at a time: then one goes backward, and the next one forward. Gradients of
     * weights stay from the first to the last.
     */
    static PlacementProblem oneForwardOneBackward(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected lives = new Collected();
        int batches = 32;
        int begun = 4;
        int ops = count / batches / 4;
        long[] kept = new long[ops];
        long[] passing = new long[ops];
        for (int op = 0; op < ops; op++) {
            kept[op] = random.nextInt(3) == 0 ? 512L * (1 + random.nextInt(512)) : 65_536L * (1 + random.nextInt(8));
            passing[op] = 512L * (1 + random.nextInt(2_048));
        }
        long end = 2L * batches * ops;
        for (int batch = 0; batch < batches; batch++) {
            long forward = (long) ops * (batch < begun ? batch : 2 * batch - begun + 1);
            long backward = (long) ops * Math.min(begun + 2 * batch, batches + batch);
            for (int op = 0; op < ops; op++) {
                long back = backward + ops - 1 - op;
                lives.add(kept[op], forward + op, back + 1);
                lives.add(passing[op], forward + op, forward + op + 2);
                lives.add(passing[op], back, back + 2);
                lives.add(kept[op], back, back + (op % 5 == 0 ? 5 : 2));
                if (batch == 0) {
                    lives.add(kept[op], back, end + op);
                }
            }
        }
        return lives.problem();
    }

    /** Lengths and sizes over several orders of magnitude, all equally frequent: few long and large ones take most room. */
    public static PlacementProblem anyLength(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected lives = new Collected();
        for (int i = 0; i < count; i++) {
            long lower = random.nextInt(count);
            long steps = (long) StrictMath.pow(count, 0.9 * random.nextDouble());
            lives.add((long) StrictMath.pow(2, 6 + 16 * random.nextDouble()), lower, lower + steps);
        }
        return lives.problem();
    }

    /** One more at each step, each for a quarter to a half of all steps: many begin in a valley that few of them end in. */
    static PlacementProblem staggered(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Collected lives = new Collected();
        int quarter = count / 4;
        for (int i = 0; i < count; i++) {
            lives.add(1 + random.nextInt(1_000), i, i + quarter + i * 7_919L % quarter);
        }
        return lives.problem();
    }

    /** Lives one after the other. */
    private static final class Collected {
        private final List<long[]> lives = new ArrayList<>();

        /** Keeps one that lives from a step to before another, where that is any. */
        void add(long size, long lower, long upper) {
            if (upper > lower) {
                lives.add(new long[] {size, lower, upper});
            }
        }

        PlacementProblem problem() {
            return new PlacementProblem(
                    lives.stream().mapToLong(life -> life[0]).toArray(),
                    lives.stream().mapToLong(life -> life[1]).toArray(),
                    lives.stream().mapToLong(life -> life[2]).toArray(),
                    1,
                    0);
        }
    }

    /** All live at once. */
    static PlacementProblem together(long[] sizes, long alignment, long boundary, long origin) {
        long[] uppers = new long[sizes.length];
        Arrays.fill(uppers, 1);
        return new PlacementProblem(sizes, new long[sizes.length], uppers, alignment, boundary, origin);
    }
}
