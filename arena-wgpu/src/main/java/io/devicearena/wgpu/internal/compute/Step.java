package io.devicearena.wgpu.internal.compute;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a program, validated. Threads: immutable. */
@FunctionalInterface
interface Step {
    /** Records the step. */
    void record(Commands commands);

    /**
     * A dispatch, inside a pass.
     *
     * @param written the values that it writes; none if it is bound to the whole arena
     * @param group the name of the step for tools of the device, or null for none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared; an array, so that a run allocates no iterator
    record Dispatch(
            String label,
            String kernel,
            List<NodeId> written,
            @Nullable MemorySegment group,
            GpuPipeline pipeline,
            GpuBindGroup[] groups,
            Workgroups workgroups)
            implements Step {
        @Override
        public void record(Commands commands) {
            commands.group(group);
            commands.dispatch(pipeline, groups, workgroups.x(), workgroups.y(), workgroups.z());
        }
    }
}
