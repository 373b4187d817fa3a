package io.devicearena.plan.size;

import java.util.Objects;

/**
 * A free dimension of a graph with its bounds: a batch of 1 to 8, 1 to 512 tokens, a width of 32 to 640 in steps of 32.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name the name, the same wherever the dimension is used
 * @param least the smallest size, 0 or more, a multiple of {@code multipleOf}
 * @param most the largest size, {@code least} or more, a multiple of {@code multipleOf}: the upper bound
 * @param multipleOf what every size is a multiple of, 1 or more. A convolution with a stride of 2 halves an even size,
 *     and rounds an odd one
 */
public record Dimension(String name, long least, long most, long multipleOf) {
    /**
     * Makes a dimension.
     *
     * @throws IllegalArgumentException if the name is blank, or a bound is out of its range
     */
    public Dimension {
        if (Objects.requireNonNull(name, "name").isBlank()) {
            throw new IllegalArgumentException("dimension: expected a name, got '" + name + "'");
        }
        if (multipleOf < 1 || least < 0 || most < least || least % multipleOf != 0 || most % multipleOf != 0) {
            throw new IllegalArgumentException("dimension '" + name + "': expected 0 or more to as much or more, both"
                    + " multiples of 1 or more, got " + least + " to " + most + ", multiples of " + multipleOf);
        }
    }

    /**
     * Makes a dimension of any size between bounds.
     *
     * @param name the name
     * @param least the smallest size, 0 or more
     * @param most the largest size, {@code least} or more
     * @throws IllegalArgumentException if the name is blank, or a bound is out of its range
     */
    public Dimension(String name, long least, long most) {
        this(name, least, most, 1);
    }

    /**
     * {@return the same dimension with another upper bound}
     *
     * @param bound a size of this dimension
     * @throws IllegalArgumentException if it is none
     */
    public Dimension upTo(long bound) {
        return new Dimension(name, least, require(bound), multipleOf);
    }

    /**
     * {@return whether a size is within the bounds, and a multiple}
     *
     * @param size the size
     */
    public boolean has(long size) {
        return size >= least && size <= most && size % multipleOf == 0;
    }

    /**
     * {@return a size of this dimension, checked}
     *
     * @param size the size
     * @throws IllegalArgumentException if it is out of bounds, or not a multiple
     */
    public long require(long size) {
        if (!has(size)) {
            throw new IllegalArgumentException("dimension '" + name + "': expected " + this + ", got " + size
                    + (size > most ? "; plan with a larger upper bound" : ""));
        }
        return size;
    }

    /** Returns the bounds as messages write them. */
    @Override
    public String toString() {
        return least + " to " + most + (multipleOf == 1 ? "" : ", a multiple of " + multipleOf);
    }
}
