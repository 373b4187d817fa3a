package io.devicearena.kernels;

import io.devicearena.NodeId;
import java.util.List;

/**
 * A step that reads one value and writes another: at best a record with the components {@code out} and {@code in}.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface OneInputStep extends OneOutputStep {
    /** {@return the value that the step reads} */
    NodeId in();

    @Override
    default List<NodeId> reads() {
        return List.of(in());
    }
}
