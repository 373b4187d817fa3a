/**
 * The implementation of {@link io.devicearena.wgpu.kernel}: it reads the declarations of a source, makes windows, and
 * records programs that each run encodes again.
 *
 * <p>Start at {@link io.devicearena.wgpu.internal.compute.ArenaKernels}. The native objects belong to {@link
 * io.devicearena.wgpu.internal.arena.KernelCache}, which is freed with the arena.
 */
@NullMarked
package io.devicearena.wgpu.internal.compute;

import org.jspecify.annotations.NullMarked;
