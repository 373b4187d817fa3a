/**
 * Compute kernels on an arena's bytes: compile WGSL, bind values by window, record once, run often.
 *
 * <p>Start at {@link io.devicearena.wgpu.kernel.Kernels}, which an arena of the provider {@code wgpu} hands out. A kernel
 * is compiled from a {@link io.devicearena.wgpu.kernel.KernelSource}; what it is bound to are {@link
 * io.devicearena.wgpu.kernel.Window}s of the arena and of its f16 shadow, {@link io.devicearena.wgpu.kernel.KernelBuffer}s
 * and uniforms; a {@link io.devicearena.wgpu.kernel.Recorder} takes the steps down and checks each, and the {@link
 * io.devicearena.wgpu.kernel.KernelProgram} that it makes runs them in one submission.
 */
@NullMarked
package io.devicearena.wgpu.kernel;

import org.jspecify.annotations.NullMarked;
