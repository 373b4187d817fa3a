/**
 * The strategies that place buffers without a clock: {@code fast} and {@code balanced}, the default. The third,
 * {@code optimal}, has a package of its own, {@code io.devicearena.plan.optimal}.
 *
 * <p>Start at {@link io.devicearena.plan.strategy.PlacementStrategies}; to change the default, at the list of stages in
 * {@code BalancedStrategy}. {@code StrategyTuning} has every number that the two depend on.
 */
@NullMarked
package io.devicearena.plan.strategy;

import org.jspecify.annotations.NullMarked;
