/** The speed of kernels: {@link io.devicearena.bench.kernels.KernelsCommand}. */
@NullMarked
package io.devicearena.bench.kernels;

import org.jspecify.annotations.NullMarked;
