package io.devicearena.plan.strategy;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Improves a first-fit placement by changing the order that it was made in, one life at a time.
 *
 * <p>A life that ends above the target goes before, or changes places with, one that it meets, both chosen at random
 * from a fixed seed. Only lives whose room that may change are placed anew: those after it in the order that meet one
 * that moved. The change stays where no life ends higher than the highest did before and the units above the target, added up
 * over all lives, do not grow; so a descent wanders over placements that are equally good.
 *
 * <p>Some lives can be held: they keep their addresses, and all others go around them.
 *
 * <p>Threads: one thread at a time. Source: the neighbourhood is that of the hill climbing of TVM's unified static memory
 * planner (Apache TVM RFC 0009, 2021), with incremental evaluation and a target in place of the whole arena's size.
 */
final class Descent {
    private final Lives lives;
    private final Work work;
    private final long target;
    private final SplittableRandom random;
    private final int count;
    private final int held;
    private final int[] ids;
    private final int[] firsts;
    private final int[] ends;
    private final long[] sizes;
    private final long[] addresses;
    /** All lives, those held first. */
    private final int[] order;

    private final int[] ranks;
    private final int[] byAddress;
    private final int[] merged;
    private final boolean[] changed;
    private final long[] fresh;
    /** The lives that a trial has moved, by their fresh addresses. */
    private int[] moved = new int[16];

    private int movedCount;
    /** No life that ends before or begins after these moments meets one that a trial has moved. */
    private int dirtyFirst;

    private int dirtyEnd;
    private long top;
    private long excess;

    /**
     * Prepares to improve a placement; nothing moves yet.
     *
     * @param lives all lives of the problem
     * @param ids the lives that matter here, those held first
     * @param held how many are held
     * @param placed the address of every life of the problem; no two of {@code ids} are in each other's way
     * @param target a highest end that is good enough
     * @param seed of the choices
     * @param work what is spent
     */
    Descent(Lives lives, int[] ids, int held, long[] placed, long target, long seed, Work work) {
        this.lives = lives;
        this.work = work;
        this.target = target;
        this.random = new SplittableRandom(seed);
        this.ids = ids;
        this.held = held;
        this.count = ids.length;
        this.firsts = new int[count];
        this.ends = new int[count];
        this.sizes = new long[count];
        this.addresses = new long[count];
        this.order = new int[count];
        this.ranks = new int[count];
        this.byAddress = new int[count];
        this.merged = new int[count];
        this.changed = new boolean[count];
        this.fresh = new long[count];
        for (int i = 0; i < count; i++) {
            firsts[i] = lives.first(ids[i]);
            ends[i] = lives.end(ids[i]);
            sizes[i] = lives.size(ids[i]);
            addresses[i] = placed[ids[i]];
            byAddress[i] = i;
            order[i] = i;
        }
        RadixSort.sort(byAddress, addresses);
        work.spend(16L * count);
    }

    /** Places what is not held from the lowest to the highest address: nothing gets higher. */
    void settle() {
        int rank = held;
        for (int i : byAddress) {
            if (i >= held) {
                order[rank++] = i;
            }
        }
        placeAll();
    }

    /** Places what is not held in the order of the ids. */
    void placeAll() {
        for (int rank = 0; rank < count; rank++) {
            ranks[order[rank]] = rank;
        }
        dirtyFirst = 0;
        dirtyEnd = Integer.MAX_VALUE;
        replay(held, Long.MAX_VALUE);
        accept();
    }

    /** Where the highest life ends, of those that are not held. */
    long top() {
        return top;
    }

    /** Writes the addresses of what is not held. */
    void store(long[] placed) {
        for (int i = held; i < count; i++) {
            placed[ids[i]] = addresses[i];
        }
    }

    /** Tries changes until the top is at the target or the work is spent. */
    void run() {
        while (top > target && !work.isSpent() && count - held > 1) {
            attempt();
        }
    }

    private void attempt() {
        work.spend(4L * count);
        int life = anyEndingAbove(target + random.nextLong(top - target));
        boolean swaps = random.nextInt(3) == 0;
        int rank = ranks[life];
        int other = anyMet(life, swaps ? count : rank);
        if (other < 0) {
            return;
        }
        int otherRank = ranks[other];
        dirtyFirst = firsts[life];
        dirtyEnd = ends[life];
        if (swaps) {
            swap(rank, otherRank);
            dirtyFirst = Math.min(dirtyFirst, firsts[other]);
            dirtyEnd = Math.max(dirtyEnd, ends[other]);
        } else {
            shift(rank, otherRank);
        }
        boolean stays = replay(Math.min(rank, otherRank), top) && freshExcess() <= excess;
        if (stays) {
            accept();
            return;
        }
        forget();
        if (swaps) {
            swap(rank, otherRank);
        } else {
            shift(otherRank, rank);
        }
    }

