package io.devicearena.diagnostics.internal.checks;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.observation.CheckedAccess;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the bytes of an arena with checks; all views of the arena share it. It does not refer to them.
 *
 * <p><b>Threads:</b> safe for any thread, by its monitor. A step also holds {@link #steps}, from its begin to its end,
 * but not the monitor while it computes.
 */
public final class CheckedMemory {
    /** Held by a step, so that steps run one at a time. */
    final ReentrantLock steps = new ReentrantLock();

    final WriterMap writers = new WriterMap();

    private final long bytes;
    private final Map<MemoryPlan, CheckedPlan> plans = new HashMap<>();
    /** The plans whose states are ready to be read. */
    private int prepared;

    /** Counts the steps and the writes of the host. */
    private long time;
    /** When a step ran last that may have written any byte. */
    private long anyWritten = -1;

    /** What every step is compared with: all but what keeps its bytes from run to run. */
    private BitSet always = new BitSet();
    /** Whether bytes changed that no step names, so that every step is compared with all bytes. */
    private boolean unexplained;
    /** What the last step was compared with after it ran. */
    private BitSet compared = new BitSet();

    private @Nullable Snapshot known;
    private @Nullable Snapshot other;
    /** The label of the step under way; null for none. */
    private @Nullable String running;
    /** What the host writes while a step is under way: pairs of begin and end. */
    private final List<long[]> during = new ArrayList<>();

    /**
     * Makes the state of a new memory.
     *
     * @param bytes the bytes of the plan, without scratch
     */
    public CheckedMemory(long bytes) {
        this.bytes = bytes;
    }

    /** The checked bytes: those of the plan. */
    long bytes() {
        return bytes;
    }

    /** The values of a plan. */
    synchronized CheckedPlan plan(MemoryPlan plan) {
        return plans.computeIfAbsent(plan, CheckedPlan::new);
    }

    /** Fills the memory with poison, before its first use; values of role state stay zero. */
    void start(CheckedAccess arena) {
        if (known == null) {
            known = new Snapshot(bytes);
            other = new Snapshot(bytes);
            plans.values().forEach(plan -> states(plan).forEach(this::markAsNew));
            for (WriterMap.Span span : writers.spans(0, bytes)) {
                if (span.writer() == null) {
                    poison(arena, span.begin(), span.end(), null);
                }
            }
        }
        if (prepared < plans.size()) {
            plans.values().forEach(plan -> states(plan).forEach(state -> zero(arena, state)));
            prepared = plans.size();
            always = Pages.notKept(plans.values(), bytes);
        }
    }

    /** Makes a state zero that nothing has written: that of a plan which came after the start. */
    private void zero(CheckedAccess arena, CheckedValue state) {
        for (WriterMap.Span span : writers.spans(state.begin(), state.slotEnd())) {
            if (span.writer() == null) {
                known().fill(arena, span.begin(), span.end(), (part, _) -> part.fill((byte) 0));
                writers.write(span.begin(), span.end(), Writer.unknown(0, span.begin(), span.end()));
            }
        }
    }

    private static List<CheckedValue> states(CheckedPlan plan) {
        return plan.values().stream().filter(CheckedValue::isState).toList();
    }

    private void markAsNew(CheckedValue state) {
        writers.write(state.begin(), state.slotEnd(), Writer.unknown(0, state.begin(), state.slotEnd()));
    }

    /** The bytes as they were seen last. */
    Snapshot known() {
        if (known == null) {
            throw new AssertionError("not started");
        }
        return known;
    }

    BitSet all() {
        return Pages.all(bytes);
    }

    /** What a step is compared with: what keeps no bytes, what it names, and some pages around that. */
    BitSet reach(ValueStep step) {
        if (unexplained || !step.facts().namesWrites()) {
            return all();
        }
        BitSet pages = (BitSet) always.clone();
        Stream.concat(step.reads().stream(), step.writes().stream())
                .filter(range -> range.home().memory() == this)
                .forEach(range -> Pages.add(pages, range, bytes));
        return pages;
    }

    BitSet compared() {
        return compared;
    }

    /** Copies pages of the arena; {@link #accept} must follow. */
    Snapshot load(CheckedAccess arena, BitSet pages) {
        if (other == null) {
            throw new AssertionError("not started");
        }
        for (long[] range : Pages.ranges(pages, bytes)) {
            other.load(arena, range[0], range[1]);
        }
        return other;
    }

    /** Makes the pages that were loaded last the known ones. */
    void accept(Snapshot now, BitSet pages) {
        for (long[] range : Pages.ranges(pages, bytes)) {
            long changed = known().mismatch(now, range[0], range[1]);
            known().copyFrom(now, changed < 0 ? range[1] : changed, range[1]);
        }
        compared = pages;
    }

    /**
     * Finds a change of bytes that something had written, puts them back so that the next run makes it again, and has
     * each later step compared with all bytes.
     *
     * @return the first such byte; -1 for none
     */
    long unexplained(CheckedAccess arena, Snapshot now, BitSet pages) {
        for (long[] range : Pages.ranges(pages, bytes)) {
            for (long at = range[0]; at < range[1]; ) {
                long changed = known().mismatch(now, at, range[1]);
                if (changed < 0) {
                    break;
                }
                WriterMap.Span span = writers.spans(changed, range[1]).getFirst();
                if (span.writer() != null) {
                    unexplained = true;
                    known().store(arena, changed, span.end());
                    now.copyFrom(known(), changed, span.end());
                    return changed;
                }
                at = span.end();
            }
        }
        return -1;
    }

    /** The number of the latest step or write of the host. */
    long time() {
        return time;
    }

    /** Counts a step or a write of the host; returns its number. */
    long tick() {
        return ++time;
    }

    /** When a step ran last that may have written any byte; -1 for never. */
    long anyWritten() {
        return anyWritten;
    }

    /** Fills bytes with the poison of a type, as if nothing had written them. */
    void poison(CheckedAccess arena, long begin, long end, @Nullable DType dtype) {
        known().fill(arena, begin, end, (part, at) -> Poison.fill(part, at, dtype));
        writers.clear(begin, end);
    }

    /** Notes that the step under way may have written any byte. */
    void markAnyWritten(CheckedAccess arena, Snapshot now, CheckedPlan plan) {
        anyWritten = time;
        markChanged(arena, now, all(), plan);
    }

    /** Marks what differs between the known bytes and pages of others as written by an unknown writer. */
    void markChanged(CheckedAccess arena, Snapshot now, BitSet pages, CheckedPlan plan) {
        Pages.ranges(pages, bytes).forEach(range -> markChanged(arena, now, range[0], range[1], plan));
    }

    private void markChanged(CheckedAccess arena, Snapshot now, long begin, long end, CheckedPlan plan) {
        long at = begin;
        while (at < end) {
            long changed = known().mismatch(now, at, end);
            if (changed < 0) {
                return;
            }
            long next = plan.boundaryAfter(changed, bytes);
            writers.write(changed, next, Writer.unknown(time, changed, next));
            for (CheckedValue value : plan.at(changed)) {
                writers.write(value.begin(), value.slotEnd(), Writer.unknown(time, value.begin(), value.slotEnd()));
                if (value.begin() < begin || value.slotEnd() > end) {
                    known().load(
                                    arena,
                                    value.begin(),
                                    value.slotEnd()); // it was written whole, not on these pages alone
                }
            }
            at = next;
        }
    }

    /** The label of the step under way, or null for none. */
    @Nullable String running() {
        return running;
    }

    void beginStep(String label) {
        running = label;
        during.clear();
    }

    void endStep() {
        running = null;
    }

    /** What the host wrote since the step began: pairs of begin and end. */
    List<long[]> during() {
        return during;
    }

    /** Records a write of the host, which has been made. */
    void noteHostWrite(CheckedAccess arena, Writer writer) {
        long end = Math.min(writer.end(), bytes);
        if (writer.begin() < end) {
            writers.write(writer.begin(), end, writer);
            known().load(arena, writer.begin(), end);
            if (running != null) {
                during.add(new long[] {writer.begin(), end});
            }
        }
    }
}
