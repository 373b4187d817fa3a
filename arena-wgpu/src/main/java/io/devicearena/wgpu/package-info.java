/**
 * Arenas on any GPU that wgpu-native supports.
 *
 * <p>An engine that only moves data depends on arena-api and has this module's jar on its path; it needs nothing of
 * this package. An engine that runs kernels unwraps {@link io.devicearena.wgpu.WgpuArena} and continues in {@link
 * io.devicearena.wgpu.kernel}. An engine with bindings of its own takes the {@link
 * io.devicearena.wgpu.WgpuHandles}.
 *
 * <p>To read the code, start at {@code io.devicearena.wgpu.internal.arena.WgpuBackend}: each of its methods passes a
 * transfer to {@code io.devicearena.wgpu.internal.transfer}, which submits through {@code
 * io.devicearena.wgpu.internal.gpu.SubmissionQueue}.
 */
@NullMarked
package io.devicearena.wgpu;

import org.jspecify.annotations.NullMarked;
