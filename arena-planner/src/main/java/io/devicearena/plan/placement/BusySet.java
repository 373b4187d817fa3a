package io.devicearena.plan.placement;

/**
 * The addresses that are taken, as disjoint spans in order; gaps too small to serve any buffer count as taken.
 *
 * <p>Threads: one thread at a time.
 */
sealed interface BusySet permits BusyRun, BusyRuns {
    /** Past every address. */
    long NONE = Long.MAX_VALUE;

    /**
     * Finds room.
     *
     * @param address where to begin, 0 or more
     * @param size how much room, 1 or more
     * @return the lowest address from {@code address} on at which {@code size} units are free
     */
    long firstFit(long address, long size);

    /**
     * Finds where the room above an address ends.
     *
     * @param address one that is free
     * @return the lowest address above it that is taken, or {@link #NONE}
     */
    long nextTaken(long address);

    /**
     * Tells whether a whole span is taken already.
     *
     * @param low its first address
     * @param high the address after its last
     */
    boolean covers(long low, long high);

    /**
     * Takes a span, which may overlap spans taken before.
     *
     * @param low its first address
     * @param high the address after its last
     * @return the set with the span: this one, or a larger one that has taken its place
     */
    BusySet with(long low, long high);
}
