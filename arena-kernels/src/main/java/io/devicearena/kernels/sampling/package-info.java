/** The choice of the next token: {@link io.devicearena.kernels.sampling.ArgMax}. */
@NullMarked
package io.devicearena.kernels.sampling;

import org.jspecify.annotations.NullMarked;
