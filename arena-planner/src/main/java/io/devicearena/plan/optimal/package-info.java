/**
 * The strategy {@code optimal}: the smallest placement that a budget of time or nodes allows, and what is proved about
 * it.
 *
 * <p>Start at {@link io.devicearena.plan.optimal.OptimalSearch}. A search divides the problem into components, chooses
 * two solvers for the one that needs most bytes, branch and bound or ejection, and races them in short rounds.
 */
@NullMarked
package io.devicearena.plan.optimal;

import org.jspecify.annotations.NullMarked;
