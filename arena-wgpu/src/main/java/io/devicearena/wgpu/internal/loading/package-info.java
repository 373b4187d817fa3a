/**
 * Finds the wgpu-native library, proves that it is the one the bindings were made for, and loads it once.
 *
 * <p>Start reading at {@link io.devicearena.wgpu.internal.loading.WgpuLibrary}.
 */
@NullMarked
package io.devicearena.wgpu.internal.loading;

import org.jspecify.annotations.NullMarked;
