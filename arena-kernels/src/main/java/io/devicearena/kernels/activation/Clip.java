package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;

/**
 * Limits each element to a range: out = min(max(in, least), most). A NaN has no defined result.
 *
 * <p>Host and device give the same bits for the same elements: nothing is rounded. Of zeros either sign may come out.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param out receives F32 [elements]; may be {@code in}
 * @param in F32 [elements]
 * @param elements 1 or more
 * @param least the smallest result, finite
 * @param most the largest result, finite, {@code least} or more
 */
public record Clip(NodeId out, NodeId in, long elements, float least, float most) implements OneInputStep {
    /** Elements of one task of the host. */
    private static final int TASK = 16_384;

    /** Checks the number of elements, and the range. */
    public Clip {
        if (elements < 1) {
            throw new IllegalArgumentException("clip of " + in + ": expected 1 or more elements, got " + elements);
        }
        if (!Float.isFinite(least) || !Float.isFinite(most) || least > most) {
            throw new IllegalArgumentException("clip of " + in + ": expected a finite least and a finite most that is"
                    + " not less, got " + least + " and " + most);
        }
    }

    @Override
    public void record(StepRecorder device) {
        StepKernel.of(device, "activation/clip")
                .set("LEAST", least)
                .set("MOST", most)
                .write("out", out, elements * Float.BYTES)
                .read("input", in, elements * Float.BYTES)
                .dispatchElements(label(), elements);
    }

    @Override
    public Runnable bind(HostValues host) {
        MemorySegment from = HostFloats.words(host, in, elements);
        MemorySegment to = HostFloats.words(host, out, elements);
        int tasks = Math.toIntExact((elements + TASK - 1) / TASK);
        return () -> host.parallel(tasks, task -> {
            long first = (long) task * TASK;
            float[] floats = HostFloats.read(from, first, (int) Math.min(TASK, elements - first));
            for (int i = 0; i < floats.length; i++) {
                floats[i] = Math.min(Math.max(floats[i], least), most);
            }
            HostFloats.write(floats, to, first);
        });
    }
}
