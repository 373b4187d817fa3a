/**
 * What stands behind {@link io.devicearena.wgpu.kernel}: the reading of a source's declarations, windows, and programs
 * that are recorded once and encoded at every run.
 *
 * <p>{@link io.devicearena.wgpu.internal.compute.ArenaKernels} is what an arena hands out. It sees the arena through {@link
 * io.devicearena.wgpu.internal.compute.ArenaContext}; what it makes on the device belongs to {@link
 * io.devicearena.wgpu.internal.arena.KernelCache}, which goes with the arena's memory.
 */
@NullMarked
package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.ArenaContext;

import org.jspecify.annotations.NullMarked;
