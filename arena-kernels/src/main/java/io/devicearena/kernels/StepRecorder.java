package io.devicearena.kernels;

import io.devicearena.NodeId;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Window;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
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

    /**
     * Returns where a value begins. Values that begin at the same byte share their memory: by an operator in place, or
     * as views.
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
     * Returns workgroups along one axis, or along two if the device does not allow so many along one.
     *
     * @param count their number, 1 or more
     * @return {@code count} or more: the last row along the second axis may have too many
     * @throws IllegalArgumentException if the count is less than 1
     */
    public Workgroups folded(long count) {
        long most = facts().maxWorkgroups();
        if (count <= most) {
            return Workgroups.covering(count, 1);
        }
        return Workgroups.of((int) most, Math.toIntExact((count + most - 1) / most));
    }

    /**
     * Records one dispatch of an engine's own kernel. Its text calls the functions of {@link ValueBindings}, and has
     * the number of a workgroup as {@code group.x + group.y * groups.x} if there may be more than the device allows
     * along an axis ({@code groups} is {@code num_workgroups}); those beyond the last do nothing.
     *
     * @param label the name of the step, and of the kernel
     * @param wgsl the text without declarations of bindings; its entry point is its only one
     * @param values what it reads and writes
     * @param words constants that the text sees as {@code words}, an array of u32, possibly none. Numbers in the text
     *     are faster: a compiler knows them
     * @param workgroups their number, 1 or more
     * @throws io.devicearena.kernel.KernelSourceException if the text does not compile
     * @throws IllegalArgumentException if a value has no slot, or a value that is written shares some of its bytes with
     *     another one
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void dispatch(String label, String wgsl, ValueBindings values, int[] words, long workgroups) {
        String text = values.declarations(words.length > 0) + wgsl;
        recorder.labelled(label)
                .dispatch(kernels.compile(KernelSource.of(label, text)), values.bindings(words), folded(workgroups));
    }
}
