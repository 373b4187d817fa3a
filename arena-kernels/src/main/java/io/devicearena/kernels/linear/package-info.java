/**
 * Linear layers of many rows: products with matrices of floats, with bias, activation and sum in the same pass.
 *
 * <p>Start at {@link io.devicearena.kernels.linear.Linear}. For packed weights, and for single rows, there is {@link
 * io.devicearena.kernels.matrix.Product}.
 */
@NullMarked
package io.devicearena.kernels.linear;

import org.jspecify.annotations.NullMarked;
