package io.devicearena.bench;

import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategies;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Placing buffers by number, shape of their lives and strategy: how the time grows.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the setup before anything else
public class PlacementBenchmark {
    /** How buffers live. */
    public enum Shape {
        /** For 1 to 16 steps, one more buffer at each step. */
        SHORT,
        /** From a step of the forward pass to its counterpart in the backward pass, give or take four steps. */
        NESTED,
        /** A quarter nests, the others live for 1 to 3 steps in either pass. */
        TRAINING
    }

    /** The shape. */
    @Param
    public Shape shape = Shape.SHORT;

    /** The strategy: the default, and the one that has a first plan soonest. */
    @Param({"balanced", "longest-on-top"})
    public String strategy = "balanced";

    /** The number of buffers. */
    @Param({"1000", "10000", "100000", "1000000"})
    public int nodes = 1000;

    private PlacementStrategy placement;
    private PlacementProblem problem;

    /** Makes the buffers. */
    @Setup(Level.Trial)
    public void make() {
        placement = PlacementStrategies.named(strategy);
        SplittableRandom random = new SplittableRandom(1);
        long[] sizes = new long[nodes];
        long[] lowers = new long[nodes];
        long[] uppers = new long[nodes];
        for (int i = 0; i < nodes; i++) {
            sizes[i] = random.nextLong(1, 65_537);
            switch (shape) {
                case SHORT -> live(lowers, uppers, i, i, i + 1L + random.nextInt(16));
                case NESTED -> live(lowers, uppers, i, i, 2L * nodes + 8 - i + random.nextInt(-4, 5));
                case TRAINING -> train(lowers, uppers, i, random);
            }
        }
        problem = new PlacementProblem(sizes, lowers, uppers, 1, 0);
    }

    private void train(long[] lowers, long[] uppers, int i, SplittableRandom random) {
        long step = i / 4;
        long end = nodes / 2;
        switch (i % 4) {
            case 0 -> live(lowers, uppers, i, step, end - step);
            case 1 -> live(lowers, uppers, i, step, step + 1 + random.nextInt(3));
            default -> live(lowers, uppers, i, end - 1 - step, end - step + random.nextInt(3));
        }
    }

    private static void live(long[] lowers, long[] uppers, int i, long lower, long upper) {
        lowers[i] = lower;
        uppers[i] = upper;
    }

    /**
     * Places all buffers.
     *
     * @return their offsets
     */
    @Benchmark
    public long[] place() {
        return placement.place(problem);
    }
}
