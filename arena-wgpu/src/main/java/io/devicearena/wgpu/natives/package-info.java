/**
 * The interface between natives jars and this module: the platform of the library, and its place in the jar.
 *
 * <p>A program needs only the jar of its platform on the class path or the module path. A natives jar for another
 * platform implements {@link io.devicearena.wgpu.natives.NativesBundle}. To read how the library is found and loaded,
 * start at {@code io.devicearena.wgpu.internal.loading.WgpuLibrary}.
 */
@NullMarked
package io.devicearena.wgpu.natives;

import org.jspecify.annotations.NullMarked;
