/**
 * From a graph to a memory plan: the model, the options, the results and the planner.
 *
 * <p>In: a {@link io.devicearena.plan.PlanGraph}, which an engine implements on its own graph, and
 * {@link io.devicearena.plan.PlanOptions}. Out: a {@link io.devicearena.plan.PlanResult}. Start at
 * {@link io.devicearena.plan.MemoryPlanner}. The package {@code validation} checks a plan, and {@code text} writes and
 * reads it.
 *
 * <p>It can be used by itself, by an engine that allocates its memory with its own code: it needs {@code arena-api} and
 * the JDK. A node of a graph is what implements {@link io.devicearena.plan.PlanNode}, a record for instance:
 *
 * {@snippet file="io/devicearena/plan/PlannerSampleTest.java" region="node"}
 *
 * <p>A plan says how many bytes a graph takes, and where each value lies:
 *
 * {@snippet file="io/devicearena/plan/PlannerSampleTest.java" region="plan"}
 */
@NullMarked
package io.devicearena.plan;

import org.jspecify.annotations.NullMarked;
