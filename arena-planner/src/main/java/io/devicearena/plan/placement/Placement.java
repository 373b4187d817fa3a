package io.devicearena.plan.placement;

/**
 * A placement of all lives.
 *
 * <p>Threads: immutable, but the array is not copied.
 *
 * @param addresses the address of each life
 * @param bytes the bytes above the origin that it needs
 * @param source where it comes from
 */
@SuppressWarnings("ArrayRecordComponent") // neither compared nor changed
record Placement(long[] addresses, long bytes, Source source) {
    /** Where a placement comes from. */
    enum Source {
        /** A recipe. */
        RECIPE,
        /** Valleys filled with what is large first. */
        VALLEYS,
        /** Valleys filled with no regard to size: with what lives long at the bottom, it is the easiest to lower. */
        EVEN_VALLEYS,
        /** Evictions from another one. */
        LOWERED
    }
}
