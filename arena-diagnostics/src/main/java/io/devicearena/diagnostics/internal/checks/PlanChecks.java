package io.devicearena.diagnostics.internal.checks;

import io.devicearena.DType;
import io.devicearena.ExecutionCheckException;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.CheckedAccess;
import io.devicearena.spi.observation.CheckedRange;
import io.devicearena.spi.observation.CheckedStep;
import io.devicearena.spi.observation.ExecutionChecks;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The checks of one arena. Threads: safe for any thread; steps run one at a time. */
public final class PlanChecks implements ExecutionChecks {
    private final CheckedAccess arena;
    private final CheckedMemory memory;
    private final CheckedPlan plan;
    private final @Nullable PlanChecks weights;
    private final boolean typed;

    /**
     * Makes the checks of an arena.
     *
     * @param arena its bytes
     * @param plan its plan
     * @param memory what is known of its bytes, shared by all views
     * @param weights the checks of the arena whose weights it uses, or null for none
     * @param typed whether values hold elements of the types of the plan
     */
    public PlanChecks(
            CheckedAccess arena, MemoryPlan plan, CheckedMemory memory, @Nullable PlanChecks weights, boolean typed) {
        this.arena = arena;
        this.memory = memory;
        this.plan = memory.plan(plan);
        this.weights = weights;
        this.typed = typed;
    }

