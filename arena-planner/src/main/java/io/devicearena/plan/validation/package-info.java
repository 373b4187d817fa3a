/**
 * Checks that a plan is right, by other means than the planner uses.
 *
 * <p>Start at {@link io.devicearena.plan.validation.PlanValidator}. This package has its own reader of graphs and uses
 * none of the planner's code, so that a fault in the planner cannot hide itself.
 */
@NullMarked
package io.devicearena.plan.validation;

import org.jspecify.annotations.NullMarked;
