package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.ffi.WgpuNative;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.FinishedCommands;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import java.util.Set;

/**
 * Ranges that keep their bytes while commands that write to them are submitted: copies save them before the commands
 * and restore them after, in the same submission.
 *
 * <p>Threads: one thread at a time.
 */
final class SavedRanges {
    /** The most bytes to save; saving takes as much device memory, and two copies of it. */
    private static final long MAX_BYTES = 64L << 20;

    private final GpuDevice device;
    private final Commands before;
    private final Commands after;
    private final Set<GpuBindGroup.Range> ranges;
    private final long bytes;

    /**
     * Makes the ranges.
     *
     * @param before records the copies that save
     * @param after records the copies that restore
     */
    SavedRanges(GpuDevice device, Commands before, Commands after, Set<GpuBindGroup.Range> ranges) {
        this.device = device;
        this.before = before;
        this.after = after;
        this.ranges = ranges;
        this.bytes = ranges.stream().mapToLong(GpuBindGroup.Range::bytes).sum();
    }

    /** Whether the ranges are small enough to be saved. */
    boolean isSmall() {
        return bytes <= Math.min(MAX_BYTES, device.limits().maxBufferBytes());
    }

    /** Submits commands once; the ranges have the same bytes afterwards. */
    void submitBetween(FinishedCommands commands) {
        GpuBuffer saved = device.createBuffer(
                "device arena saved ranges",
                Math.max(bytes, Integer.BYTES),
                WgpuNative.WGPUBufferUsage_CopySrc() | WgpuNative.WGPUBufferUsage_CopyDst());
        try {
            FinishedCommands restore = new FinishedCommands(device);
            try (Commands recording = after.beginPrepared()) {
                long at = 0;
                for (GpuBindGroup.Range range : ranges) {
                    recording.copy(saved, at, range.buffer(), range.offset(), range.bytes());
                    at += range.bytes();
                }
                recording.finishInto(restore);
            }
            try (Commands recording = before.begin()) {
                long at = 0;
                for (GpuBindGroup.Range range : ranges) {
                    recording.copy(range.buffer(), range.offset(), saved, at, range.bytes());
                    at += range.bytes();
                }
                recording.submit(commands, restore);
            }
        } finally {
            saved.close();
        }
    }
}
