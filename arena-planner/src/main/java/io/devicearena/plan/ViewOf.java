package io.devicearena.plan;

import io.devicearena.NodeId;
import io.devicearena.plan.size.SizeExpression;
import java.util.Objects;

/**
 * The elements that a view shows: a run of another value's elements, of the same type.
 *
 * <p>A view shares its parent's slot, and the parent is live as long as its views are. A parent may be a view itself.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param parent the value whose bytes are shown
 * @param start how many elements of the parent come before the view, 0 or more; it may depend on dimensions
 */
public record ViewOf(NodeId parent, SizeExpression start) {
    /**
     * Makes a view.
     *
     * @throws IllegalArgumentException if {@code start} is not shown to be 0 or more
     */
    public ViewOf {
        Objects.requireNonNull(parent, "parent");
        if (!start.isAtLeast(SizeExpression.of(0))) {
            throw new IllegalArgumentException(
                    "view of " + parent + ": expected a first element of 0 or more, got " + start);
        }
    }

    /**
     * Makes a view that begins at the same element at all sizes.
     *
     * @param parent the value whose bytes are shown
     * @param firstElement how many elements of the parent come before the view, 0 or more
     * @throws IllegalArgumentException if {@code firstElement} is negative
     */
    public ViewOf(NodeId parent, long firstElement) {
        this(parent, SizeExpression.of(firstElement));
    }

    /** {@return how many elements of the parent come before the view, at the upper bound of each dimension} */
    public long firstElement() {
        return start.atMost();
    }

    /**
     * {@return a view of a whole value: a reshape, or a cast to the type it has already}
     *
     * @param parent the value whose bytes are shown
     */
    public static ViewOf whole(NodeId parent) {
        return new ViewOf(parent, 0);
    }

    /**
     * {@return a view of some rows of a value: a narrow along axis 0}
     *
     * @param parent the value whose bytes are shown
     * @param firstRow how many rows come before the view, 0 or more
     * @param rowElements elements a row: the product of the parent's dimensions but the first, 0 or more
     * @throws IllegalArgumentException if an argument is negative
     * @throws ArithmeticException if their product overflows a long
     */
    public static ViewOf rows(NodeId parent, long firstRow, long rowElements) {
        if (firstRow < 0 || rowElements < 0) {
            throw new IllegalArgumentException("view of " + parent + ": expected a first row and a row length of 0 or"
                    + " more, got " + firstRow + " and " + rowElements);
        }
        return new ViewOf(parent, Math.multiplyExact(firstRow, rowElements));
    }
}
