/**
 * The log of this backend, and that of the library in it: start at {@link
 * io.devicearena.wgpu.internal.logging.NativeLog}.
 */
@NullMarked
package io.devicearena.wgpu.internal.logging;

import org.jspecify.annotations.NullMarked;
