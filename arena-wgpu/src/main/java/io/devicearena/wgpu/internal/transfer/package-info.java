/**
 * The way of the bytes: from the caller's memory into a buffer of the device, and back.
 *
 * <p>{@link io.devicearena.wgpu.internal.transfer.Upload} writes, {@link io.devicearena.wgpu.internal.transfer.Readback}
 * reads; {@link io.devicearena.wgpu.internal.transfer.TransferPools} keeps what both use again and again, so that a
 * transfer allocates nothing once it has been made before.
 */
@NullMarked
package io.devicearena.wgpu.internal.transfer;

import org.jspecify.annotations.NullMarked;
