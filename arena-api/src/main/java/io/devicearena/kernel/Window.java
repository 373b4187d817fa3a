package io.devicearena.kernel;

import io.devicearena.NodeId;

/**
 * A range of the arena, or of its f16 shadow, that is bound as one binding.
 *
 * <p>A device binds ranges that lie in one segment of the arena, begin at a multiple of its alignment and are not
 * longer than its limit. So a kernel sees a value at an offset from the start of the window, which {@link #offsetOf}
 * returns.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface Window extends Binding {
    /**
     * Returns where the window begins.
     *
     * @return bytes from the start of the arena or the shadow; from the start of its segment, a multiple of {@link
     *     io.devicearena.ArenaLimits#bindingAlignmentBytes}
     */
    long offset();

    /**
     * Returns where the kernel finds a value.
     *
     * @param id any value that is completely in the window
     * @return bytes from the start of the window to the value, or to its f16 mirror in a window of the shadow
     * @throws IllegalArgumentException if the value is not in the window
     */
    long offsetOf(NodeId id);

    /**
     * Returns where the kernel finds a byte of a value: for windows of a part of a value.
     *
     * @param id the value
     * @param firstByte bytes from the start of the value, or of its f16 mirror in a window of the shadow
     * @return bytes from the start of the window
     * @throws IllegalArgumentException if the byte is not in the value or not in the window
     */
    long offsetOf(NodeId id, long firstByte);
}
