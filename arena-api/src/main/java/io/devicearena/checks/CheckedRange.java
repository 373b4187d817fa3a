package io.devicearena.checks;

import io.devicearena.NodeId;

/**
 * Bytes of a value that a step reads or writes; {@link ExecutionChecks#range} makes it.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class CheckedRange {
    private final ExecutionChecks home;
    private final CheckedValue value;
    private final long begin;
    private final long end;

    CheckedRange(ExecutionChecks home, CheckedValue value, long begin, long end) {
        this.home = home;
        this.value = value;
        this.begin = begin;
        this.end = end;
    }

    /**
     * Returns the value.
     *
     * @return its id
     */
    public NodeId id() {
        return value.id();
    }

    /** The checks of the arena that the value belongs to. */
    ExecutionChecks home() {
        return home;
    }

    CheckedValue value() {
        return value;
    }

    /** Bytes from the start of the arena. */
    long begin() {
        return begin;
    }

    long end() {
        return end;
    }

    /** The end of what a step may change: no guard bytes. */
    long writableEnd() {
        return Math.min(end, value.writableEnd());
    }
}
