package io.devicearena.plan.internal.exact;

import io.devicearena.plan.internal.ejection.Lifetimes;
import java.util.Arrays;

/**
 * Lists the buffers that may cover an edge of a valley at its floor, the most appealing first.
 *
 * <p>Threads: one thread at a time.
 */
final class Candidates {
    private final Lifetimes part;
    private final Terrain terrain;
    private final Room room;
    private final Experience experience;
    private final double[] appeals;
    private final int[] found;
    private double[] score;
    private double snugness;

    Candidates(Lifetimes part, Terrain terrain, Room room, Experience experience) {
        this.part = part;
        this.terrain = terrain;
        this.room = room;
        this.experience = experience;
        this.appeals = new double[part.count()];
        this.found = new int[part.count()];
        this.score = new double[part.count()];
    }

    /** Makes the taste that of an attempt. */
    void begin(Attempt attempt) {
        score = attempt.order(part);
        experience.weigh(score);
        snugness = attempt.snugness();
    }

    /** The candidates for an edge of the valley from one moment up to another; of equal ones the first. */
    int[] of(int left, int right, boolean atLeft) {
        Waiting lists = atLeft ? terrain.beginning() : terrain.ending();
        int n = 0;
        long address = terrain.floor(left);
        for (int buffer = lists.first(atLeft ? left : right - 1);
                buffer != Waiting.NONE;
                buffer = lists.after(buffer)) {
            if (!isFree(buffer, left, right, address) || isLikeOneOf(buffer, n)) {
                continue;
            }
            double appeal =
                    score[buffer] * (1 + snugness * snugSides(buffer, left, right)) * experience.pull(buffer, address);
            int at = n;
            for (; at > 0 && appeal > appeals[at - 1]; at--) {
                found[at] = found[at - 1];
                appeals[at] = appeals[at - 1];
            }
            found[at] = buffer;
            appeals[at] = appeal;
            n++;
        }
        return Arrays.copyOf(found, n);
    }

    private boolean isFree(int buffer, int left, int right, long address) {
        return part.first(buffer) >= left
                && part.last(buffer) < right
                && address >= terrain.lowest(buffer)
                && room.mayRest(buffer, address);
    }

    /** Counts what fits where a buffer rests in a valley: its length, and its top a wall that it touches or the capacity. */
    private int snugSides(int buffer, int left, int right) {
        boolean touchesLeft = part.first(buffer) == left;
        boolean touchesRight = part.last(buffer) == right - 1;
        long top = terrain.floor(left) + part.size(buffer);
        return (touchesLeft && touchesRight ? 1 : 0)
                + (touchesLeft && left > 0 && terrain.floor(left - 1) == top ? 1 : 0)
                + (touchesRight && right < terrain.moments() && terrain.floor(right) == top ? 1 : 0)
                + (top == room.capacity() ? 1 : 0);
    }

    private boolean isLikeOneOf(int buffer, int n) {
        for (int i = 0; i < n; i++) {
            if (isLike(buffer, found[i])) {
                return true;
            }
        }
        return false;
    }

    /** Tells whether a buffer could trade places with another. */
    boolean isLike(int buffer, int other) {
        return part.size(buffer) == part.size(other)
                && part.first(buffer) == part.first(other)
                && part.last(buffer) == part.last(other)
                && room.ceiling(buffer) == room.ceiling(other);
    }
}
