package io.devicearena.kernels;

import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.StepTime;
import io.devicearena.wgpu.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps of an engine, ready to run on an arena: recorded as one program of kernels on a GPU, else bound to values
 * in host memory.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Lifetime:</b> that of the arena.
 */
public final class StepProgram {
    private final DeviceArena arena;
    private final List<KernelStep> steps;
    private final @Nullable KernelProgram program;
    private final List<Runnable> bound = new ArrayList<>();

    /**
     * Records or binds steps.
     *
     * @param arena an open arena, with weights
     * @param steps in the order of execution
     * @param host gives the values in host memory; it is asked if the arena has no kernels
     * @throws IllegalArgumentException if a value has no slot, or one that is too small, or a step has no kernels for
     *     the device
     * @throws io.devicearena.DeviceException if the device fails
     */
    public StepProgram(DeviceArena arena, List<? extends KernelStep> steps, Supplier<? extends HostValues> host) {
        this.arena = arena;
        this.steps = List.copyOf(steps);
        this.program = record(arena, steps).orElse(null);
        if (program == null) {
            HostValues values = host.get();
            steps.forEach(step -> bound.add(step.bind(values)));
        }
    }

    /**
     * Records the form of each step that the arena's device runs: for engines that submit runs ahead.
     *
     * @param arena an open arena
     * @param steps in the order of execution
     * @return the program, closed with the arena; empty if the arena has no kernels
     * @throws IllegalArgumentException if a value has no slot, or one that is too small, or a step has no kernels for
     *     the device
     * @throws io.devicearena.DeviceException if the device fails
     */
    public static Optional<KernelProgram> record(DeviceArena arena, List<? extends KernelStep> steps) {
        return arena.unwrap(Kernels.class)
                .map(kernels -> inWgsl(kernels, steps))
                .or(() ->
                        arena.unwrap(io.devicearena.cuda.kernel.Kernels.class).map(kernels -> inCuda(kernels, steps)));
    }

    private static KernelProgram inWgsl(Kernels kernels, List<? extends KernelStep> steps) {
        StepRecorder device = new StepRecorder(kernels, kernels.recorder());
        steps.forEach(step -> step.record(device));
        return device.recorder().build();
    }

    private static KernelProgram inCuda(io.devicearena.cuda.kernel.Kernels kernels, List<? extends KernelStep> steps) {
        Recorder recorder = kernels.recorder();
        new CudaRecorder(kernels, recorder).record(steps);
        return recorder.build();
    }

    /**
     * Writes values, runs all steps, and reads values.
     *
     * @param writes what is written before the first step
     * @param reads what is read after the last one
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void run(Batch writes, Batch reads) {
        if (program != null) {
            program.run(writes, reads);
            return;
        }
        arena.writeBatch(writes);
        bound.forEach(Runnable::run);
        arena.readBatch(reads);
    }

    /**
     * Runs all steps once more, and measures each.
     *
     * @return their times, in their order: of each dispatch on a device
     * @throws UnsupportedOperationException if the device has no timestamps
     * @throws io.devicearena.DeviceException if the device fails
     */
    public List<StepTime> time() {
        if (program != null) {
            return program.time();
        }
        List<StepTime> times = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            long begin = System.nanoTime();
            bound.get(i).run();
            long nanos = System.nanoTime() - begin;
            times.add(new StepTime(steps.get(i).label(), "", steps.get(i).writes(), nanos));
        }
        return times;
    }
}
