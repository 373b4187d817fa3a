/**
 * The form of a placement problem that algorithms work on. In: a {@link
 * io.devicearena.plan.placement.PlacementProblem}. Out: {@link io.devicearena.plan.internal.live.LiveRanges}, with
 * ranges of maximal cliques in place of steps and units of the alignment in place of bytes; also the budget of steps
 * that bounds every algorithm. Not exported.
 */
@NullMarked
package io.devicearena.plan.internal.live;

import org.jspecify.annotations.NullMarked;
