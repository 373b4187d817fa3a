package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;

/** One step of a program, validated. Threads: immutable. */
sealed interface Step {
    /** A dispatch, inside a pass. */
    @SuppressWarnings("ArrayRecordComponent") // never compared; an array, so that a run allocates no iterator
    record Dispatch(
            String label,
            String kernel,
            boolean timed,
            GpuPipeline pipeline,
            GpuBindGroup[] groups,
            int x,
            int y,
            int z)
            implements Step {
        void record(Commands commands) {
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
