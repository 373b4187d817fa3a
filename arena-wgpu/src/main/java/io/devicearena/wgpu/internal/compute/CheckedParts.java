package io.devicearena.wgpu.internal.compute;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.spi.observation.CheckedRange;
import io.devicearena.spi.observation.CheckedStep;
import io.devicearena.spi.observation.ExecutionChecks;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects what the steps of a program read and write, for an arena with checks. Threads: one thread at a time; safe
 * for any thread once it belongs to a program, since nothing is added then.
 *
 * <p>A window that is read, or bound as read_write without being written, names what the step reads. A window of the
 * whole arena names nothing.
 */
final class CheckedParts {
    final ExecutionChecks checks;
    /** The steps of each call of the recorder, in order. */
    final List<Part> parts = new ArrayList<>();

    private int recorded;

    /** The steps that one call of the recorder made, from one position to another, or none. Threads: immutable. */
    record Part(CheckedStep checked, int from, int to) {}

    CheckedParts(ExecutionChecks checks) {
        this.checks = checks;
    }

    /**
     * Adds what one call of the recorder made.
     *
     * @param steps the number of all steps of the program so far
     */
    void add(String label, List<ValueUse> uses, int steps, boolean isMaybeInPlace) {
        List<CheckedRange> reads = new ArrayList<>();
        List<CheckedRange> writes = new ArrayList<>();
        List<CheckedRange> loads = new ArrayList<>();
        boolean namesReads = true;
        boolean namesWrites = true;
        for (ValueUse use : uses) {
            if (use.id() == null) {
                namesReads &= use.writes() && !use.loads();
                namesWrites &= !use.writesValues();
            } else if (!use.writes()) {
                add(reads, use, use.id());
            } else if (!use.isShadow()) {
                add(writes, use, use.id());
                if (use.loads()) {
                    add(loads, use, use.id());
                }
            }
        }
        CheckedStep step = new CheckedStep(label, reads, writes, loads, namesReads, namesWrites, isMaybeInPlace);
        parts.add(new Part(step, recorded, steps));
        recorded = steps;
    }

    private static void add(List<CheckedRange> ranges, ValueUse use, NodeId id) {
        ExecutionChecks of = use.home().checks();
        if (of != null) {
            BufferSlot bytes = use.bytes();
            ranges.add(of.range(id, bytes.offset(), bytes.end()));
        }
    }
}
