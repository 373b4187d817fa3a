package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Work;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** A placement in one go: an order of lives, and where each goes. */
record Recipe(Order order, Fit fit) {
    static final Recipe LARGEST_FIRST = new Recipe(Order.LARGEST, Fit.FIRST);
    /** At once for any input. */
    static final Recipe LONGEST_ON_TOP = new Recipe(Order.LONGEST_LARGEST, Fit.TOP);

    /**
     * The addresses of lives, at least one, as high as they come.
     *
     * @throws CancellationException if they are not wanted any more before the last one has a place
     */
    long[] place(Lives lives, BooleanSupplier unwanted) {
        return place(lives, Long.MAX_VALUE, Work.unlimited(unwanted)).orElseThrow(CancellationException::new);
    }

    /**
     * The addresses of lives.
     *
     * @param lives the lives, at least one
     * @param limit no life may end above it
     * @param work what the search for room spends
     * @return nothing where one ended above the limit or the work was spent
     */
    Optional<long[]> place(Lives lives, long limit, Work work) {
        return fit.place(lives, order.of(lives), limit, work);
    }
}
