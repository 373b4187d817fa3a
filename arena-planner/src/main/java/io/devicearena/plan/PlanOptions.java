package io.devicearena.plan;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.DType;
import io.devicearena.SegmentLayout;
import io.devicearena.plan.internal.graph.SlotSizes;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.util.Objects;

/**
 * How a graph is planned.
 *
 * <p>Start from {@link #forDevice} when the device is known, else from {@link #f32Uniform} or {@link #declared} with an
 * alignment of your own. The {@code with…} methods return changed options.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class PlanOptions {
    /** The alignment for plans whose values no kernel binds one by one: 64 bytes, a cache line. */
    public static final long DEFAULT_ALIGNMENT = 64;

    private static final long MOST_GUARD_BYTES = 1L << 30;

    private final long alignment;

    // Written by the constructor and, before they return the copy, by the with… methods.
    private boolean f32Uniform = true;
    private long boundary;
    private long segmentBytes;
    private PlacementStrategy strategy = PlacementStrategies.balanced();
    private boolean separateWeights;
    private boolean reordering;
    private long guardBytes;
    private boolean reuse = true;

    private PlanOptions(long alignment) {
        this.alignment = alignment;
    }

    private PlanOptions copy() {
        PlanOptions copy = new PlanOptions(alignment);
        copy.f32Uniform = f32Uniform;
        copy.boundary = boundary;
        copy.segmentBytes = segmentBytes;
        copy.strategy = strategy;
        copy.separateWeights = separateWeights;
        copy.reordering = reordering;
        copy.guardBytes = guardBytes;
        copy.reuse = reuse;
        return copy;
    }

    /**
     * {@return options for a device: offsets and sizes are multiples of both alignments of its {@link ArenaLimits}} So
     * every value begins where a binding may begin. Every element takes 4 bytes, as in {@link #f32Uniform}.
     *
     * @param device the device that will run the plan
     */
    public static PlanOptions forDevice(ArenaDevice device) {
        ArenaLimits limits = Objects.requireNonNull(device, "device").limits();
        PlanOptions options = f32Uniform(Math.max(limits.alignmentBytes(), limits.bindingAlignmentBytes()));
        return limits.maxSegmentBytes() < limits.maxArenaBytes()
                ? options.withSegments(limits.maxSegmentBytes())
                : options;
    }

    /**
     * {@return options by which a slot has 4 bytes for each element, whatever type is declared} The arena holds F32 for
     * F32, F16, BF16 and F64, I32 for I64 and U32 for U64. Shorter integers and truth values keep their type: their
     * elements lie one after the other from the start of the slot, which has bytes to spare. So a view of some of them
     * begins as many bytes on as {@link #storedType} takes, and a value that lies in a concatenation has no bytes to
     * spare. {@link io.devicearena.PlanValue#dtype} has the type that the arena holds.
     *
     * @param alignment offsets and sizes are rounded up to it: bytes, a power of two
     * @throws IllegalArgumentException if {@code alignment} is not a power of two
     */
    public static PlanOptions f32Uniform(long alignment) {
        if (alignment < 1 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("alignment: expected a power of two, got " + alignment);
        }
        return new PlanOptions(alignment);
    }

    /**
     * {@return options by which every element takes the bytes of its declared type}
     *
     * @param alignment offsets and sizes are rounded up to it: bytes, a power of two
     * @throws IllegalArgumentException if {@code alignment} is not a power of two
     */
    public static PlanOptions declared(long alignment) {
        return f32Uniform(alignment).withDeclaredTypes();
    }

    /** {@return options that give every element the bytes of its declared type, as {@link #declared} does} */
    public PlanOptions withDeclaredTypes() {
        PlanOptions changed = copy();
        changed.f32Uniform = false;
        return changed;
    }

    /**
     * {@return options that place values by a strategy; by default it is the first of {@link PlacementStrategies#all}}
     *
     * @param other the strategy
     */
    public PlanOptions withStrategy(PlacementStrategy other) {
        PlanOptions changed = copy();
        changed.strategy = Objects.requireNonNull(other, "other");
        return changed;
    }

    /**
     * {@return options by which no value crosses a multiple of a number of bytes} So a binding of that size
     * covers any value.
     *
     * @param bytes a multiple of the alignment, or 0 for no such rule, which is the default
     * @throws IllegalArgumentException if {@code bytes} is negative or not a multiple of the alignment
     */
    public PlanOptions withBoundary(long bytes) {
        if (bytes < 0 || bytes % alignment != 0) {
            throw new IllegalArgumentException(
                    "boundary: expected 0 or a multiple of the alignment of " + alignment + " bytes, got " + bytes);
        }
        PlanOptions changed = copy();
        changed.boundary = bytes;
        return changed.requireBoundaryInSegment();
    }

    /**
     * {@return options for an arena of segments, each of at most so many bytes} No value that a segment could hold
     * crosses the end of one, and a larger value begins where a segment begins; {@link SegmentLayout} finds the
     * segments. A plan that fits one segment is the same as without this option.
     *
     * @param bytes a multiple of the alignment, or 0 for one segment of any size, which is the default
     * @throws IllegalArgumentException if {@code bytes} is negative or not a multiple of the alignment
     */
    public PlanOptions withSegments(long bytes) {
        if (bytes < 0 || bytes % alignment != 0) {
            throw new IllegalArgumentException(
                    "segments: expected 0 or a multiple of the alignment of " + alignment + " bytes, got " + bytes);
        }
        PlanOptions changed = copy();
        changed.segmentBytes = bytes;
        return changed.requireBoundaryInSegment();
    }

    private PlanOptions requireBoundaryInSegment() {
        if (segmentBytes > 0 && boundary > segmentBytes) {
            throw new IllegalArgumentException(
                    "boundary: expected at most the " + segmentBytes + " bytes of a segment, got " + boundary);
        }
        return this;
    }

    /**
     * {@return options by which a plan leaves out parameters, constants and views of them} They are in a plan of their
     * own, {@link FamilyPlan#weights}. So several arenas can use one copy: open an arena for the weights, and pass it
     * to {@link io.devicearena.ArenaOptions#withWeights} for those of the graphs. No op may change what is in it.
     */
    public PlanOptions withSeparateWeights() {
        PlanOptions changed = copy();
        changed.separateWeights = true;
        return changed;
    }

    /**
     * {@return options that let the planner change the order of execution to lower the most bytes live at any step} The
     * schedule of the plan has the order that it was made for. A plan is never larger than without this option.
     */
    public PlanOptions withReordering() {
        PlanOptions changed = copy();
        changed.reordering = true;
        return changed;
    }

    /**
     * {@return options by which each slot is longer than its value, so that a write past the value's end can be found}
     * Views, and values inside the slot of a concatenation, have no bytes of their own and so none of these either. The
     * lower bound of a plan does not count them for what ops make.
     *
     * @param bytes 0 to 1,073,741,824 bytes, rounded up to the alignment; 0 is the default
     * @throws IllegalArgumentException if {@code bytes} is out of its range
     */
    public PlanOptions withGuardBytes(long bytes) {
        if (bytes < 0 || bytes > MOST_GUARD_BYTES) {
            throw new IllegalArgumentException(
                    "guard: expected 0 to " + MOST_GUARD_BYTES + " bytes behind each value, got " + bytes);
        }
        PlanOptions changed = copy();
        changed.guardBytes = SlotSizes.roundUp(bytes, alignment);
        return changed;
    }

    /**
     * {@return options by which each value has bytes that no other value has at any step} Use it to find a fault: an
     * engine that computes the right result with such a plan and a wrong one without this option reads or writes bytes
     * at a step that the graph does not declare. Views still lie in what they show, and updates in their state; graphs
     * of a family still use the same arena, one at a time.
     */
    public PlanOptions withoutReuse() {
        PlanOptions changed = copy();
        changed.reuse = false;
        return changed;
    }

    /**
     * {@return how many bytes a slot has for each element: 4 in a uniform f32 plan, else the bytes of its type} One
     * element begins as many bytes after another as {@link #storedType} has.
     *
     * @param dtype the declared type
     */
    public long elementBytes(DType dtype) {
        return f32Uniform ? DType.F32.bytes() : dtype.bytes();
    }

    /**
     * {@return the type of the elements that the arena holds: in a uniform f32 plan one of at most 4 bytes, as {@link
     * #f32Uniform} says, else the declared type}
     *
     * @param dtype the declared type
     */
    public DType storedType(DType dtype) {
        if (!f32Uniform) {
            return dtype;
        }
        return switch (dtype) {
            case F32, F16, BF16, F64 -> DType.F32;
            case I64 -> DType.I32;
            case U64 -> DType.U32;
            case I8, I16, I32, U8, U16, U32, BOOL -> dtype;
        };
    }

    /** {@return what offsets and sizes are rounded up to: bytes, a power of two} */
    public long alignment() {
        return alignment;
    }

    /** {@return the bytes of which no slot crosses a multiple, or 0 for no such rule} */
    public long boundary() {
        return boundary;
    }

    /** {@return the largest segment of the arena in bytes, or 0 for one segment of any size} */
    public long segmentBytes() {
        return segmentBytes;
    }

    /** {@return how values are placed} */
    public PlacementStrategy strategy() {
        return strategy;
    }

    /** {@return whether plans leave out parameters and constants; false by default} */
    public boolean separateWeights() {
        return separateWeights;
    }

    /** {@return the bytes after each value in its slot, beside padding; a multiple of the alignment; 0 by default} */
    public long guardBytes() {
        return guardBytes;
    }

    /** {@return whether values may use the bytes of others at other steps; true by default} */
    public boolean reuse() {
        return reuse;
    }

    /** {@return whether the planner may change the order of execution; false by default} */
    public boolean reordering() {
        return reordering;
    }
}
