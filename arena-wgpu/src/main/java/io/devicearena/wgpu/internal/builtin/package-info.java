/**
 * The kernels that this backend runs itself: {@link
 * io.devicearena.wgpu.internal.builtin.WordScatter} writes single bytes, {@link
 * io.devicearena.wgpu.internal.builtin.MirrorCast} makes f16 mirrors, {@link
 * io.devicearena.wgpu.internal.builtin.Gather} collects the ranges of a batch in staging.
 */
@NullMarked
package io.devicearena.wgpu.internal.builtin;

import org.jspecify.annotations.NullMarked;