    @Override
    public CheckedRange range(NodeId id, long begin, long end) {
        if (plan.find(id) == null) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a value with a slot, got one without");
        }
        return new CheckedRange(this, id, begin, end);
    }

    /** The value of a range, which checks of this class made. */
    static ValueRange resolve(CheckedRange range) {
        PlanChecks home = (PlanChecks) range.home();
        return new ValueRange(home, Objects.requireNonNull(home.plan.find(range.id())), range.begin(), range.end());
    }

    @Override
    public void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
        List<CheckedRange> read = new ArrayList<>();
        List<CheckedRange> written = new ArrayList<>();
        reads.forEach(id -> add(label, read, id, true));
        writes.forEach(id -> add(label, written, id, false));
        step(new CheckedStep(label, read, written, List.of(), true, true, false), work);
    }

    private void add(String label, List<CheckedRange> ranges, NodeId id, boolean orWeights) {
        CheckedValue value = plan.find(Objects.requireNonNull(id, "id"));
        if (value != null) {
            ranges.add(new CheckedRange(this, id, value.begin(), value.slotEnd()));
        } else if (!plan.knows(id)) {
            if (!orWeights || weights == null || weights.plan.find(id) == null) {
                throw new IllegalArgumentException("step '" + label + "': expected values of the plan, got "
                        + plan.describe(id) + ", which it does not know; name the values of this arena");
            }
            weights.add(label, ranges, id, false);
        }
    }

    @Override
    public void step(CheckedStep checked, Runnable work) {
        ValueStep step = ValueStep.of(checked);
        memory.steps.lock();
        try {
            StepCheck check;
            synchronized (memory) {
                String running = memory.running();
                if (running != null) {
                    throw new IllegalStateException(step.subject() + ": expected no step inside another one, got step '"
                            + running + "' under way; run them one after the other");
                }
                sync(step);
                check = new StepCheck(arena, memory, step, typed, memory.tick());
            }
            boolean passed = false;
            try {
                synchronized (memory) {
                    check.before();
                    memory.beginStep(step.label());
                }
                work.run();
                synchronized (memory) {
                    check.after(plan);
                }
                passed = true;
            } finally {
                synchronized (memory) {
                    memory.endStep();
                    if (!passed) {
                        check.failed();
                    }
                }
            }
        } finally {
            memory.steps.unlock();
        }
    }

    @Override
    public <T> T together(Supplier<T> steps) {
        memory.steps.lock();
        try {
            return steps.get();
        } finally {
            memory.steps.unlock();
        }
    }

    @Override
    public void markWritten(List<NodeId> ids) {
        synchronized (memory) {
            memory.start(arena);
            for (NodeId id : ids) {
                CheckedValue value = Objects.requireNonNull(plan.find(id));
                memory.noteHostWrite(arena, Writer.unknown(memory.tick(), value.begin(), value.slotEnd()));
            }
        }
    }

    @Override
    public void begin() {
        synchronized (memory) {
            memory.start(arena);
        }
    }

    /** Notes what was written to the memory itself before a step, or null for a read of the host. */
    private void sync(@Nullable ValueStep step) {
        memory.start(arena);
        StepCheck check =
                step == null || step.isFirst() ? null : new StepCheck(arena, memory, step, typed, memory.time());
        BitSet pages = check == null ? memory.all() : memory.reach(check.step());
        Snapshot now = memory.load(arena, pages);
        if (check != null) {
            ExecutionCheckException found = check.unexplained(now, Pages.without(pages, memory.compared()), plan);
            if (found != null) {
                check.failed();
                throw found;
            }
        }
        memory.markChanged(arena, now, pages, plan);
        memory.accept(now, pages);
    }

    CheckedMemory memory() {
        return memory;
    }

    private @Nullable ExecutionCheckException noteValue(NodeId id, DType type, long begin, long bytes) {
        CheckedValue value = Objects.requireNonNull(plan.find(id));
        value.markWritten(memory.tick());
        memory.noteHostWrite(arena, Writer.host(value, memory.time(), begin, begin + bytes));
        return FloatBits.isFloat(type)
                ? new FiniteCheck(null, null, memory.known()).problem(value, type, begin, begin + bytes)
                : null;
    }

    private @Nullable ExecutionCheckException noteRaw(long begin, long bytes) {
        long end = begin + bytes;
        memory.noteHostWrite(arena, Writer.raw(memory.tick(), begin, end));
        for (CheckedValue value : plan.values()) {
            DType dtype = value.dtype();
            NodeRole role = value.role();
            if (typed
                    && dtype != null
                    && role != null
                    && role.isPersistent()
                    && FloatBits.isFloat(dtype)
                    && value.begin() < end
                    && value.slotEnd() > begin) {
                ExecutionCheckException found = new FiniteCheck(null, null, memory.known())
                        .problem(
                                value,
                                dtype,
                                Math.max(begin, value.begin()),
                                Math.min(end, value.begin() + lengthOf(value)));
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    @Override
    public void write(List<Span> spans, Runnable move) {
        synchronized (memory) {
            memory.start(arena);
            move.run();
            ExecutionCheckException first = null;
            for (Span span : spans) {
                ExecutionCheckException found = span.node().isEmpty()
                        ? noteRaw(span.offset(), span.bytes())
                        : noteValue(span.node().get(), span.dtype(), span.offset(), span.bytes());
                first = first == null ? found : first;
            }
            requireNull(first);
        }
    }

    @Override
    public void requireReadable(List<Span> spans) {
        for (Span span : spans) {
            span.node().ifPresent(node -> requireReadable(node, span.offset(), span.bytes()));
        }
    }

    private void requireReadable(NodeId id, long begin, long bytes) {
        synchronized (memory) {
            if (memory.running() != null && memory.steps.isHeldByCurrentThread()) {
                return; // a read of the step itself
            }
            memory.start(arena);
            ValueRange range = new ValueRange(this, Objects.requireNonNull(plan.find(id)), begin, begin + bytes);
            if (problem(range, null) != null) {
                if (memory.running() == null) {
                    sync(null);
                }
                requireNull(problem(range, null));
            }
        }
    }

    /** What is wrong with a read of a step of this or another arena, or of the host; null if nothing is. */
    @Nullable ExecutionCheckException problem(ValueRange range, @Nullable String step) {
        synchronized (memory) {
            memory.start(arena);
            CheckedValue value = range.value();
            long end = Math.min(range.end(), value.begin() + lengthOf(value));
            if (range.begin() >= end) {
                return null;
            }
            if (step == null) {
                memory.known().load(arena, range.begin(), end);
            }
            return new ReadCheck(memory, step).problem(value, range.begin(), end, typed);
        }
    }

    /** The actual length of a value, in bytes. */
    long lengthOf(CheckedValue value) {
        return arena.lengthBytes(value.id());
    }

    private static void requireNull(@Nullable ExecutionCheckException found) {
        if (found != null) {
            throw found;
        }
    }
}
