/**
 * The strategy {@code optimal}: start at {@link io.devicearena.plan.optimal.OptimalSearch}. A search divides a problem
 * into components, chooses two solvers for the one that needs most bytes, and races them in short rounds.
 */
@NullMarked
package io.devicearena.plan.optimal;

import org.jspecify.annotations.NullMarked;
