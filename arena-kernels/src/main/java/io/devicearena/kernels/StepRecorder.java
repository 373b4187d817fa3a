package io.devicearena.kernels;

import io.devicearena.kernel.Recorder;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.Kernels;
import java.util.Objects;

/**
 * Where steps record their dispatches: the kernels of an arena, and the recorder of a program.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * @param kernels compiles kernels and makes windows of values
 * @param recorder receives the dispatches
 */
public record StepRecorder(Kernels kernels, Recorder recorder) {
    /** Checks that nothing is null. */
    public StepRecorder {
        Objects.requireNonNull(kernels, "kernels");
        Objects.requireNonNull(recorder, "recorder");
    }

    /** {@return what the device can do} */
    public KernelFacts facts() {
        return kernels.facts();
    }
}
