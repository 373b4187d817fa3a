/**
 * The memory of an arena and its views, {@link io.devicearena.wgpu.internal.arena.WgpuBackend}, and one arena on it as
 * its f16 shadow and its kernels see it, {@link io.devicearena.wgpu.internal.arena.ArenaContext}.
 */
@NullMarked
package io.devicearena.wgpu.internal.arena;

import org.jspecify.annotations.NullMarked;
