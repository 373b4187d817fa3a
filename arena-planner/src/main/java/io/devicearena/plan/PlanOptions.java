package io.devicearena.plan;

import io.devicearena.plan.placement.PlacementStrategies;
import io.devicearena.plan.placement.PlacementStrategy;
import java.util.Objects;
import java.util.Optional;

/**
 * How a graph is planned.
 *
 * <p>Options grow by new {@code with…} methods; start from {@link #f32Uniform} or {@link #declared}.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class PlanOptions {
    /** The alignment, in bytes, that suits every device: a cache line. */
    public static final long DEFAULT_ALIGNMENT = 64;

    private final Sizing sizing;
    private final long alignment;
    private final long boundary;
    private final PlacementStrategy strategy;
    private final Optional<WeightLayout> weights;
    private final boolean reordering;

    private PlanOptions(
            Sizing sizing,
            long alignment,
            long boundary,
            PlacementStrategy strategy,
            Optional<WeightLayout> weights,
            boolean reordering) {
        this.sizing = sizing;
        this.alignment = alignment;
        this.boundary = boundary;
        this.strategy = strategy;
        this.weights = weights;
        this.reordering = reordering;
    }

    /**
     * Every element takes 4 bytes, whatever type is declared.
     *
     * @param alignment offsets and sizes are rounded up to it: bytes, a power of two
     * @return the options
     * @throws IllegalArgumentException if {@code alignment} is no power of two
     */
    public static PlanOptions f32Uniform(long alignment) {
        return of(Sizing.F32_UNIFORM, alignment);
    }

    /**
     * Every element takes the bytes of its declared type.
     *
     * @param alignment offsets and sizes are rounded up to it: bytes, a power of two
     * @return the options
     * @throws IllegalArgumentException if {@code alignment} is no power of two
     */
    public static PlanOptions declared(long alignment) {
        return of(Sizing.DECLARED, alignment);
    }

    private static PlanOptions of(Sizing sizing, long alignment) {
        if (alignment < 1 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("alignment: expected a power of two, got " + alignment);
        }
        return new PlanOptions(sizing, alignment, 0, PlacementStrategies.all().getFirst(), Optional.empty(), false);
    }

    /**
     * Chooses how values are placed; by default the first of {@link PlacementStrategies#all}.
     *
     * @param other the strategy
     * @return the changed options
     */
    public PlanOptions withStrategy(PlacementStrategy other) {
        return new PlanOptions(
                sizing, alignment, boundary, Objects.requireNonNull(other, "other"), weights, reordering);
    }

    /**
     * Keeps every value clear of the multiples of a number of bytes, so that an arena can be kept in pieces of that
     * size, or a binding of it covers any value.
     *
     * @param bytes a multiple of the alignment, or 0 for no such rule, which is the default
     * @return the changed options
     * @throws IllegalArgumentException if {@code bytes} is negative or no multiple of the alignment
     */
    public PlanOptions withBoundary(long bytes) {
        if (bytes < 0 || bytes % alignment != 0) {
            throw new IllegalArgumentException(
                    "boundary: expected 0 or a multiple of the alignment of " + alignment + " bytes, got " + bytes);
        }
        return new PlanOptions(sizing, alignment, bytes, strategy, weights, reordering);
    }

    /**
     * Puts parameters and constants where a layout says, so that several plans find them at the same offsets.
     *
     * @param layout where they are
     * @return the changed options
     */
    public PlanOptions withWeights(WeightLayout layout) {
        return new PlanOptions(
                sizing,
                alignment,
                boundary,
                strategy,
                Optional.of(Objects.requireNonNull(layout, "layout")),
                reordering);
    }

    /**
     * Lets the planner change the order of execution where that lowers the most bytes live at any step, as
     * {@link ExecutionOrder} does. The plan's schedule is the order it was made for; without a better one it is the
     * graph's.
     *
     * @return the changed options
     */
    public PlanOptions withReordering() {
        return new PlanOptions(sizing, alignment, boundary, strategy, weights, true);
    }

    /**
     * How many bytes an element takes.
     *
     * @return the sizing
     */
    public Sizing sizing() {
        return sizing;
    }

    /**
     * What offsets and sizes are rounded up to.
     *
     * @return bytes, a power of two
     */
    public long alignment() {
        return alignment;
    }

    /**
     * What no slot crosses a multiple of.
     *
     * @return bytes, or 0 for no such rule
     */
    public long boundary() {
        return boundary;
    }

    /**
     * How values are placed.
     *
     * @return the strategy
     */
    public PlacementStrategy strategy() {
        return strategy;
    }

    /**
     * Where parameters and constants must be.
     *
     * @return the layout, or empty when the planner may choose
     */
    public Optional<WeightLayout> weights() {
        return weights;
    }

    /**
     * Whether the planner may change the order of execution.
     *
     * @return true when it may; false by default
     */
    public boolean reordering() {
        return reordering;
    }
}
