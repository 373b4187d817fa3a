package io.devicearena.kernels.norm;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.DeviceValues;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.KernelText;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.Workgroups;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What norms share: one workgroup a row on a device, one task a row on the host. */
record NormRows(NodeId out, NodeId in, int rows, int columns) {
    NormRows {
        if (rows < 1 || columns < 1) {
            throw new IllegalArgumentException(
                    "norm of " + in + ": expected 1 or more rows and columns, got " + rows + " x " + columns);
        }
    }

    /** Records the kernel of a file; {@code weights} are bound from binding 2 on. */
    void record(StepRecorder device, String file, List<NodeId> weights, Map<String, Double> constants) {
        boolean inPlace = out.equals(in);
        long bytes = (long) rows * columns * Float.BYTES;
        Bindings bindings = Bindings.of(DeviceValues.window(device, out, bytes));
        if (!inPlace) {
            bindings = bindings.with(0, 1, DeviceValues.window(device, in, bytes));
        }
        for (int i = 0; i < weights.size(); i++) {
            bindings =
                    bindings.with(0, 2 + i, DeviceValues.window(device, weights.get(i), (long) columns * Float.BYTES));
        }
        KernelText text = KernelText.of(NormRows.class, file)
                .withReductions(device.facts())
                .withInput(inPlace);
        DeviceValues.dispatch(device, file, text.source(constants), bindings, Workgroups.of(rows));
    }

    /** Changes each row. */
    void compute(HostValues host, Consumer<float[]> norm) {
        long elements = (long) rows * columns;
        MemorySegment from = HostFloats.words(host, in, elements);
        MemorySegment to = HostFloats.words(host, out, elements);
        host.parallel(rows, row -> {
            float[] floats = HostFloats.read(from, (long) row * columns, columns);
            norm.accept(floats);
            HostFloats.write(floats, to, (long) row * columns);
        });
    }
}
