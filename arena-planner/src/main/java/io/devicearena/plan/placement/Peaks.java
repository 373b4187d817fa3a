package io.devicearena.plan.placement;

import io.devicearena.plan.internal.ejection.Completion;
import io.devicearena.plan.internal.ejection.Work;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * Meets the bound where lives are short against all time: what is live where it is fullest is placed first, without regard to
 * the rest, by searches in depth; then the rest around that, by evictions.
 *
 * <p>Where it is full few placements meet the bound, and evictions do not find them; a search in depth of some tens of lives
 * mostly does, without a step back. Elsewhere there is room to spare, and evictions find it fast.
 *
 * <p>Threads: one thread at a time.
 */
final class Peaks {
    /** What is live where no more than this part of the bound is missing is placed first; then half of it, and so on. */
    private static final double WIDEST = 0.3;

    private static final double NARROWEST = 0.005;
    /** How many such parts are searched. */
    private static final int MOST_CORES = 3;

    private final Lives lives;
    /** Those that were placed so far, the widest first. */
    private final List<Core> cores = new ArrayList<>();

    /** For each life by how much its fullest moment falls short of the bound; empty until it is needed. */
    private long[] shortfalls = {};

    /** How many were searched, placed or not. */
    private int searched;

    private double part = WIDEST;

    /**
     * What is fullest.
     *
     * @param lives the lives
     * @param addresses where they are, none above the bound
     */
    @SuppressWarnings("ArrayRecordComponent") // neither compared nor changed
    private record Core(int[] lives, long[] addresses) {}

    Peaks(Lives lives) {
        this.lives = lives;
    }

    /**
     * Looks for a placement that meets the bound.
     *
     * @param addresses a placement, where most lives stay; never changed
     * @param steps the steps that evictions may take in each of a few tries
     * @param unwanted tells whether the addresses are not wanted any more; asked before each try
     * @return the addresses; nothing where none was found
     */
    Optional<long[]> place(long[] addresses, long steps, BooleanSupplier unwanted) {
        for (int at = 0; !unwanted.getAsBoolean() && (at < cores.size() || placeNext()); at++) {
            Core core = cores.get(at);
            Work work = new Work(steps, unwanted);
            Optional<long[]> found =
                    Completion.around(lives, addresses, core.lives(), core.addresses(), lives.leastBytes(), work);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Places one more core; false where there is none. */
    private boolean placeNext() {
        if (shortfalls.length == 0) {
            shortfalls = lives.shortfalls();
        }
        while (searched < MOST_CORES && part >= NARROWEST) {
            long margin = (long) (part * lives.bound());
            part /= 2;
            int[] fullest = IntStream.range(0, lives.count())
                    .filter(i -> shortfalls[i] <= margin)
                    .toArray();
            InDepth search = new InDepth(lives.only(fullest));
            if (search.isQuick()) {
                searched++;
                Optional<long[]> found = search.place(lives.leastBytes());
                if (found.isPresent()) {
                    cores.add(new Core(fullest, found.get()));
                    return true;
                }
            }
        }
        return false;
    }
}
