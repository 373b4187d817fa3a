package io.devicearena.plan.internal.exact;

/** Which walls of a valley those buffers reach over that live at one of its moments but can not lie within it. */
enum Beyond {
    /** There are none. */
    NEITHER(false, false),
    BEFORE(true, false),
    AFTER(false, true),
    /** Some reach over either wall, or are kept from lying within it by an earlier failure. */
    EITHER(true, true);

    private final boolean before;
    private final boolean after;

    Beyond(boolean before, boolean after) {
        this.before = before;
        this.after = after;
    }

    static Beyond of(boolean before, boolean after) {
        if (before) {
            return after ? EITHER : BEFORE;
        }
        return after ? AFTER : NEITHER;
    }

    /** Tells whether the wall before the valley is one of them. */
    boolean isBefore() {
        return before;
    }

    /** Tells whether the wall after the valley is one of them. */
    boolean isAfter() {
        return after;
    }
}
