/**
 * The thin layer above the generated bindings that the hot path calls: handles and addresses are plain numbers, so that
 * a call allocates nothing on the heap.
 *
 * <p>Nothing here owns a native object. The owners in {@code io.devicearena.wgpu.internal.gpu} check lifetimes, ranges
 * and device state before they call this package. docs/native-memory.md explains the trade.
 */
@NullMarked
package io.devicearena.wgpu.internal.raw;

import org.jspecify.annotations.NullMarked;
