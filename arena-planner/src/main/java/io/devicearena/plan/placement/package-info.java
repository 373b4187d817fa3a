/**
 * The placement problem, offline dynamic storage allocation, and the interface of a strategy that solves it. In: sizes
 * and live ranges. Out: an offset for each buffer. Knows nothing of graphs.
 *
 * <p>Start at {@link io.devicearena.plan.placement.PlacementProblem}; to bring a strategy of your own, implement {@link
 * io.devicearena.plan.placement.PlacementStrategy}.
 */
@NullMarked
package io.devicearena.plan.placement;

import org.jspecify.annotations.NullMarked;
