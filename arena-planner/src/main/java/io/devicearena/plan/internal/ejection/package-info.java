/**
 * Local search that makes a placement lower. In: a placement of {@link io.devicearena.plan.internal.live.LiveRanges}
 * and a budget of steps. Out: a placement that ends no higher. {@link
 * io.devicearena.plan.internal.ejection.LocalSearch} picks targets between the lower bound and the present height;
 * {@code EjectionSearch} moves buffers until all end below one. Not exported.
 */
@NullMarked
package io.devicearena.plan.internal.ejection;

import org.jspecify.annotations.NullMarked;
