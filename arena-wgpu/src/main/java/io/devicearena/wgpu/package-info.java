/**
 * Arenas on any GPU that wgpu-native reaches.
 *
 * <p>An engine needs nothing of this package but the jar on its path.
 */
@NullMarked
package io.devicearena.wgpu;

import org.jspecify.annotations.NullMarked;
