package io.devicearena.kernels.attention;

import io.devicearena.kernels.step.StepKernel;
import org.jspecify.annotations.Nullable;

/** What kernels have in common that norm and rotate heads. */
record HeadText(AttentionShape shape, Rope rope, @Nullable HeadNorms norms) {
    StepKernel setIn(StepKernel kernel) {
        shape.setIn(kernel).constants("turns", rope.turns());
        if (norms == null) {
            return kernel;
        }
        long bytes = (long) shape.headDim() * Float.BYTES;
        return kernel.use("HEADS", "attention/heads-normed")
                .set("EPSILON", norms.epsilon())
                .read("query_norm", norms.query(), bytes)
                .read("key_norm", norms.key(), bytes);
    }
}
