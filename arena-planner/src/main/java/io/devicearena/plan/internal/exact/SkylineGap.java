package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.live.LiveRanges;

/** The latest gap that begins at a clique: a segment of the skyline between higher walls, and its two edges. */
final class SkylineGap {
    /** The height of a wall where the range ends: nothing reaches over it. */
    static final long NO_WALL = Long.MAX_VALUE;

    private final LiveRanges component;
    private final SearchState state;
    private final int left;
    private int right;
    private long wallBefore;
    private long wallAfter;
    private long version;
    private int choicesLeft;
    private int choicesRight;
    private long riseLeft;
    private long riseRight;

    /** An edge of a gap: its choices, and the floor there if no buffer covers it, {@code NO_WALL} if one must. */
    record Edge(int left, int right, boolean isLeft, long floor, long rise, int choices) {
        int clique() {
            return isLeft ? left : right - 1;
        }

        boolean canRise() {
            return rise != NO_WALL;
        }
    }

    SkylineGap(LiveRanges component, SearchState state, int left) {
        this.component = component;
        this.state = state;
        this.left = left;
    }

    /** Whether what was found still holds for a gap with this end and these walls. */
    boolean isCurrent(int end, long before, long after) {
        return right == end && wallBefore == before && wallAfter == after && state.isUnchanged(left, right, version);
    }

    /** Counts choices and raises each clique that no buffer can cover to the lower wall; false at a dead end. */
    boolean look(int end, long before, long after) {
        right = end;
        wallBefore = before;
        wallAfter = after;
        version = state.version();
        long wall = Math.min(before, after);
        choicesLeft = 0;
        choicesRight = 0;
        riseLeft = wall;
        riseRight = wall;
        long floor = state.floor(left);
        long within = 0;
        long[] ended = new long[right - left + 1];
        for (int c = left; c < right; c++) {
            for (int buffer : state.touching(c, true)) {
                if (!state.isPlaced(buffer) && component.end(buffer) <= right) {
                    count(buffer, floor);
                    within += component.size(buffer);
                    ended[component.end(buffer) - left] += component.size(buffer);
                }
            }
            within -= ended[c - left];
            // Buffers that reach beyond the gap lie above the lower wall, and need their own units there.
            boolean isCrossed = state.rest(c) > within;
            if (state.slack(c, floor) < 0 || (isCrossed && wall > state.slack(c, 0) + within)) {
                right = left; // what was counted is incomplete
                return false;
            }
            if (within == 0) {
                state.raise(c, wall);
            }
        }
        return true;
    }

    /** Counts an unplaced buffer that is live within the gap only. */
    private void count(int buffer, long floor) {
        boolean atLeft = component.first(buffer) == left;
        boolean atRight = component.end(buffer) == right;
        if (state.allows(buffer, floor)) {
            choicesLeft += atLeft ? 1 : 0;
            choicesRight += atRight ? 1 : 0;
        }
        long top = floor + component.size(buffer);
        long next = component.skipBoundary(floor, component.size(buffer));
        long rest = next == floor ? NO_WALL : next;
        riseLeft = Math.min(riseLeft, atLeft ? rest : top);
        riseRight = Math.min(riseRight, atRight ? rest : top);
    }

    Edge edge(boolean isLeft) {
        int clique = isLeft ? left : right - 1;
        long rise = isLeft ? riseLeft : riseRight;
        boolean canRise = state.slack(clique, rise) >= 0;
        int choices = (isLeft ? choicesLeft : choicesRight) + (canRise ? 1 : 0);
        return new Edge(left, right, isLeft, state.floor(left), canRise ? rise : NO_WALL, choices);
    }
}
