/**
 * The choice of the next token: the largest logit, {@link io.devicearena.kernels.sampling.ArgMax}, or one by chance,
 * {@link io.devicearena.kernels.sampling.TopKTopP}.
 */
@NullMarked
package io.devicearena.kernels.sampling;

import org.jspecify.annotations.NullMarked;
