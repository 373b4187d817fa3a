package io.devicearena.conformance.sequence;

import java.util.List;

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

    /** The offset, within an arena. */
    long in(List<Long> anchors, long size) {
        long from = anchor < 0 || anchors.isEmpty() ? 0 : anchors.get(anchor % anchors.size());
        return Math.clamp(from + delta, 0, size);
    }
}
