package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import java.util.List;

/**
 * Multiplies a value by the function of another: out = activation(gate) * up.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [elements]; may be {@code gate}, not {@code up}
 * @param gate F32 [elements]
 * @param up F32 [elements]
 * @param elements 1 or more
 * @param activation the function
 */
public record Gate(NodeId out, NodeId gate, NodeId up, long elements, Activation activation) implements KernelStep {
    /** Checks the number of elements, and the output. */
    public Gate {
        new ElementStep("gate", out, gate, List.of(up), elements);
    }

    @Override
    public String label() {
        return "gate";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(gate, up);
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
        return step().bind(host, (first, second) -> {
            for (int i = 0; i < first.length; i++) {
                first[i] = activation.apply(first[i]) * second[i];
            }
        });
    }

    private ElementStep step() {
        return new ElementStep(label(), out, gate, List.of(up), elements);
    }
}
