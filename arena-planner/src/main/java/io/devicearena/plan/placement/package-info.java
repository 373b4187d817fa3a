/**
 * Where buffers with known sizes and lifetimes are placed in one address range: dynamic storage allocation, offline.
 *
 * <p>Start at {@link io.devicearena.plan.placement.PlacementProblem} and
 * {@link io.devicearena.plan.placement.PlacementStrategy}. This package knows nothing of graphs.
 */
@NullMarked
package io.devicearena.plan.placement;

import org.jspecify.annotations.NullMarked;
