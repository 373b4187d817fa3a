/**
 * Finds the wgpu-native library, checks that it is the version of the bindings, and loads it once.
 *
 * <p>Start reading at {@link io.devicearena.wgpu.internal.loading.WgpuLibrary}.
 */
@NullMarked
package io.devicearena.wgpu.internal.loading;

import org.jspecify.annotations.NullMarked;
