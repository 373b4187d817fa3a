/**
 * What a natives jar tells this module: which platform its library is for, and where in the jar it lies.
 *
 * <p>A caller needs nothing of it but the jar of its platform on the class path or module path. Who packs a library for
 * another platform implements {@link io.devicearena.wgpu.natives.NativesBundle}.
 */
@NullMarked
package io.devicearena.wgpu.natives;

import org.jspecify.annotations.NullMarked;
