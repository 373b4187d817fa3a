package io.devicearena.checks;

import io.devicearena.DType;
import io.devicearena.ExecutionCheckException;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.spi.memory.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The checks of one arena: {@link io.devicearena.ArenaOptions#withChecks}. They compare each step, read and write with
 * the plan.
 *
 * <p>The base class of arenas, {@code AbstractDeviceArena}, makes them and checks its own calls. A backend with
 * programs of its own runs each step of a program by {@link #step(CheckedStep, Runnable)}.
 *
 * <p><b>Threads:</b> safe for any thread. Steps run one at a time.
 */
public final class ExecutionChecks {
    private final CheckedArena arena;
    private final CheckedMemory memory;
    private final CheckedPlan plan;
    private final @Nullable ExecutionChecks weights;
    private final boolean typed;

    /**
     * Makes the checks of an arena.
     *
     * @param arena the arena
     * @param plan its plan
     * @param memory what is known of its bytes, shared by all views
     * @param weights the checks of the arena whose weights it uses, or empty for none
     * @param typed whether values hold elements of the types of the plan
     */
    public ExecutionChecks(
            CheckedArena arena,
            MemoryPlan plan,
            CheckedMemory memory,
            Optional<ExecutionChecks> weights,
            boolean typed) {
        this.arena = arena;
        this.memory = memory;
        this.plan = memory.plan(plan);
        this.weights = weights.orElse(null);
        this.typed = typed;
    }

    /**
     * Names bytes of a value, for a step.
     *
     * @param id a value of this arena, with a slot
     * @param begin where they begin: bytes from the arena's start
     * @param end where they end
     * @return the range
     * @throws IllegalArgumentException if the value has no slot
     */
    public CheckedRange range(NodeId id, long begin, long end) {
        CheckedValue value = plan.find(id);
        if (value == null) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected a value with a slot, got one without");
        }
        return new CheckedRange(this, value, begin, end);
    }

    /**
     * Runs a step that reads and writes whole values.
     *
     * @param label the name of the step
     * @param reads the values that it reads
     * @param writes the values that it writes
     * @param work computes it; what it throws reaches the caller
     * @throws ExecutionCheckException if the execution does not follow the plan
     * @throws IllegalArgumentException if the plan does not know a value
     * @throws IllegalStateException if this thread runs a step already
     */
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
            ranges.add(new CheckedRange(this, value, value.begin(), value.slotEnd()));
        } else if (!plan.knows(id)) {
            if (!orWeights || weights == null || weights.plan.find(id) == null) {
                throw new IllegalArgumentException("step '" + label + "': expected values of the plan, got "
                        + plan.describe(id) + ", which it does not know; name the values of this arena");
            }
            weights.add(label, ranges, id, false);
        }
    }

    /**
     * Runs a step and checks it: what it reads before, and what it has written after.
     *
     * @param step its name, and what it reads and writes
     * @param work computes it; what it throws reaches the caller
     * @throws ExecutionCheckException if the execution does not follow the plan
     * @throws IllegalStateException if this thread runs a step already
     */
    public void step(CheckedStep step, Runnable work) {
        memory.steps.lock();
        try {
            StepCheck check;
            synchronized (memory) {
                String running = memory.running();
                if (running != null) {
                    throw new IllegalStateException(step.subject() + ": expected no step inside another one, got step '"
                            + running + "' under way; run them one after the other");
                }
                sync();
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

    /**
     * Runs several steps without steps of other threads between them.
     *
     * @param steps runs them
     * @param <T> what it returns
     * @return what {@code steps} returned
     */
    public <T> T together(Supplier<T> steps) {
        memory.steps.lock();
        try {
            return steps.get();
        } finally {
            memory.steps.unlock();
        }
    }

    /**
     * Notes that work which the arena did not see wrote values.
     *
     * @param ids the values; each has a slot
     */
    public void markWritten(List<NodeId> ids) {
        synchronized (memory) {
            memory.start(arena);
            for (NodeId id : ids) {
                CheckedValue value = Objects.requireNonNull(plan.find(id));
                memory.noteHostWrite(arena, Writer.unknown(memory.tick(), value.begin(), value.slotEnd()));
            }
        }
    }

    /** Prepares the memory before anything is written to it. */
    public void begin() {
        synchronized (memory) {
            memory.start(arena);
        }
    }

    /** Notes what was written to the memory itself. */
    private void sync() {
        memory.start(arena);
        memory.markChanged(memory.load(arena), plan);
        memory.accept();
    }

    /**
     * Makes a write of the host to a value.
     *
     * @param id the value
     * @param dtype the type of what is written
     * @param begin where it begins: bytes from the arena's start
     * @param bytes its length
     * @param move makes the write
     * @throws ExecutionCheckException if a float that was written is not finite
     */
    public void write(NodeId id, DType dtype, long begin, long bytes, Runnable move) {
        writeAs(id, dtype, begin, bytes, move);
    }

    /**
     * Makes a write of bytes by the host to a value, which have the type of the plan.
     *
     * @param id the value
     * @param begin where it begins: bytes from the arena's start
     * @param bytes its length
     * @param move makes the write
     * @throws ExecutionCheckException if a float that was written is not finite
     */
    public void write(NodeId id, long begin, long bytes, Runnable move) {
        writeAs(id, null, begin, bytes, move);
    }

    private void writeAs(NodeId id, @Nullable DType dtype, long begin, long bytes, Runnable move) {
        synchronized (memory) {
            memory.start(arena);
            move.run();
            requireNull(noteValue(id, dtype, begin, bytes));
        }
    }

    private @Nullable ExecutionCheckException noteValue(NodeId id, @Nullable DType dtype, long begin, long bytes) {
        CheckedValue value = Objects.requireNonNull(plan.find(id));
        value.markWritten(memory.tick());
        memory.noteHostWrite(arena, Writer.host(value, memory.time(), begin, begin + bytes));
        DType type = dtype == null && typed ? value.dtype() : dtype;
        return type != null && FloatBits.isFloat(type)
                ? new FiniteCheck(null, null, memory.known()).problem(value, type, begin, begin + bytes)
                : null;
    }

    /**
     * Makes a write of the host at any offset.
     *
     * @param begin where it begins: bytes from the arena's start
     * @param bytes its length
     * @param move makes the write
     * @throws ExecutionCheckException if a float that was written to an input or a weight is not finite
     */
    public void writeRaw(long begin, long bytes, Runnable move) {
        synchronized (memory) {
            memory.start(arena);
            move.run();
            requireNull(noteRaw(begin, bytes));
        }
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

    /**
     * Makes the writes of a batch.
     *
     * @param spans the writes
     * @param move makes them
     * @throws ExecutionCheckException if a float that was written is not finite; all writes were made
     */
    public void writeBatch(List<Span> spans, Runnable move) {
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

    /**
     * Requires that the host may read bytes of a value now.
     *
     * @param id the value
     * @param begin where they begin: bytes from the arena's start
     * @param bytes how many
     * @throws ExecutionCheckException if they do not hold the value
     */
    public void requireReadable(NodeId id, long begin, long bytes) {
        synchronized (memory) {
            if (memory.running() != null && memory.steps.isHeldByCurrentThread()) {
                return; // a read of the step itself
            }
            memory.start(arena);
            CheckedRange range = new CheckedRange(this, Objects.requireNonNull(plan.find(id)), begin, begin + bytes);
            if (problem(range, null) != null) {
                if (memory.running() == null) {
                    sync();
                }
                requireNull(problem(range, null));
            }
        }
    }

    /** What is wrong with a read of a step of this or another arena, or of the host; null if nothing is. */
    @Nullable ExecutionCheckException problem(CheckedRange range, @Nullable String step) {
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
