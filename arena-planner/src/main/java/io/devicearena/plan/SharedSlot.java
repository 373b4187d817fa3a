package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * Two values of which one lies in the slot of the other, although both are needed at one step, because the graph allows
 * it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param value the value that has no bytes of its own
 * @param host the value in whose slot it lies
 * @param reason why it may
 */
public record SharedSlot(NodeId value, NodeId host, Reason reason) {
    /**
     * Why two values may share bytes.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Reason {
        /** The value is made over the host, an input that the op is the last to use ({@link PlanNode#inPlaceInputs}). */
        IN_PLACE,
        /** The value is a part of the host, their concatenation ({@link PlanNode#isConcatenation}). */
        CONCATENATION
    }

    /** Makes the pair. */
    public SharedSlot {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(reason, "reason");
    }
}
