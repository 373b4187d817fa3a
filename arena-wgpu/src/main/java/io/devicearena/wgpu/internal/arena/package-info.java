/**
 * The parts of one open arena. {@link io.devicearena.wgpu.internal.arena.ArenaResources} holds what the arena has of
 * its device, and frees it. {@link io.devicearena.wgpu.internal.arena.ArenaContext} is the arena as its f16 shadow and
 * its kernels see it.
 */
@NullMarked
package io.devicearena.wgpu.internal.arena;

import org.jspecify.annotations.NullMarked;
