package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.DeviceValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepText;
import io.devicearena.wgpu.kernel.KernelSource;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;

/** What steps on single elements share: the first input may be the output, a second one may not. */
record ElementStep(String label, NodeId out, NodeId in, List<NodeId> second, long elements) {
    /** Elements of one task of the host. */
    private static final int TASK = 16_384;

    private static final int WORKGROUP = 256;

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

    /** Records the kernel of the file that has the label's name; {@code prefix} is put in front of its text. */
    void record(StepRecorder device, String prefix) {
        boolean inPlace = out.equals(in);
        long bytes = elements * Float.BYTES;
        Bindings bindings = Bindings.of(DeviceValues.window(device, out, bytes));
        if (!inPlace) {
            bindings = bindings.with(0, 1, DeviceValues.window(device, in, bytes));
        }
        if (!second.isEmpty()) {
            bindings = bindings.with(0, 2, DeviceValues.window(device, second.getFirst(), bytes));
        }
        long groups =
                Math.min((elements + WORKGROUP - 1) / WORKGROUP, device.facts().maxWorkgroups());
        KernelSource source = StepText.of(ElementStep.class, label)
                .withText(prefix)
                .withInput(inPlace)
                .source(Map.of("ELEMENTS", (double) elements, "STRIDE", (double) (groups * WORKGROUP)));
        DeviceValues.dispatch(device, label, source, bindings, Workgroups.of((int) groups));
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
