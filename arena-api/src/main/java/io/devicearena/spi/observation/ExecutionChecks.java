package io.devicearena.spi.observation;

import io.devicearena.ExecutionCheckException;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.Span;
import java.util.List;
import java.util.function.Supplier;

/**
 * The checks of one arena: {@link io.devicearena.ArenaOptions#withChecks}. They compare each step, read and write with
 * the plan.
 *
 * <p>The arena checks its own calls. A backend with programs of its own runs each step of a program by {@link
 * #step(CheckedStep, Runnable)}.
 *
 * <p><b>Threads:</b> safe for any thread. Steps run one at a time.
 */
public interface ExecutionChecks {
    /** Prepares the memory before the host gets a way to write to it unseen. */
    void begin();

    /**
     * Makes writes of the host.
     *
     * @param spans the writes
     * @param move makes them
     * @throws ExecutionCheckException if a float that was written is not finite; all writes were made
     */
    void write(List<Span> spans, Runnable move);

    /**
     * Requires that the host may read values now. Raw spans are not checked.
     *
     * @param spans what is to be read
     * @throws ExecutionCheckException if they do not hold the values
     */
    void requireReadable(List<Span> spans);

    /**
     * Names bytes of a value, for a step.
     *
     * @param id a value of this arena, with a slot
     * @param begin where they begin: bytes from the arena's start
     * @param end where they end
     * @return the range
     * @throws IllegalArgumentException if the value has no slot
     */
    CheckedRange range(NodeId id, long begin, long end);

    /**
     * Runs a step and checks it: what it reads before, and what it has written after.
     *
     * @param step its name, and what it reads and writes
     * @param work computes it; what it throws reaches the caller
     * @throws ExecutionCheckException if the execution does not follow the plan
     * @throws IllegalStateException if this thread runs a step already
     */
    void step(CheckedStep step, Runnable work);

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
    void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work);

    /**
     * Runs several steps without steps of other threads between them.
     *
     * @param steps runs them
     * @param <T> what it returns
     * @return what {@code steps} returned
     */
    <T> T together(Supplier<T> steps);

    /**
     * Notes that work which the arena did not see wrote values.
     *
     * @param ids the values; each has a slot
     */
    void markWritten(List<NodeId> ids);
}
