package io.devicearena.wgpu.kernel;

import io.devicearena.NodeId;

/**
 * A range of the arena, or of its f16 shadow, that is bound as one binding.
 *
 * <p>A device binds ranges that begin at multiples of its alignment and are not longer than its limit, so a kernel sees a
 * value at an offset from the window's start, and that is what {@link #offsetOf} tells.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface Window extends Binding {
    /**
     * Where the window begins.
     *
     * @return bytes from the start of the arena or the shadow, a multiple of {@link Kernels#bindingAlignment}
     */
    long offset();

    /**
     * Where the kernel finds a value.
     *
     * @param id the value; in a window over named values one of them or any other that lies in the window as a whole
     * @return bytes from the window's start to the value, or to its f16 mirror in a window of the shadow
     * @throws IllegalArgumentException if the value does not lie in the window
     */
    long offsetOf(NodeId id);
}
