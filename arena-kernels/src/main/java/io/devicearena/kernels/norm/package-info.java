/**
 * Norms of rows: {@link io.devicearena.kernels.norm.RmsNorm}, {@link io.devicearena.kernels.norm.LayerNorm}, {@link
 * io.devicearena.kernels.norm.Softmax}. Each may run in place.
 */
@NullMarked
package io.devicearena.kernels.norm;

import org.jspecify.annotations.NullMarked;
