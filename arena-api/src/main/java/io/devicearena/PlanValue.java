package io.devicearena;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The name, role, type and shape of a value in a plan.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name the name in messages, times, reports and pictures; blank for none
 * @param role its role in the graph
 * @param dtype the type of the elements that the arena holds, one after the other. A plan with slots of 4 bytes an
 *     element holds F32 for every float type, a 4-byte integer for a longer one, and shorter types as they are
 * @param shape the dimensions, each 0 or more; empty for one element
 * @param partOf the value whose bytes it shows or lies in: the parent of a view, the concatenation of a part, the state
 *     that an op updates. Empty for a value with bytes of its own
 */
public record PlanValue(String name, NodeRole role, DType dtype, List<Long> shape, Optional<NodeId> partOf) {
    /**
     * Makes the description of a value; the shape is copied.
     *
     * @throws IllegalArgumentException if a dimension is negative, or the value has more bytes than a long counts
     */
    public PlanValue {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(dtype, "dtype");
        shape = List.copyOf(shape);
        Objects.requireNonNull(partOf, "partOf");
        bytes(name, dtype, shape);
    }

    /** {@return the number of elements, 0 or more: the product of the dimensions} */
    public long elements() {
        return bytes() / dtype.bytes();
    }

    /** {@return the size of the elements in bytes, without the padding of the slot} */
    public long bytes() {
        return bytes(name, dtype, shape);
    }

    private static long bytes(String name, DType dtype, List<Long> shape) {
        long bytes = dtype.bytes();
        for (long dimension : shape) {
            if (dimension < 0) {
                throw new IllegalArgumentException(
                        "shape of '" + name + "': expected dimensions of 0 or more, got " + shape);
            }
            if (dimension > 0 && bytes > Long.MAX_VALUE / dimension) {
                throw new IllegalArgumentException("shape of '" + name + "': expected at most " + Long.MAX_VALUE
                        + " bytes, got " + shape + " elements of " + dtype.bytes() + " bytes");
            }
            bytes *= dimension;
        }
        return bytes;
    }
}
