package io.devicearena.conformance.sequence;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reduces a sequence that fails to a short one: fewer calls first, then simpler ones. */
final class Shrinker {
    /** So many candidates are tried. */
    private static final int TRIALS = 800;

    /** So many bytes are moved by them together. */
    private static final long MOST_BYTES = 3L << 30;

    /** What others need, or miss. */
    private static final Set<Class<?>> OPENING =
            Set.of(Call.OpenArena.class, Call.View.class, Call.AllocateHost.class, Call.CloseArena.class);

    private final Function<List<Call>, Outcome> trial;
    private int trials;
    private long bytes;

    /**
     * How a sequence ended.
     *
     * @param failure what it threw, or null
     * @param moved bytes that it moved
     */
    record Outcome(@Nullable Throwable failure, long moved) {}

    private Shrinker(Function<List<Call>, Outcome> trial) {
        this.trial = trial;
    }

    static List<Call> shrink(List<Call> calls, Function<List<Call>, Outcome> trial) {
        Shrinker shrinker = new Shrinker(trial);
        List<Call> shortest = shrinker.withoutParts(shrinker.withoutBeginning(calls));
        List<Call> before;
        do {
            before = shortest;
            shortest = shrinker.withoutParts(shrinker.withSimplerCalls(before));
        } while (!shortest.equals(before));
        return shortest;
    }

    private boolean fails(List<Call> calls) {
        if (trials >= TRIALS || bytes > MOST_BYTES) {
            return false;
        }
        trials++;
        Outcome outcome = trial.apply(calls);
        bytes += outcome.moved();
        return outcome.failure() != null;
    }

    /** Keeps what opens and allocates, and the last calls. */
    private List<Call> withoutBeginning(List<Call> calls) {
        for (int last = 1; last < calls.size(); last *= 2) {
            int from = calls.size() - last;
            List<Call> shorter = new ArrayList<>(calls.subList(0, from));
            shorter.removeIf(call -> !OPENING.contains(call.getClass()));
            shorter.addAll(calls.subList(from, calls.size()));
            if (fails(shorter)) {
                return shorter;
            }
        }
        return calls;
    }

    /** Leaves parts out, halves first and single calls last. */
    private List<Call> withoutParts(List<Call> calls) {
        List<Call> shortest = calls;
        for (int part = Math.max(1, calls.size() / 2); part > 0; part /= 2) {
            for (int from = 0; from < shortest.size(); ) {
                List<Call> shorter = Simpler.without(shortest, from, part);
                if (!shorter.isEmpty() && fails(shorter)) {
                    shortest = shorter;
                } else {
                    from += part;
                }
            }
        }
        return shortest;
    }

    private List<Call> withSimplerCalls(List<Call> calls) {
        List<Call> simplest = new ArrayList<>(calls);
        for (int i = 0; i < simplest.size(); i++) {
            int index = i;
            boolean isChanged = true;
            while (isChanged) {
                isChanged = Simpler.than(simplest.get(i)).anyMatch(simpler -> {
                    Call before = simplest.set(index, simpler);
                    boolean isFailure = fails(List.copyOf(simplest));
                    if (!isFailure) {
                        simplest.set(index, before);
                    }
                    return isFailure;
                });
            }
        }
        return simplest;
    }
}
