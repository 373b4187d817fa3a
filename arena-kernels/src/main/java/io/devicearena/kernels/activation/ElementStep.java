package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.UnaryOperator;

/** What steps on single elements share: the first input may be the output, a second one may not. */
record ElementStep(String label, NodeId out, NodeId in, List<NodeId> second, long elements) {
    /** Elements of one task of the host. */
    private static final int TASK = 16_384;

    ElementStep {
        if (elements < 1) {
            throw new IllegalArgumentException(label + " of " + in + ": expected 1 or more elements, got " + elements);
        }
        if (second.contains(out)) {
            throw new IllegalArgumentException(
                    label + ": expected the first input or another value as output, got the second input " + out);
        }
    }

    /** Changes floats, with those of the second input or none. */
    interface Change {
        void apply(float[] first, float[] second);
    }

    /** Records the kernel of the file that has the label's name, with what the step chooses in it. */
    void record(StepRecorder device, UnaryOperator<StepKernel> choose) {
        long bytes = elements * Float.BYTES;
        StepKernel kernel = StepKernel.of(device, "activation/" + label)
                .write("out", out, bytes)
                .read("input", in, bytes);
        second.forEach(id -> kernel.read("second", id, bytes));
        choose.apply(kernel).dispatchElements(label, elements);
    }

    /** Binds a change to values. */
    Runnable bind(HostValues host, Change change) {
        MemorySegment from = HostFloats.words(host, in, elements);
        MemorySegment to = HostFloats.words(host, out, elements);
        MemorySegment other = second.isEmpty() ? from : HostFloats.words(host, second.getFirst(), elements);
        int tasks = Math.toIntExact((elements + TASK - 1) / TASK);
        return () -> host.parallel(tasks, task -> {
            long first = (long) task * TASK;
            int count = (int) Math.min(TASK, elements - first);
            float[] floats = HostFloats.read(from, first, count);
            change.apply(floats, second.isEmpty() ? floats : HostFloats.read(other, first, count));
            HostFloats.write(floats, to, first);
        });
    }
}
