/**
 * What the steps of this module share: texts of kernels, windows of values, floats in host memory. Not exported.
 *
 * <p>Start at {@link io.devicearena.kernels.step.StepKernel}.
 */
@NullMarked
package io.devicearena.kernels.step;

import org.jspecify.annotations.NullMarked;
