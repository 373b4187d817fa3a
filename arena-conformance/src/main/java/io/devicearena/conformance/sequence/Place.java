package io.devicearena.conformance.sequence;

/**
 * Where a range begins.
 *
 * @param anchor which of the points of interest of the arena, or -1 for its start
 * @param delta bytes from there
 */
record Place(int anchor, long delta) {
    static Place at(long offset) {
        return new Place(-1, offset);
    }
}
