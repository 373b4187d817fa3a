package io.devicearena.kernels;

import io.devicearena.NodeId;
import java.util.List;

/**
 * A step that writes one value: at best a record with the component {@code out}.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface OneOutputStep extends KernelStep {
    /** {@return the value that the step writes} */
    NodeId out();

    @Override
    default List<NodeId> writes() {
        return List.of(out());
    }
}
