package io.devicearena.wgpu.internal.transfer;

import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.gpu.Commands;
import java.util.List;

/** Records the commands of a submission, before the copies of a read. Threads: as its implementation documents. */
public interface CommandSource {
    /** No commands. */
    CommandSource NONE = _ -> {};

    /** Records the commands. */
    void record(Commands commands);

    /** Called once before the commands are submitted, when nothing can be wrong with the call any more. */
    default void submitting(List<Span> inputs) {}

    /** Whether there are no commands, so that nothing needs to be submitted. */
    @SuppressWarnings("ReferenceEquality") // there is one object without commands
    default boolean isEmpty() {
        return this == NONE;
    }
}
