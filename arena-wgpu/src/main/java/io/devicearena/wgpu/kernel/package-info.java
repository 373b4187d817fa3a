/**
 * Compute kernels on an arena's bytes: compile WGSL, bind values by window, record once, run often.
 *
 * <p>Start at {@link io.devicearena.wgpu.kernel.Kernels}, which {@code WgpuArena.kernels()} returns. A kernel is
 * compiled from a {@link io.devicearena.wgpu.kernel.KernelSource}. It is bound to {@link
 * io.devicearena.kernel.Window}s of the arena and of its f16 shadow, to {@link
 * io.devicearena.kernel.KernelBuffer}s and to uniforms. A {@link io.devicearena.kernel.Recorder} checks and
 * records the steps; the {@link io.devicearena.kernel.KernelProgram} that it builds runs them in one submission.
 *
 * <p>This package has interfaces and records; the implementation is {@code io.devicearena.wgpu.internal.compute}.
 */
@NullMarked
package io.devicearena.wgpu.kernel;

import org.jspecify.annotations.NullMarked;
