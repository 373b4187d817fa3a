package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * Adds two values: out = a + b.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [elements]; may be {@code a}, not {@code b}
 * @param a F32 [elements]
 * @param b F32 [elements]
 * @param elements 1 or more
 */
public record Add(NodeId out, NodeId a, NodeId b, long elements) implements KernelStep {
    /** Checks the number of elements, and the output. */
    public Add {
        new ElementStep("add", out, a, List.of(b), elements);
    }

    @Override
    public String label() {
        return "add";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(a, b);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(out);
    }

    @Override
    public void record(StepRecorder device) {
        step().record(device, kernel -> kernel);
    }

    @Override
    public Runnable bind(HostValues host) {
        return step().bind(host, (first, second) -> {
            for (int i = 0; i < first.length; i++) {
                first[i] += second[i];
            }
        });
    }

    private ElementStep step() {
        return new ElementStep(label(), out, a, List.of(b), elements);
    }
}
