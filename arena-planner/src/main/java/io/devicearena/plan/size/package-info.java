/**
 * Sizes that depend on dimensions which a graph leaves open, such as a batch or a number of tokens.
 *
 * <p>Start at {@link io.devicearena.plan.size.Dimension}; {@link io.devicearena.plan.PlanNode#sizes} returns
 * expressions of them.
 */
@NullMarked
package io.devicearena.plan.size;

import org.jspecify.annotations.NullMarked;
