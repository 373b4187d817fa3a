package io.devicearena.plan.placement;

import io.devicearena.plan.internal.exact.BranchAndBound;
import io.devicearena.plan.internal.exact.FeasibilitySolver.Verdict;
import io.devicearena.plan.internal.exact.SearchParameters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.IntStream;

/**
 * Places few lives below a height by short searches in depth.
 *
 * <p>What spans a section of time is stacked at its bottom: whoever has a placement can bring it there. What is left falls into
 * sections that are searched one by one.
 *
 * <p>Threads: one thread at a time.
 */
final class InDepth {
    /** With more lives that hang together a search in depth would not be done soon. */
    private static final int MOST_LIVES_OF_SECTION = 1_000;

    /** How many lives may be looked at to stack what spans sections; where many nest each section has all but one of the last. */
    private static final long FEWEST_LOOKS = 5_000_000;

    private static final long LOOKS_PER_LIFE = 20;

    /** What all attempts at a section may take together: a few for each where lives are few, hardly two where they are many. */
    private static final int NODES_PER_SECTION = 1_500;

    private static final int NODES_PER_LIFE = 2;
    private static final int FEWEST_NODES_OF_ATTEMPT = 256;
    private final Lives lives;
    /** The addresses of what is stacked. */
    private final long[] stacked;
    /** What is left to search. */
    private final List<Ground> grounds = new ArrayList<>();

    /**
     * A section and the height below which there is nothing to place, in units.
     *
     * @param section the section
     * @param height the height
     */
    private record Ground(Section section, long height) {}

    /** Stacks what spans sections. */
    InDepth(Lives lives) {
        this.lives = lives;
        this.stacked = new long[lives.count()];
        Deque<Ground> all = new ArrayDeque<>();
        Section.of(lives).forEach(section -> all.add(new Ground(section, 0)));
        long looks = Math.max(FEWEST_LOOKS, LOOKS_PER_LIFE * lives.count());
        while (!all.isEmpty()) {
            Ground ground = all.remove();
            looks -= ground.section().count();
            long height = looks < 0 ? ground.height() : stack(ground);
            if (height == ground.height()) {
                grounds.add(ground);
            } else {
                ground.section().inside().forEach(inside -> all.add(new Ground(inside, height)));
            }
        }
    }

    /** Stacks what spans a section; returns how high that is. Not where there are boundaries: who rests upon it may need a lower place. */
    private long stack(Ground ground) {
        Section section = ground.section();
        long height = ground.height();
        if (lives.hasBoundary()) {
            return height;
        }
        for (int i = 0; i < section.count(); i++) {
            if (section.isSpanning(i)) {
                stacked[section.life(i)] = height;
                height += section.size(i);
            }
        }
        return height;
    }

    /** Tells whether few enough lives hang together. */
    boolean isQuick() {
        return grounds.stream().allMatch(ground -> ground.section().count() <= MOST_LIVES_OF_SECTION);
    }

    /**
     * Looks for a placement, on a thread with the stack that it needs.
     *
     * @param bytes how high lives may end, in bytes above the origin
     * @return the addresses; nothing where there is none, or a few attempts found none
     */
    Optional<long[]> place(long bytes) {
        long[] addresses = stacked.clone();
        boolean placed = onLargeStack(() -> grounds.stream().allMatch(ground -> place(ground, bytes, addresses)));
        // With alignment what spans a section may end in a unit that another one would leave in part.
        return placed && IntStream.range(0, addresses.length).allMatch(i -> addresses[i] <= lives.highest(i, bytes))
                ? Optional.of(addresses)
                : Optional.empty();
    }

    private static boolean onLargeStack(Callable<Boolean> work) {
        FutureTask<Boolean> task = new FutureTask<>(work);
        new Thread(null, task, "balanced-in-depth", 64L << 20).start();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException interrupt) {
                    interrupted = true;
                } catch (ExecutionException failure) {
                    throw new IllegalStateException("balanced: a worker thread failed", failure.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean place(Ground ground, long bytes, long[] addresses) {
        Section section = ground.section();
        long capacity = bytes - ground.height() * lives.alignment();
        BranchAndBound search = new BranchAndBound(section);
        int nodes = Math.max(FEWEST_NODES_OF_ATTEMPT, NODES_PER_LIFE * section.count());
        int left = NODES_PER_SECTION + NODES_PER_LIFE * section.count();
        Verdict verdict = Verdict.UNKNOWN;
        for (int number = 0; left > 0 && verdict == Verdict.UNKNOWN; number++) {
            verdict = search.run(new SearchParameters(capacity, number, Math.min(left, nodes)), n -> false);
            left -= nodes;
        }
        if (verdict != Verdict.FEASIBLE) {
            return false;
        }
        for (int i = 0; i < section.count(); i++) {
            addresses[section.life(i)] = ground.height() + search.addresses()[i];
        }
        return true;
    }
}
