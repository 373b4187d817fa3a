/**
 * Elements in other places: {@link io.devicearena.kernels.shape.StridedCopy} for transposed, sliced and broadcast
 * values, {@link io.devicearena.kernels.shape.Pad}, {@link io.devicearena.kernels.shape.Concat}, and rows by their
 * numbers, {@link io.devicearena.kernels.shape.Gather}.
 *
 * <p>Start at {@link io.devicearena.kernels.shape.Strided}.
 */
@NullMarked
package io.devicearena.kernels.shape;

import org.jspecify.annotations.NullMarked;
