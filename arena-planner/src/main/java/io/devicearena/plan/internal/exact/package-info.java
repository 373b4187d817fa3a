/**
 * Depth-first branch and bound: decides whether a component fits in a capacity.
 *
 * <p>Start at {@link io.devicearena.plan.internal.exact.BranchAndBound}, which has the algorithm and its sources. Every
 * number that steers it is in {@link io.devicearena.plan.internal.exact.SearchParameters}. Not exported.
 */
@NullMarked
package io.devicearena.plan.internal.exact;

import org.jspecify.annotations.NullMarked;