    private int anyEndingAbove(long level) {
        int found = -1;
        int seen = 0;
        for (int i = held; i < count; i++) {
            if (addresses[i] + sizes[i] > level && random.nextInt(++seen) == 0) {
                found = i;
            }
        }
        return found;
    }

    /** One that is not held, meets a life and is before a rank; -1 where there is none. */
    private int anyMet(int life, int beforeRank) {
        int found = -1;
        int seen = 0;
        for (int rank = held; rank < beforeRank; rank++) {
            int i = order[rank];
            if (i != life && meet(i, life) && random.nextInt(++seen) == 0) {
                found = i;
            }
        }
        return found;
    }

    private boolean meet(int i, int j) {
        return ends[i] > firsts[j] && firsts[i] < ends[j];
    }

    private void swap(int rank, int otherRank) {
        int life = order[rank];
        put(rank, order[otherRank]);
        put(otherRank, life);
    }

    private void shift(int from, int to) {
        int life = order[from];
        int step = from < to ? 1 : -1;
        for (int rank = from; rank != to; rank += step) {
            put(rank, order[rank + step]);
        }
        put(to, life);
    }

    private void put(int rank, int life) {
        order[rank] = life;
        ranks[life] = rank;
    }

    /** Places anew, from a rank on, what meets something that moved; false where a life ends above the limit. */
    private boolean replay(int fromRank, long limit) {
        for (int rank = fromRank; rank < count; rank++) {
            int life = order[rank];
            if (ends[life] > dirtyFirst && firsts[life] < dirtyEnd) {
                long address = fit(life, rank);
                if (address > limit - sizes[life]) {
                    return false;
                }
                if (address != addresses[life]) {
                    move(life, address);
                }
            }
        }
        work.spend(count - fromRank);
        return true;
    }

    /** The lowest free address, given what is before a rank. */
    private long fit(int life, int rank) {
        long size = sizes[life];
        long address = lives.clearOfBoundary(0, size);
        int still = 0;
        int gone = 0;
        long before;
        do {
            before = address;
            for (; still < count; still++) {
                int i = byAddress[still];
                if (ranks[i] < rank && !changed[i] && meet(i, life)) {
                    if (addresses[i] - address >= size) {
                        break;
                    }
                    address = above(addresses[i] + sizes[i], address, size);
                }
            }
            for (; gone < movedCount; gone++) {
                int i = moved[gone];
                if (meet(i, life)) {
                    if (fresh[i] - address >= size) {
                        break;
                    }
                    address = above(fresh[i] + sizes[i], address, size);
                }
            }
        } while (address != before);
        work.spend(still + gone);
        return address;
    }

    private long above(long end, long address, long size) {
        return end > address ? lives.clearOfBoundary(end, size) : address;
    }

    private void move(int life, long address) {
        if (movedCount == moved.length) {
            moved = Arrays.copyOf(moved, 2 * movedCount);
        }
        int at = movedCount++;
        for (; at > 0 && fresh[moved[at - 1]] > address; at--) {
            moved[at] = moved[at - 1];
        }
        moved[at] = life;
        fresh[life] = address;
        changed[life] = true;
        dirtyFirst = Math.min(dirtyFirst, firsts[life]);
        dirtyEnd = Math.max(dirtyEnd, ends[life]);
    }

    private long freshExcess() {
        long sum = excess;
        for (int k = 0; k < movedCount; k++) {
            int i = moved[k];
            sum += Math.max(0, fresh[i] + sizes[i] - target) - Math.max(0, addresses[i] + sizes[i] - target);
        }
        return sum;
    }

    private void forget() {
        for (int k = 0; k < movedCount; k++) {
            changed[moved[k]] = false;
        }
        movedCount = 0;
    }

    private void accept() {
        int next = 0;
        int k = 0;
        for (int i : byAddress) {
            if (!changed[i]) {
                while (k < movedCount && fresh[moved[k]] < addresses[i]) {
                    merged[next++] = moved[k++];
                }
                merged[next++] = i;
            }
        }
        System.arraycopy(moved, k, merged, next, movedCount - k);
        System.arraycopy(merged, 0, byAddress, 0, count);
        for (k = 0; k < movedCount; k++) {
            addresses[moved[k]] = fresh[moved[k]];
        }
        forget();
        measure();
    }

    private void measure() {
        top = 0;
        excess = 0;
        for (int i = held; i < count; i++) {
            long end = addresses[i] + sizes[i];
            top = Math.max(top, end);
            excess += Math.max(0, end - target);
        }
        work.spend(4L * count);
    }
}
