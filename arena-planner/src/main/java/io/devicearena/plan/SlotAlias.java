package io.devicearena.plan;

import io.devicearena.NodeId;
import java.util.Objects;

/**
 * A value that lies in the slot of another one although both are needed at one step, because the graph allows it.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param value the value that has no bytes of its own
 * @param host the value in whose slot it lies
 * @param reason why it may lie there
 */
public record SlotAlias(NodeId value, NodeId host, Reason reason) {
    /**
     * Why two values may share bytes.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Reason {
        /** The value is written over the host, one of the {@link PlanNode#inPlaceInputs} of its op. */
        IN_PLACE,
        /** The value is a part of the host, their concatenation ({@link PlanNode#isConcatenation}). */
        CONCATENATION
    }

    /** Makes the alias. */
    public SlotAlias {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(reason, "reason");
    }
}
