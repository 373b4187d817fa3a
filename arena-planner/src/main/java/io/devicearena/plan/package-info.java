/**
 * From a graph to a memory plan, and the proof that the plan is right.
 *
 * <p>As a caller, implement {@link io.devicearena.plan.PlanGraph} on your own graph and hand it to
 * {@link io.devicearena.plan.MemoryPlanner}.
 */
@NullMarked
package io.devicearena.plan;

import org.jspecify.annotations.NullMarked;
