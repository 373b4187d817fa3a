package io.devicearena.plan.strategy;

import io.devicearena.plan.depth.Attempt;
import io.devicearena.plan.depth.DeepStack;
import io.devicearena.plan.depth.Experience;
import io.devicearena.plan.depth.Searcher.Verdict;
import io.devicearena.plan.depth.ValleySearch;
import io.devicearena.plan.lowering.Completion;
import io.devicearena.plan.lowering.Work;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Meets the bound where lives are short against all time: what is live where it is fullest is placed first, without regard to
 * the rest, by a search in depth; then the rest around that, by evictions.
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
    /** With more lives that hang together a search in depth would not be done soon. */
    private static final int MOST_LIVES_OF_SECTION = 1_000;

    private static final int MOST_CORES = 3;

    /** What all attempts at a section may take together: a few for each where lives are few, hardly two where they are many. */
    private static final int NODES_PER_SECTION = 1_500;

    private static final int NODES_PER_LIFE = 2;
    private static final int FEWEST_NODES_OF_ATTEMPT = 256;
    /** A short search has but few dead ends to remember. */
    private static final int REMEMBERED_BITS = 10;

    private final Lives lives;
    /** Those that were placed so far, from the widest on. */
    private final List<Core> cores = new ArrayList<>();

    /** How many were tried, placed or not. */
    private int tried;

    private double nextPart = WIDEST;

    /**
     * What is fullest.
     *
     * @param lives the lives
     * @param addresses where they are, all below the bound
     */
    @SuppressWarnings("ArrayRecordComponent") // neither compared nor changed
    private record Core(int[] lives, long[] addresses) {}

    /**
     * A section and the height below which there is nothing to place, in units.
     *
     * @param section the section
     * @param height the height
     */
    private record Ground(Section section, long height) {}

    Peaks(Lives lives) {
        this.lives = lives;
    }

    /**
     * Looks for a placement that meets the bound.
     *
     * @param addresses a placement, where most lives stay; never changed
     * @param steps the steps that evictions may take in each of a few tries
     * @return the addresses; nothing where none was found
     */
    Optional<long[]> place(long[] addresses, long steps) {
        for (int at = 0; at < cores.size() || placeNext(); at++) {
            Core core = cores.get(at);
            Optional<long[]> found = Completion.around(
                    lives, addresses, core.lives(), core.addresses(), lives.leastBytes(), new Work(steps));
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** Places one more core; false where there is none. */
    private boolean placeNext() {
        if (tried == MOST_CORES || nextPart <= NARROWEST) {
            return false;
        }
        long[] shortfalls = lives.shortfalls();
        while (tried < MOST_CORES && nextPart > NARROWEST) {
            long margin = (long) (nextPart * lives.bound());
            nextPart /= 2;
            int[] fullest = IntStream.range(0, lives.count())
                    .filter(i -> shortfalls[i] <= margin)
                    .toArray();
            long[] places = new long[fullest.length];
            List<Ground> grounds = grounds(lives.only(fullest), places);
            if (grounds.stream().allMatch(ground -> ground.section().count() <= MOST_LIVES_OF_SECTION)) {
                tried++;
                boolean placed = DeepStack.call(
                        () -> grounds.stream().allMatch(ground -> place(ground, places)), "balanced-peaks");
                if (placed && areLowEnough(fullest, places)) {
                    cores.add(new Core(fullest, places));
                    return true;
                }
            }
        }
        return false;
    }

    /** With alignment what spans a section may end in a unit that another one would leave in part. */
    private boolean areLowEnough(int[] some, long[] places) {
        return IntStream.range(0, some.length).allMatch(k -> places[k] <= lives.highest(some[k], lives.leastBytes()));
    }

    /** Places what spans a section at its bottom, what spans a section of the rest upon that, and so on; returns what is left. */
    private List<Ground> grounds(Lives core, long[] places) {
        List<Ground> left = new ArrayList<>();
        Deque<Ground> all = new ArrayDeque<>();
        Section.of(core).forEach(section -> all.add(new Ground(section, 0)));
        while (!all.isEmpty()) {
            Ground ground = all.remove();
            Section section = ground.section();
            long height = ground.height();
            for (int i = 0; i < section.count() && !lives.hasBoundary(); i++) {
                if (section.isSpanned(i)) {
                    places[section.life(i)] = height;
                    height += section.size(i);
                }
            }
            if (height == ground.height()) {
                left.add(ground);
            } else {
                long raised = height;
                section.inside().forEach(inside -> all.add(new Ground(inside, raised)));
            }
        }
        return left;
    }

    /** Places the lives of a section below the bound; false where that is impossible, or a few attempts do not. */
    private boolean place(Ground ground, long[] places) {
        Section section = ground.section();
        long capacity = lives.leastBytes() - ground.height() * lives.alignment();
        ValleySearch search = new ValleySearch(section, new Experience(section.count()), REMEMBERED_BITS);
        int nodes = Math.max(FEWEST_NODES_OF_ATTEMPT, NODES_PER_LIFE * section.count());
        Verdict verdict = Verdict.GIVEN_UP;
        int left = NODES_PER_SECTION + NODES_PER_LIFE * section.count();
        for (int number = 0; left > 0 && verdict == Verdict.GIVEN_UP; number++) {
            verdict = search.run(new Attempt(capacity, number, Math.min(left, nodes)), n -> false);
            left -= nodes;
        }
        for (int i = 0; i < section.count() && verdict == Verdict.FITS; i++) {
            places[section.life(i)] = ground.height() + search.addresses()[i];
        }
        return verdict == Verdict.FITS;
    }
}
