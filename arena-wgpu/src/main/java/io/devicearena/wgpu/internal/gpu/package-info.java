/**
 * Owners of wgpu's native objects. Packages above this one see no function handle, no struct and no raw error.
 *
 * <p>{@link io.devicearena.wgpu.internal.gpu.GpuInstance} lists adapters. An open adapter is a {@link
 * io.devicearena.wgpu.internal.gpu.GpuDevice}. Everything that reaches the GPU goes through its {@link
 * io.devicearena.wgpu.internal.gpu.SubmissionQueue}: small writes, and recordings that {@link
 * io.devicearena.wgpu.internal.gpu.Commands} makes. Buffers, pipelines and bind groups belong to a device.
 *
 * <p>The library ends the process on many wrong calls. This package checks arguments and device state before each call.
 */
@NullMarked
package io.devicearena.wgpu.internal.gpu;

import org.jspecify.annotations.NullMarked;
