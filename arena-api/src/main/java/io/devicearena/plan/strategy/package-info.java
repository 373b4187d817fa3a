/**
 * Where buffers with known sizes and lifetimes are placed in one address range: dynamic storage allocation, offline.
 *
 * <p>Start at {@link io.devicearena.plan.strategy.PlacementProblem} and
 * {@link io.devicearena.plan.strategy.PlacementStrategy}. This package knows nothing of graphs.
 */
@NullMarked
package io.devicearena.plan.strategy;

import org.jspecify.annotations.NullMarked;
