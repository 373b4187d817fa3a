package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * Applies a function to each element: out = activation(in).
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [elements]; may be {@code in}
 * @param in F32 [elements]
 * @param elements 1 or more
 * @param activation the function
 */
public record Activate(NodeId out, NodeId in, long elements, Activation activation) implements KernelStep {
    /** Checks the number of elements, and the output. */
    public Activate {
        new ElementStep("activate", out, in, List.of(), elements);
    }

    @Override
    public String label() {
        return "activate";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(in);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        step().record(device, kernel -> kernel.use("ACTIVATION", activation.file()));
    }

    @Override
    public Runnable bind(HostValues host) {
        return step().bind(host, (first, second) -> activation.apply(first, first.length));
    }

    private ElementStep step() {
        return new ElementStep(label(), out, in, List.of(), elements);
    }
}
