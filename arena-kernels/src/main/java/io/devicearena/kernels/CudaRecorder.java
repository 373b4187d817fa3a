package io.devicearena.kernels;

import io.devicearena.NodeId;
import io.devicearena.cuda.kernel.KernelSource;
import io.devicearena.cuda.kernel.Kernels;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * Where steps record their launches in CUDA: the kernels of an arena, and the recorder of a program. A kernel that
 * several steps use is compiled once.
 *
 * <p>From compute capability 9.0 on, a kernel of one row reads its matrices and the weights of its norms while the
 * kernels in front of it still run, and {@code DecodeAttention} also the cursor and its caches. So no step of a program
 * may write what a later step has as such weights, and a program decodes one token: nothing in front of a
 * {@code DecodeAttention} may write its cursor or its caches.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class CudaRecorder {
    private final Kernels kernels;
    private final Recorder recorder;
    private final Map<String, Kernel> compiled = new HashMap<>();
    private final boolean isExact;

    /**
     * Begins a program, in which all steps compute in f32.
     *
     * @param kernels compiles kernels and makes windows of values
     * @param recorder receives the launches
     */
    public CudaRecorder(Kernels kernels, Recorder recorder) {
        this(kernels, recorder, true);
    }

    /**
     * Begins a program.
     *
     * @param kernels compiles kernels and makes windows of values
     * @param recorder receives the launches
     * @param isExact whether all steps compute in f32. Else those of many rows round the numbers that they multiply to
     *     11 bits, as TF32 has them, which takes a fifth less time; sums stay f32. A device before compute capability
     *     8.0 computes in f32 either way
     */
    public CudaRecorder(Kernels kernels, Recorder recorder, boolean isExact) {
        this.isExact = isExact;
        this.kernels = Objects.requireNonNull(kernels, "kernels");
        this.recorder = Objects.requireNonNull(recorder, "recorder");
    }

    /** {@return what compiles kernels and makes windows of values} */
    public Kernels kernels() {
        return kernels;
    }

    /** {@return whether all steps compute in f32} */
    public boolean isExact() {
        return isExact;
    }

    /**
     * Returns where a value begins. Values that begin at the same byte share their memory.
     *
     * @param id the value
     * @return bytes from the start of the arena
     * @throws IllegalArgumentException if the value has no slot
     */
    public long firstByte(NodeId id) {
        Window window = kernels.window(id);
        return window.offset() + window.offsetOf(id);
    }

    /**
     * Records the steps of an engine.
     *
     * @param steps in the order of execution
     * @throws IllegalArgumentException if a step has no kernels in CUDA; nothing is recorded then
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void record(Iterable<? extends KernelStep> steps) {
        for (KernelStep step : steps) {
            if (!(step instanceof CudaStep)) {
                throw new IllegalArgumentException("step '" + step.label()
                        + "': expected one with kernels in CUDA, got one without; run it on wgpu or on the host");
            }
        }
        for (KernelStep step : steps) {
            ((CudaStep) step).record(this);
        }
    }

    /**
     * Records one launch.
     *
     * @param label the name of the step
     * @param key names the kernel: a second launch with it takes the kernel of the first
     * @param source makes the kernel's source if there is none of that key yet
     * @param bindings what its parameters are bound to
     * @param blocks their number along each axis
     * @throws IllegalArgumentException if a value that is written shares some of its bytes with another one
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void launch(String label, String key, Supplier<KernelSource> source, Bindings bindings, Workgroups blocks) {
        Kernel kernel = compiled.computeIfAbsent(key, unknown -> kernels.compile(source.get()));
        recorder.labelled(label).dispatch(kernel, bindings, blocks);
    }
}
