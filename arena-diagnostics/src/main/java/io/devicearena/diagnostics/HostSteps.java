package io.devicearena.diagnostics;

import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.spi.observation.ExecutionChecks;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Runs the ops that an engine computes on the host, so that an arena with checks sees them.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public final class HostSteps {
    private HostSteps() {}

    /**
     * Runs one step of a graph: the op that makes a value, computed on the host. An engine that computes in the {@link
     * MemorySegment} of an arena runs each of its ops so. With checks, the arena compares what the step reads and
     * writes with the plan; without, this calls {@code work} and no more.
     *
     * <p>A step is a whole op: it writes all of its values. It may use several threads, which must not run steps of
     * this arena. A plan that fused a value away has no bytes for it, and no check.
     *
     * @param arena the arena of the values
     * @param label the name of the step in messages
     * @param reads the values that the step reads, of this arena or of the one whose weights it uses
     * @param writes the values that the step writes
     * @param work computes the values; what it throws reaches the caller
     * @throws io.devicearena.ExecutionCheckException if the arena has checks and finds a mistake; {@code work} has run
     *     if the mistake is in what it wrote
     * @throws IllegalArgumentException if the arena has checks and its plan does not know a value
     * @throws IllegalStateException if the arena is closed, or has checks and runs a step already on this thread
     */
    public static void run(DeviceArena arena, String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
        Objects.requireNonNull(label, "label");
        Objects.requireNonNull(reads, "reads");
        Objects.requireNonNull(writes, "writes");
        Objects.requireNonNull(work, "work");
        Optional<ExecutionChecks> checks = arena.unwrap(ExecutionChecks.class);
        if (checks.isPresent()) {
            checks.get().step(label, reads, writes, work);
        } else {
            work.run();
        }
    }
}
