/**
 * What a source in WGSL says about itself, read from its text: declarations, constants, sizes of types, limits. It
 * needs no device. The compiler checks the rest of a source.
 *
 * <p>Start at {@link io.devicearena.wgpu.internal.wgsl.WgslSource}. Whatever these classes cannot resolve is left to
 * the compiler, so that they refuse no valid source.
 */
@NullMarked
package io.devicearena.wgpu.internal.wgsl;

import org.jspecify.annotations.NullMarked;
