package io.devicearena.checks;

import org.jspecify.annotations.Nullable;

/**
 * What wrote some bytes of a checked memory. Threads: immutable.
 *
 * @param kind who wrote
 * @param value the value that was written; null for a raw or an unknown write
 * @param run the run of the value's plan in which it was written
 * @param by the label of the step, or words for a write by the host
 * @param begin where the write began, in bytes from the start of the arena
 * @param end where it ended
 */
record Writer(Kind kind, @Nullable CheckedValue value, long run, String by, long begin, long end) {
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

    static Writer step(CheckedValue value, String label, long begin, long end) {
        return new Writer(Kind.STEP, value, value.plan().run(), label, begin, end);
    }

    static Writer host(CheckedValue value, long begin, long end) {
        return new Writer(Kind.HOST, value, 0, "a write of the host", begin, end);
    }

    static Writer raw(long begin, long end) {
        return new Writer(Kind.RAW, null, 0, "a raw write", begin, end);
    }

    static Writer unknown(long begin, long end) {
        return new Writer(Kind.UNKNOWN, null, 0, "a write to the memory itself", begin, end);
    }
}
