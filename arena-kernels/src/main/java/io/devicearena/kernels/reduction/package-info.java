/** Sums, means and extremes over any axes: {@link io.devicearena.kernels.reduction.Reduce}. */
@NullMarked
package io.devicearena.kernels.reduction;

import org.jspecify.annotations.NullMarked;
