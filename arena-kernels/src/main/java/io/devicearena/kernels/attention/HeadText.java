package io.devicearena.kernels.attention;

import io.devicearena.kernel.Bindings;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.DeviceValues;
import io.devicearena.kernels.step.StepText;
import org.jspecify.annotations.Nullable;

/** What kernels have in common that norm and rotate heads: text, and bindings from 7 on. */
record HeadText(AttentionShape shape, Rope rope, @Nullable HeadNorms norms) {
    private static final int QUERY_NORM = 7;
    private static final int KEY_NORM = 8;
    private static final int TURNS = 9;

    void addTo(StepText text, String rotation) {
        text.withText(shape.constants());
        text.withText("const EPSILON = " + (norms == null ? 0 : norms.epsilon()) + "f;\n");
        text.withPart("turns").withPart(rotation).withPart(norms == null ? "heads-plain" : "heads-normed");
    }

    Bindings with(StepRecorder device, Bindings bindings) {
        Bindings all = bindings.with(0, TURNS, device.kernels().uniform(rope.turns()));
        if (norms == null) {
            return all;
        }
        long bytes = (long) shape.headDim() * Float.BYTES;
        return all.with(0, QUERY_NORM, DeviceValues.window(device, norms.query(), bytes))
                .with(0, KEY_NORM, DeviceValues.window(device, norms.key(), bytes));
    }
}
