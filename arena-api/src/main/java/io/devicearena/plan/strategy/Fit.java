package io.devicearena.plan.strategy;

import io.devicearena.plan.lowering.Work;
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
            for (int i : order) {
                long address = taken.bestFit(lives.first(i), lives.end(i), lives.size(i));
                if (address > limit - lives.size(i) || work.isSpent()) {
                    return Optional.empty();
                }
                taken.take(lives.first(i), lives.end(i), address, address + lives.size(i));
                addresses[i] = address;
            }
            return Optional.of(addresses);
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

    private static final int SKYLINE_STEPS = 64;

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
}
