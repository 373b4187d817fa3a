/**
 * Counts the users of objects, so that each is freed once: with its last user. Start at {@link
 * io.devicearena.wgpu.internal.lifetime.Uses}.
 */
@NullMarked
package io.devicearena.wgpu.internal.lifetime;

import org.jspecify.annotations.NullMarked;
