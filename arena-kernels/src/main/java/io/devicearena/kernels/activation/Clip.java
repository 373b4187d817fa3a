package io.devicearena.kernels.activation;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.OneInputStep;
import io.devicearena.kernels.StepRecorder;

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
    /** Checks the number of elements, and the range. */
    public Clip {
        new ElementStep("clip", out, in, elements);
        if (!Float.isFinite(least) || !Float.isFinite(most) || least > most) {
            throw new IllegalArgumentException("clip of " + in + ": expected a finite least and a finite most that is"
                    + " not less, got " + least + " and " + most);
        }
    }

    @Override
    public void record(StepRecorder device) {
        step().record(device, kernel -> kernel.set("LEAST", least).set("MOST", most));
    }

    @Override
    public Runnable bind(HostValues host) {
        return step().bind(host, floats -> {
            for (int i = 0; i < floats.length; i++) {
                floats[i] = Math.min(Math.max(floats[i], least), most);
            }
        });
    }

    private ElementStep step() {
        return new ElementStep(label(), out, in, elements);
    }
}
