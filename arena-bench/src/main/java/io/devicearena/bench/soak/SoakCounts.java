package io.devicearena.bench.soak;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** What the threads have done so far. */
final class SoakCounts {
    private static final int KEPT_FAULTS = 20;

    final LongAdder arenas = new LongAdder();
    final LongAdder steps = new LongAdder();
    final LongAdder movedBytes = new LongAdder();
    final LongAdder losses = new LongAdder();
    final LongAdder errors = new LongAdder();
    private final List<String> faults = new CopyOnWriteArrayList<>();

    /** Counts an error, and keeps its text; of many the first. */
    void fault(Throwable thrown) {
        errors.increment();
        if (faults.size() < KEPT_FAULTS) {
            faults.add(thrown.toString());
        }
    }

    /** The texts of the first errors. */
    List<String> faults() {
        return List.copyOf(faults);
    }
}
