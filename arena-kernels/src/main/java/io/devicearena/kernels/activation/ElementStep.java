package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** What steps on single elements share: the input may be the output. */
record ElementStep(String label, NodeId out, NodeId in, long elements) {
    /** Elements of one task of the host. */
    private static final int TASK = 16_384;

    ElementStep {
        if (elements < 1) {
            throw new IllegalArgumentException(label + " of " + in + ": expected 1 or more elements, got " + elements);
        }
    }

    /** Records the kernel of the file that has the label's name, with what the step chooses in it. */
    void record(StepRecorder device, UnaryOperator<StepKernel> choose) {
        long bytes = elements * Float.BYTES;
        StepKernel kernel = StepKernel.of(device, "activation/" + label)
                .write("out", out, bytes)
                .read("input", in, bytes);
        choose.apply(kernel).dispatchElements(label, elements);
    }

    /** Binds a change of floats to values. */
    Runnable bind(HostValues host, Consumer<float[]> change) {
        MemorySegment from = HostFloats.words(host, in, elements);
        MemorySegment to = HostFloats.words(host, out, elements);
        int tasks = Math.toIntExact((elements + TASK - 1) / TASK);
        return () -> host.parallel(tasks, task -> {
            long first = (long) task * TASK;
            float[] floats = HostFloats.read(from, first, (int) Math.min(TASK, elements - first));
            change.accept(floats);
            HostFloats.write(floats, to, first);
        });
    }
}
