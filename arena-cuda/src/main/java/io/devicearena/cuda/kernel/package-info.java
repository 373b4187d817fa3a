/**
 * Compute kernels in CUDA on an arena's bytes.
 *
 * <p>Start at {@link io.devicearena.cuda.kernel.Kernels}, which {@code arena.unwrap(Kernels.class)} returns. A kernel
 * is compiled from a {@link io.devicearena.cuda.kernel.KernelSource}: PTX or a cubin. What it is bound to, how steps
 * are recorded and how programs run is the same for every language: {@link io.devicearena.kernel.KernelContext}.
 */
@NullMarked
package io.devicearena.cuda.kernel;

import org.jspecify.annotations.NullMarked;
