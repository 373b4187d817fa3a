package io.devicearena.plan.internal.live;

/** The rule that no buffer crosses a multiple of the boundary, in units of the alignment. */
final class NoCrossing {
    /** Units between two multiples; 0 for no rule. */
    private final long distance;
    /** How far the origin is above a multiple. */
    private final long phase;

    /** Makes the rule; the boundary, 0 for no rule, and the origin are multiples of the alignment. */
    NoCrossing(long boundary, long alignment, long origin) {
        this.distance = boundary / alignment;
        this.phase = distance == 0 ? 0 : origin / alignment % distance;
    }

    boolean isActive() {
        return distance > 0;
    }

    /** The lowest offset, from one on, at which so many units, at most the distance, cross no multiple. */
    long skip(long offset, long size) {
        if (distance == 0) {
            return offset;
        }
        long inside = (offset + phase) % distance;
        return inside + size <= distance ? offset : offset + (distance - inside);
    }
}
