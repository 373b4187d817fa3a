package io.devicearena.diagnostics.internal.checks;

import io.devicearena.DType;
import io.devicearena.ExecutionCheckException;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.spi.observation.CheckedAccess;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks one step: its place in the schedule and its reads before it runs, what it changed after. Threads: one thread
 * at a time, with the monitor of the memory.
 *
 * @param typed whether values hold elements of the types of the plan
 * @param time the number of the step, as the memory counts
 */
record StepCheck(CheckedAccess arena, CheckedMemory memory, ValueStep step, boolean typed, long time) {
    /** Checks the order and the reads, and poisons what the step is to write. */
    void before() {
        Map<CheckedPlan, List<CheckedValue>> written = step.writtenByPlan();
        step.writes().forEach(this::requireWritable);
        written.forEach(this::requireOrder);
        written.forEach((plan, values) -> plan.advance(values, step.readsComputed(), time));
        for (ValueRange read : step.reads()) {
            ExecutionCheckException found = read.home().problem(read, step.label());
            if (found != null) {
                throw found;
            }
        }
        if (step.facts().namesReads() && typed) {
            step.writes().forEach(this::poison);
        }
        step.reads().forEach(read -> read.value().markRead(time));
    }

    /** A step writes no constant, and a parameter only before anything else: to load it. */
    private void requireWritable(ValueRange write) {
        CheckedValue value = write.value();
        if (value.root().role() == NodeRole.CONSTANT) {
            throw finding(value, "expected to write no constant, got " + value + "; write it from the host, once");
        }
        if (value.root().role() == NodeRole.PARAMETER) {
            for (WriterMap.Span span : memory.writers.spans(write.begin(), write.end())) {
                Writer writer = span.writer();
                if (writer != null
                        && (writer.kind() != Writer.Kind.STEP
                                || writer.time() < value.plan().began())) {
                    throw finding(
                            value,
                            "expected to write no parameter that is loaded, got " + value
                                    + "; plan what steps change as a state");
                }
            }
        }
    }

    /** Notes that the step had a finding, or threw. */
    void failed() {
        step.written().forEach(value -> value.plan().breakRun());
    }

    private void requireOrder(CheckedPlan plan, List<CheckedValue> written) {
        CheckedValue late = plan.late(written, step.readsComputed());
        if (late != null) {
            CheckedValue last = plan.last();
            NodeId first = plan.firstOp();
            throw finding(
                    late,
                    "expected the order of the schedule, got " + late + " (position " + late.position() + " of "
                            + plan.scheduled() + ") after " + last
                            + (last == null ? "" : " (position " + last.position() + ")")
                            + "; run the steps in the order of MemoryPlan.schedule()"
                            + (first == null ? "" : ", and begin each run with " + plan.describe(first)));
        }
    }

    /** Poisons the bytes of a value that no step has written yet in this run, so that unwritten elements are found. */
    private void poison(ValueRange write) {
        DType dtype = write.value().dtype();
        if (dtype != null) {
            for (WriterMap.Span span : memory.writers.spans(write.begin(), write.writableEnd())) {
                if (!isRead(span) && isDead(span.writer(), write)) {
                    memory.poison(arena, span.begin(), span.end(), dtype);
                }
            }
        }
    }

    /** Whether what wrote some bytes is over, so that a step which writes there finds nothing of use. */
    private boolean isDead(@Nullable Writer writer, ValueRange write) {
        CheckedValue old = writer == null ? null : writer.value();
        if (writer == null || old == null) {
            return writer == null; // what the memory itself got may be an input
        }
        CheckedPlan plan = write.value().plan();
        boolean isOfThisRun =
                writer.kind() != Writer.Kind.STEP || (old.plan() == plan && writer.time() >= plan.began());
        if (old.root() == write.value().root() || old.isSharedWith(write.value())) {
            return !write.value().isKept() && !isOfThisRun;
        }
        boolean isKeptInPlace =
                step.loads().contains(write) || (step.facts().isMaybeInPlace() && old.read() <= writer.time());
        return !isKeptInPlace
                || !isOfThisRun
                || old.root().begin() != write.value().root().begin();
    }

    private boolean isRead(WriterMap.Span span) {
        for (ValueRange read : step.reads()) {
            if (read.begin() < span.end() && read.end() > span.begin()) {
                return true;
            }
        }
        return false;
    }

