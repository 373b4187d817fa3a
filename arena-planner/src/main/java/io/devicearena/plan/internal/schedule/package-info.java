/**
 * The order of execution.
 *
 * <p>In: a graph in a valid order, with its slot sizes. Out: the same graph in an order in which fewer bytes are live
 * at once, if the search finds one. Start at {@link io.devicearena.plan.internal.schedule.MemoryAwareScheduler}.
 */
@NullMarked
package io.devicearena.plan.internal.schedule;

import org.jspecify.annotations.NullMarked;
