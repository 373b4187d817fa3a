/**
 * The quality of plans: how close each placement strategy comes to the lower bound, and how long it takes, on traces of
 * real programs and on generated problems of growing size.
 *
 * <p>Start reading at {@link io.devicearena.bench.plans.PlansCommand}, the command {@code ./arena bench plans}. In come
 * traces, out go {@link io.devicearena.bench.plans.PlanFigures}: printed, or compared with the committed
 * {@link io.devicearena.bench.plans.QualityBaseline}.
 */
@NullMarked
package io.devicearena.bench.plans;

import org.jspecify.annotations.NullMarked;
