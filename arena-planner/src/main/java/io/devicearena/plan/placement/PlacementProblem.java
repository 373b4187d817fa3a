package io.devicearena.plan.placement;

import java.util.Arrays;
import java.util.Objects;

/**
 * A placement problem: buffers with sizes and live ranges that need offsets in one address range.
 *
 * <p>Buffer {@code i} has {@link #size size(i)} bytes and the live range [{@link #lower lower(i)}, {@link #upper
 * upper(i)}), a half-open interval of steps. Two buffers whose live ranges overlap may not share a byte. A buffer with
 * an empty live range or no bytes conflicts with no other.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class PlacementProblem {
    private final long[] sizes;
    private final long[] lowers;
    private final long[] uppers;
    private final long alignment;
    private final long boundary;
    private final long origin;

    /**
     * Makes a problem; the arrays are copied.
     *
     * @param sizes bytes of each buffer, 0 or more, already rounded as the caller wants them
     * @param lowers the first step at which each buffer is live, 0 or more
     * @param uppers the first step at which each buffer is no longer live, {@code lowers[i]} or more
     * @param alignment every offset is a multiple of it: bytes, a power of two
     * @param boundary no buffer crosses a multiple of it, and a larger buffer begins at one: bytes, a multiple of
     *     {@code alignment}; 0 for none
     * @param origin the lowest offset: bytes below it are in use at every step; a multiple of {@code alignment}, 0 or
     *     more
     * @throws IllegalArgumentException if the lengths differ, a figure is out of its range, or the origin and all
     *     sizes, each rounded up to the alignment, add up to more than a long holds; with a boundary, each size twice
     */
    public PlacementProblem(long[] sizes, long[] lowers, long[] uppers, long alignment, long boundary, long origin) {
        this.sizes = Objects.requireNonNull(sizes, "sizes").clone();
        this.lowers = Objects.requireNonNull(lowers, "lowers").clone();
        this.uppers = Objects.requireNonNull(uppers, "uppers").clone();
        this.alignment = alignment;
        this.boundary = boundary;
        this.origin = origin;
        if (sizes.length != lowers.length || sizes.length != uppers.length) {
            throw new IllegalArgumentException("buffers: expected equally many sizes, lowers and uppers, got "
                    + sizes.length + ", " + lowers.length + " and " + uppers.length);
        }
        if (alignment < 1 || Long.bitCount(alignment) != 1) {
            throw new IllegalArgumentException("alignment: expected a power of two, got " + alignment);
        }
        if (boundary < 0 || boundary % alignment != 0) {
            throw new IllegalArgumentException(
                    "boundary: expected 0 or a multiple of the alignment of " + alignment + " bytes, got " + boundary);
        }
        if (origin < 0 || origin % alignment != 0) {
            throw new IllegalArgumentException(
                    "origin: expected a multiple of the alignment of " + alignment + " bytes, got " + origin);
        }
        int times = boundary == 0 ? 1 : 2; // with a boundary a buffer can need its own size again as a gap before it
        long left = Long.MAX_VALUE - origin;
        for (int i = 0; i < sizes.length; i++) {
            checkBuffer(i);
            long padding = -this.sizes[i] & (alignment - 1);
            if (this.sizes[i] > left / times - padding) {
                throw new IllegalArgumentException("buffer " + i + ": expected the sizes of all buffers to add up to at"
                        + " most " + Long.MAX_VALUE + " bytes, got more with its size of " + this.sizes[i]);
            }
            left -= times * (this.sizes[i] + padding);
        }
    }

    /**
     * Makes a problem whose offsets begin at 0; the arrays are copied.
     *
     * @param sizes as for a problem with an origin
     * @param lowers as for a problem with an origin
     * @param uppers as for a problem with an origin
     * @param alignment as for a problem with an origin
     * @param boundary as for a problem with an origin
     * @throws IllegalArgumentException as for a problem with an origin
     */
    public PlacementProblem(long[] sizes, long[] lowers, long[] uppers, long alignment, long boundary) {
        this(sizes, lowers, uppers, alignment, boundary, 0);
    }

    private void checkBuffer(int i) {
        if (sizes[i] < 0) {
            throw new IllegalArgumentException("buffer " + i + ": expected a size of 0 or more bytes, got " + sizes[i]);
        }
        if (lowers[i] < 0 || uppers[i] < lowers[i]) {
            throw new IllegalArgumentException(
                    "buffer " + i + ": expected 0 <= lower <= upper, got lower " + lowers[i] + ", upper " + uppers[i]);
        }
    }

    /** {@return how many buffers there are, 0 or more} */
    public int count() {
        return sizes.length;
    }

    /**
     * {@return the bytes of a buffer}
     *
     * @param i the buffer, 0 to {@link #count} - 1
     */
    public long size(int i) {
        return sizes[i];
    }

    /**
     * {@return the first step at which a buffer is live}
     *
     * @param i the buffer, 0 to {@link #count} - 1
     */
    public long lower(int i) {
        return lowers[i];
    }

    /**
     * {@return the first step at which a buffer is no longer live}
     *
     * @param i the buffer, 0 to {@link #count} - 1
     */
    public long upper(int i) {
        return uppers[i];
    }

    /** {@return the alignment of offsets: bytes, a power of two} */
    public long alignment() {
        return alignment;
    }

    /** {@return the bytes that no buffer may cross a multiple of; 0 for none} */
    public long boundary() {
        return boundary;
    }

    /** {@return the lowest offset: bytes, a multiple of the alignment} */
    public long origin() {
        return origin;
    }

    /**
     * {@return whether a buffer can conflict with others: false when it has no bytes or an empty live range}
     *
     * @param i the buffer, 0 to {@link #count} - 1
     */
    public boolean occupies(int i) {
        return sizes[i] > 0 && uppers[i] > lowers[i];
    }

    /**
     * {@return the maximum load: the most bytes of these buffers that are live at one step, which no placement goes
     * below, counted from the origin} Takes O(n log n) time.
     */
    public long lowerBound() {
        long[] steps = lowers.clone();
        Arrays.sort(steps);
        long[] changes = new long[count() + 1];
        for (int i = 0; i < count(); i++) {
            if (occupies(i)) {
                changes[firstNotBefore(lowers[i], steps)] += sizes[i];
                changes[firstNotBefore(uppers[i], steps)] -= sizes[i];
            }
        }
        long load = 0;
        long most = 0;
        for (long change : changes) {
            load += change;
            most = Math.max(most, load);
        }
        return most;
    }

    private static int firstNotBefore(long step, long[] steps) {
        int found = Arrays.binarySearch(steps, step);
        return found < 0 ? ~found : found;
    }

    @Override
    public String toString() {
        return "PlacementProblem[count=" + count() + ", alignment=" + alignment + ", boundary=" + boundary + ", origin="
                + origin + "]";
    }
}
