package io.devicearena;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A mistake in the execution of a graph, found by an arena with checks: {@link ArenaOptions#withChecks}.
 *
 * <p>The message names the step, the value, the bytes, the other value if there is one, and the remedy. The arena
 * remains usable.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class ExecutionCheckException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /** The label of the step, or null for none. */
    private final @Nullable String step;

    /** The number of the value, or -1 for none. */
    private final long value;

    /**
     * Makes the exception.
     *
     * @param step the label of the step, or empty for a read or a write by the host
     * @param value the value, or empty for none
     * @param message what is wrong, with the value, the bytes and the remedy
     */
    public ExecutionCheckException(Optional<String> step, Optional<NodeId> value, String message) {
        super(message);
        this.step = step.orElse(null);
        this.value = value.map(NodeId::value).orElse(-1L);
    }

    /** {@return the label of the step, or empty for a read or a write by the host} */
    public Optional<String> step() {
        return Optional.ofNullable(step);
    }

    /** {@return the value, or empty for bytes of no value} */
    public Optional<NodeId> value() {
        return value < 0 ? Optional.empty() : Optional.of(NodeId.of(value));
    }
}
