package io.devicearena.spi.observation;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * Bytes of a value that a step reads or writes; {@link ExecutionChecks#range} makes it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param home the checks of the arena that the value belongs to
 * @param id the value
 * @param begin where they begin: bytes from the arena's start
 * @param end where they end
 */
public record CheckedRange(ExecutionChecks home, NodeId id, long begin, long end) {
    /** Makes a range. */
    public CheckedRange {
        Objects.requireNonNull(home, "home");
        Objects.requireNonNull(id, "id");
    }
}
