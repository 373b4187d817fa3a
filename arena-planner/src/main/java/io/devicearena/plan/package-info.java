/**
 * From a graph to a memory plan: the model, the options, the results and the planner.
 *
 * <p>In: a {@link io.devicearena.plan.PlanGraph}, which an engine implements on its own graph, and
 * {@link io.devicearena.plan.PlanOptions}. Out: a {@link io.devicearena.plan.PlanResult}. Start at
 * {@link io.devicearena.plan.MemoryPlanner}. The package {@code validation} checks a plan, and {@code text} writes and
 * reads it.
 */
@NullMarked
package io.devicearena.plan;

import org.jspecify.annotations.NullMarked;
