/**
 * The search for placements as small as they can be: it takes time, and says what it has proved.
 *
 * <p>Start at {@link io.devicearena.plan.optimal.OptimalSearch}. It is a
 * {@link io.devicearena.plan.placement.PlacementStrategy} named {@code optimal}; its
 * {@link io.devicearena.plan.optimal.OptimalSearch#search search} answers more than offsets.
 */
@NullMarked
package io.devicearena.plan.optimal;

import org.jspecify.annotations.NullMarked;
