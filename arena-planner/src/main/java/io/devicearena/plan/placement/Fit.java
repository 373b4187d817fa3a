package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Work;
import java.util.Optional;

/** Where each life goes when lives are placed one after the other. */
enum Fit {
    /** At the lowest address that is free throughout it. */
    FIRST {
        @Override
        Optional<long[]> place(Lives lives, int[] order, long limit, Work work) {
            TimeTree taken = new TimeTree(lives, work);
            long[] addresses = new long[lives.count()];
            for (int i : order) {
                long address = taken.firstFit(lives.first(i), lives.end(i), lives.size(i));
                if (address > limit - lives.size(i) || work.isSpent()) {
                    return Optional.empty();
                }
                taken.take(lives.first(i), lives.end(i), address, address + lives.size(i));
                addresses[i] = address;
            }
            return Optional.of(addresses);
        }
    },
    /** In the narrowest room that is free throughout it. */
    BEST {
        @Override
        Optional<long[]> place(Lives lives, int[] order, long limit, Work work) {
            TimeTree taken = new TimeTree(lives, work);
            long[] addresses = new long[lives.count()];
            long granted = work.left();
            for (int placed = 0; placed < order.length; placed++) {
                int i = order[placed];
                long address = taken.bestFit(lives.first(i), lives.end(i), lives.size(i));
                long spent = granted - work.left();
                if (address > limit - lives.size(i)
                        || isBehind(spent, granted, placed, order.length)
                        || work.isSpent()) {
                    return Optional.empty();
                }
                taken.take(lives.first(i), lives.end(i), address, address + lives.size(i));
                addresses[i] = address;
            }
            return Optional.of(addresses);
        }
    },
    /** As {@link #BEST}, of lives in order of time: then what is free when a life begins is free throughout it. */
    BEST_IN_TIME {
        @Override
        Optional<long[]> place(Lives lives, int[] order, long limit, Work work) {
            FreeList free = new FreeList(lives);
            int[] leaving = lives.byEnd();
            int left = 0;
            for (int i : order) {
                while (lives.end(leaving[left]) <= lives.first(i)) {
                    free.free(leaving[left++]);
                }
                long address = free.take(i);
                work.spend(FREE_LIST_STEPS);
                if (address > limit - lives.size(i) || work.isSpent()) {
                    return Optional.empty();
                }
            }
            return Optional.of(free.addresses());
        }
    },
    /** On top of everything that it meets. */
    TOP {
        @Override
        Optional<long[]> place(Lives lives, int[] order, long limit, Work work) {
            Skyline skyline = new Skyline(lives.moments());
            long[] addresses = new long[lives.count()];
            for (int i : order) {
                long height = skyline.height(lives.first(i), lives.end(i));
                long address = lives.clearOfBoundary(height, lives.size(i));
                if (address > limit - lives.size(i) || work.isSpent()) {
                    return Optional.empty();
                }
                skyline.raise(lives.first(i), lives.end(i), address + lives.size(i));
                work.spend(SKYLINE_STEPS);
                addresses[i] = address;
            }
            return Optional.of(addresses);
        }
    };

    /** The part of the work in which nothing can be told yet. */
    private static final double GRACE = 0.05;

    private static final int SKYLINE_STEPS = 64;
    private static final int FREE_LIST_STEPS = 64;

    /**
     * Places all lives.
     *
     * @param lives the lives, at least one
     * @param order all of them
     * @param limit no life may end above it
     * @param work what the search for room spends
     * @return their addresses; nothing where one ended above the limit or the work was spent
     */
    abstract Optional<long[]> place(Lives lives, int[] order, long limit, Work work);

    /** Room gets ever more parted, so lives take more steps than those before them: what is behind is mostly not done in time. */
    private static boolean isBehind(long spent, long granted, int placed, int count) {
        return spent > GRACE * granted && spent * (double) count > placed * (double) granted;
    }
}
