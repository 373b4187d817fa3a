package io.devicearena.diagnostics.internal.checks;

/**
 * Bytes of a value that a step reads or writes. Threads: immutable.
 *
 * @param home the checks of the arena that the value belongs to
 * @param value the value
 * @param begin bytes from the start of the arena
 * @param end where they end
 */
record ValueRange(PlanChecks home, CheckedValue value, long begin, long end) {
    /** The end of what a step may change: no guard bytes. */
    long writableEnd() {
        return Math.min(end, value.writableEnd());
    }
}