    /** Checks what the step changed; the plan is that of the arena that runs it. */
    void after(CheckedPlan plan) {
        step.written().forEach(value -> value.markWritten(time));
        boolean isLast = step.written().stream().anyMatch(value -> value.plan().isAtEnd());
        BitSet reach = memory.reach(step);
        BitSet pages = isLast ? memory.all() : reach;
        Snapshot now = memory.load(arena, pages);
        ExecutionCheckException found = null;
        if (step.facts().namesWrites()) {
            found = outside(now, reach, plan);
            found = found == null ? unexplained(now, Pages.without(pages, reach), plan) : found;
        } else {
            memory.markAnyWritten(arena, now, plan);
        }
        for (ValueRange write : step.writes()) {
            CheckedValue value = write.value();
            long end = write.end() >= value.writableEnd() ? value.slotEnd() : write.end();
            memory.writers.write(write.begin(), end, Writer.step(value, time, step.label(), write.begin(), end));
            DType dtype = value.dtype();
            if (found == null && typed && dtype != null && FloatBits.isFloat(dtype)) {
                long last = Math.min(write.end(), value.begin() + write.home().lengthOf(value));
                found = notFinite(now, value, dtype, write.begin(), last);
            }
        }
        memory.accept(now, pages);
        if (found != null) {
            throw found;
        }
    }

    /** Looks at elements that changed, and at those written by calls of the arena, which are known already. */
    private @Nullable ExecutionCheckException notFinite(
            Snapshot now, CheckedValue value, DType dtype, long begin, long end) {
        ExecutionCheckException found =
                new FiniteCheck(step.label(), memory.known(), now).problem(value, dtype, begin, end);
        for (long[] range : memory.during()) {
            if (found == null) {
                found = new FiniteCheck(step.label(), null, now)
                        .problem(value, dtype, Math.max(begin, range[0]), Math.min(end, range[1]));
            }
        }
        return found;
    }

    private @Nullable ExecutionCheckException outside(Snapshot now, BitSet reach, CheckedPlan plan) {
        List<long[]> allowed = new ArrayList<>(memory.during());
        step.writes().forEach(write -> allowed.add(new long[] {write.begin(), write.writableEnd()}));
        allowed.sort(Comparator.comparingLong(range -> range[0]));
        allowed.add(new long[] {memory.bytes(), memory.bytes()});
        for (long[] part : Pages.ranges(reach, memory.bytes())) {
            long at = part[0];
            for (long[] range : allowed) {
                long end = Math.min(range[0], part[1]);
                long changed = at < end ? memory.known().mismatch(now, at, end) : -1;
                if (changed >= 0) {
                    return outside(changed, plan);
                }
                at = Math.max(at, range[1]);
            }
        }
        return null;
    }

    /** A change on pages with which no step was compared since the run began: by one of its steps. */
    @Nullable ExecutionCheckException unexplained(Snapshot now, BitSet pages, CheckedPlan plan) {
        long changed = memory.unexplained(arena, now, pages);
        if (changed < 0) {
            return null;
        }
        CheckedValue value = plan.at(changed).getFirst();
        return finding(
                value,
                "expected " + value + " to keep its bytes in this run, got a change at byte " + changed
                        + " by a step that does not name it; run again to have that step named: the bytes are put back,"
                        + " and each step is now compared with the whole plan; a write of your own goes"
                        + " through the arena");
    }

    private ExecutionCheckException outside(long changed, CheckedPlan plan) {
        Writer writer = memory.writers.spans(changed, changed + 1).getFirst().writer();
        CheckedValue owner = writer == null ? null : writer.value();
        String names = step.writes().isEmpty()
                ? "no value"
                : "only "
                        + step.writes().stream()
                                .map(write -> write.value() + " (bytes " + write.begin() + " to "
                                        + Math.min(write.writableEnd(), write.end()) + ")")
                                .collect(Collectors.joining(", "));
        return new ExecutionCheckException(
                Optional.of(step.label()),
                Optional.ofNullable(owner)
                        .or(() -> step.written().stream().findFirst())
                        .map(CheckedValue::id),
                step.subject() + ": expected to change " + names + ", got a change at byte " + changed + ", "
                        + where(changed, owner, plan)
                        + "; correct offset, size or workgroups, or name the value among those that the step writes");
    }

    private static String where(long changed, @Nullable CheckedValue owner, CheckedPlan plan) {
        if (owner != null && changed < owner.writableEnd()) {
            return "of " + owner;
        }
        for (CheckedValue value : plan.at(changed)) {
            if (changed >= value.writableEnd()) {
                return (changed - value.writableEnd()) + " bytes behind " + value;
            }
        }
        List<CheckedValue> there = plan.at(changed);
        return there.isEmpty() ? "of no value" : "of " + there.getFirst();
    }

    private ExecutionCheckException finding(CheckedValue value, String what) {
        return new ExecutionCheckException(
                Optional.of(step.label()), Optional.of(value.id()), step.subject() + ": " + what);
    }
}
