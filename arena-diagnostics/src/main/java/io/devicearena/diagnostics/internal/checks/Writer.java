package io.devicearena.diagnostics.internal.checks;

import org.jspecify.annotations.Nullable;

/**
 * What wrote some bytes of a checked memory. Threads: immutable.
 *
 * @param kind who wrote
 * @param value the value that was written; null for a raw or an unknown write
 * @param time the number of the step or write, as the memory counts them
 * @param by the label of the step, or words for a write by the host
 * @param begin where the write began, in bytes from the start of the arena
 * @param end where it ended
 */
record Writer(Kind kind, @Nullable CheckedValue value, long time, String by, long begin, long end) {
    enum Kind {
        /** A step of a graph. */
        STEP,
        /** A write of the host that names a value. */
        HOST,
        /** A write of the host at an offset: it may be any value. */
        RAW,
        /** A write to the memory itself, or a new arena. */
        UNKNOWN
    }

    static Writer step(CheckedValue value, long time, String label, long begin, long end) {
        return new Writer(Kind.STEP, value, time, label, begin, end);
    }

    static Writer host(CheckedValue value, long time, long begin, long end) {
        return new Writer(Kind.HOST, value, time, "a write of the host", begin, end);
    }

    static Writer raw(long time, long begin, long end) {
        return new Writer(Kind.RAW, null, time, "a raw write", begin, end);
    }

    static Writer unknown(long time, long begin, long end) {
        return new Writer(Kind.UNKNOWN, null, time, "a write to the memory itself", begin, end);
    }
}
