/**
 * The way of the bytes: from the caller's memory into a buffer of the device, and back.
 *
 * <p>{@link io.devicearena.wgpu.internal.transfer.Upload} writes, {@link
 * io.devicearena.wgpu.internal.transfer.Readback} reads one range and {@link
 * io.devicearena.wgpu.internal.transfer.BatchReadback} several. {@link
 * io.devicearena.wgpu.internal.transfer.TransferPools} keeps the objects that transfers reuse, so that a repeated
 * transfer allocates nothing.
 */
@NullMarked
package io.devicearena.wgpu.internal.transfer;

import org.jspecify.annotations.NullMarked;
