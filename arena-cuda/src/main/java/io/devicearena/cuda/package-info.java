/**
 * Arenas on NVIDIA GPUs.
 *
 * <p>An engine only needs the jar on its path, and the NVIDIA driver: no toolkit and no other artifact. An engine with
 * bindings of its own starts at {@link io.devicearena.cuda.CudaHandles}, the author of a backend at {@link
 * io.devicearena.cuda.CudaDeviceArenaProvider}.
 */
@NullMarked
package io.devicearena.cuda;

import org.jspecify.annotations.NullMarked;
