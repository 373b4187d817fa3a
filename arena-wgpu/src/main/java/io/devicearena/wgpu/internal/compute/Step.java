package io.devicearena.wgpu.internal.compute;

import io.devicearena.NodeId;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a program, validated. Threads: immutable. */
sealed interface Step {
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
            boolean timed,
            GpuPipeline pipeline,
            GpuBindGroup[] groups,
            int x,
            int y,
            int z)
            implements Step {
        void record(Commands commands) {
            commands.group(group);
            commands.dispatch(pipeline, groups, x, y, z);
        }
    }

    /** A copy from one buffer to another; outside any pass. */
    record Copy(GpuBuffer from, long fromOffset, GpuBuffer to, long toOffset, long bytes) implements Step {
        void record(Commands commands) {
            commands.copy(from, fromOffset, to, toOffset, bytes);
        }
    }

    /** A copy within one buffer, piece by piece through a second one. */
    record Move(GpuBuffer buffer, long from, long to, long bytes, GpuBuffer bounce) implements Step {
        void record(Commands commands) {
            long piece = bounce.bytes();
            if (to <= from) {
                for (long done = 0; done < bytes; done += piece) {
                    move(commands, done, Math.min(piece, bytes - done));
                }
            } else {
                // from the end, so that no piece overwrites one that is still to be read
                for (long left = bytes; left > 0; left -= piece) {
                    long begin = Math.max(left - piece, 0);
                    move(commands, begin, left - begin);
                }
            }
        }

        private void move(Commands commands, long begin, long length) {
            commands.copy(buffer, from + begin, bounce, 0, length);
            commands.copy(bounce, 0, buffer, to + begin, length);
        }
    }
}
