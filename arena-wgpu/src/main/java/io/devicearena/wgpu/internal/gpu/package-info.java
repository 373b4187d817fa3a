/**
 * Owners of wgpu's native objects. Above this package nobody sees a handle of a function, a struct or a raw error.
 *
 * <p>{@link io.devicearena.wgpu.internal.gpu.GpuInstance} lists adapters, {@link io.devicearena.wgpu.internal.gpu.GpuDevice}
 * is one of them in use; buffers, recorded commands and kernels belong to a device. Whatever would end the process inside
 * the library is checked here, ahead of the call.
 */
@NullMarked
package io.devicearena.wgpu.internal.gpu;

import org.jspecify.annotations.NullMarked;
