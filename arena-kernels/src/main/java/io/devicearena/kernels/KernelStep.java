package io.devicearena.kernels;

import io.devicearena.NodeId;
import java.util.List;
import java.util.Locale;

/**
 * One step of an engine: an operation on values of an arena, as a kernel of a GPU and as Java code for the host.
 *
 * <p>An engine makes its steps once, in the order of execution. For a GPU it records them into a program; on the host
 * it computes them one after the other. Both read and write the same values of the same plan.
 *
 * <p><b>Threads:</b> immutable.
 */
public interface KernelStep {
    /** {@return the name of the step in errors and times: that of its class, such as {@code strided-copy}} */
    default String label() {
        return getClass().getSimpleName().replaceAll("(?<=[a-z])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    /** {@return the values that the step reads, weights and states too} */
    List<NodeId> reads();

    /** {@return the values that the step writes} */
    List<NodeId> writes();

    /**
     * Adds the dispatches of the step to a program.
     *
     * @param device compiles kernels and records dispatches
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     * @throws io.devicearena.DeviceException if the device fails
     */
    void record(StepRecorder device);

    /**
     * Binds the step to values in host memory, for an engine that runs it again and again. A step may keep memory from
     * run to run, so that runs allocate nothing.
     *
     * @param host the values in host memory
     * @return runs the step on all threads of {@code host}, and returns when it is done; one thread at a time, as
     *     {@code host}
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    Runnable bind(HostValues host);

    /**
     * Runs the step on the host once.
     *
     * @param host the values in host memory
     * @throws IllegalArgumentException if a value has no slot, or one that is too small
     */
    default void compute(HostValues host) {
        bind(host).run();
    }
}
