package io.devicearena.bench.published;

/** Which of the gaps that hold a buffer it takes. */
enum GapRule {
    /** The gap with the lowest offset. */
    FIRST,
    /** The smallest gap, of equal ones the lowest; above everything only when no gap holds the buffer. */
    SMALLEST
}
