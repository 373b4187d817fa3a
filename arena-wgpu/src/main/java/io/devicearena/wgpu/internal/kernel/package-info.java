/**
 * What stands behind {@link io.devicearena.wgpu.kernel}: the reading of a source's declarations, windows, and programs
 * that are recorded once and encoded at every run.
 *
 * <p>{@link io.devicearena.wgpu.internal.kernel.ArenaKernels} is what an arena hands out. It sees the arena through {@link
 * io.devicearena.wgpu.internal.kernel.KernelArena}; what it makes on the device belongs to {@link
 * io.devicearena.wgpu.internal.kernel.KernelMemory}, which goes with the arena's memory.
 */
@NullMarked
package io.devicearena.wgpu.internal.kernel;

import org.jspecify.annotations.NullMarked;
