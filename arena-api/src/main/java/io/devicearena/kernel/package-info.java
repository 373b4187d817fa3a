/**
 * Compute kernels on an arena's bytes, apart from the language that they are written in: bind values by window, record
 * once, run often.
 *
 * <p>Start at {@link io.devicearena.kernel.KernelContext}, which a provider extends by a method that compiles. A kernel
 * is bound to {@link io.devicearena.kernel.Window}s of the arena and of its f16 shadow, to {@link
 * io.devicearena.kernel.KernelBuffer}s and to uniforms. A {@link io.devicearena.kernel.Recorder} checks and records the
 * steps; the {@link io.devicearena.kernel.KernelProgram} that it builds runs them in one submission.
 *
 * <p>This package has interfaces and records; providers implement them.
 */
@NullMarked
package io.devicearena.kernel;

import org.jspecify.annotations.NullMarked;
