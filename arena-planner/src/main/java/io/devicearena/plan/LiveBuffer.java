package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * A buffer with a size and a life: what placing needs to know of a value.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param id the value
 * @param lower the first step at which it is live, 0 or more
 * @param upper the first step at which it is no longer live, {@code lower} or more; a view has an empty life, since its
 *     bytes are its parent's
 * @param size bytes, 0 or more
 */
public record LiveBuffer(NodeId id, long lower, long upper, long size) {
    /**
     * Makes a buffer.
     *
     * @throws IllegalArgumentException if {@code size} or {@code lower} is negative or {@code upper} is less than
     *     {@code lower}
     */
    public LiveBuffer {
        Objects.requireNonNull(id, "id");
        if (lower < 0 || upper < lower) {
            throw new IllegalArgumentException(
                    id + ": expected 0 <= lower <= upper, got lower " + lower + ", upper " + upper);
        }
        if (size < 0) {
            throw new IllegalArgumentException(id + ": expected a size of 0 or more bytes, got " + size);
        }
    }
}
