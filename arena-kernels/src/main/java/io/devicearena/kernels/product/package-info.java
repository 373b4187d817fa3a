/**
 * Products of matrices of floats of any size.
 *
 * <p>Start at {@link io.devicearena.kernels.product.MatrixProduct}. For weights and many rows whose sizes are multiples
 * of 4 there is {@link io.devicearena.kernels.linear.Linear}, for packed weights {@link
 * io.devicearena.kernels.matrix.Product}.
 */
@NullMarked
package io.devicearena.kernels.product;

import org.jspecify.annotations.NullMarked;
