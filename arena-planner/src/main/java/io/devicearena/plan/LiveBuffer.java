package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * A buffer with a size and a live range: what placement needs to know about a value.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id the value
 * @param firstStep the first step at which it is live, 0 or more
 * @param endStep the first step at which it is no longer live, {@code firstStep} or more; equal for an alias such as a
 *     view, whose bytes belong to another buffer
 * @param size bytes, 0 or more
 */
public record LiveBuffer(NodeId id, long firstStep, long endStep, long size) {
    /**
     * Makes a buffer.
     *
     * @throws IllegalArgumentException if {@code size} or {@code firstStep} is negative, or {@code endStep} is less
     *     than {@code firstStep}
     */
    public LiveBuffer {
        Objects.requireNonNull(id, "id");
        if (firstStep < 0 || endStep < firstStep) {
            throw new IllegalArgumentException(
                    id + ": expected 0 <= firstStep <= endStep, got firstStep " + firstStep + ", endStep " + endStep);
        }
        if (size < 0) {
            throw new IllegalArgumentException(id + ": expected a size of 0 or more bytes, got " + size);
        }
    }
}
