/**
 * The strategy {@code optimal}: the smallest placement that a budget of time or nodes allows, and what is proved about
 * it.
 *
 * <p>In comes a {@link io.devicearena.plan.placement.PlacementProblem}, out goes a {@link
 * io.devicearena.plan.optimal.SearchResult}. Start at {@link io.devicearena.plan.optimal.OptimalSearch}, which is a
 * {@link io.devicearena.plan.placement.PlacementStrategy} too. A search divides the problem into components, chooses
 * two solvers for the one that needs most bytes, branch and bound or ejection, and races them in short rounds. {@code
 * SearchLimits} has the sizes at which the solvers change.
 */
@NullMarked
package io.devicearena.plan.optimal;

import org.jspecify.annotations.NullMarked;
