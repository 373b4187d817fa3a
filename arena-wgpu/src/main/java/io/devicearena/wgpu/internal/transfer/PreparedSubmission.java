package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.ReadbackLayout;

import io.devicearena.wgpu.internal.gpu.FinishedCommands;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The next run of some commands that reads ranges as they were read before: finished, with the staging that they copy to,
 * or still to be recorded.
 *
 * <p>It does not keep the commands' owner reachable. Threads: whoever took it from {@link PreparedSubmissions}.
 */
final class PreparedSubmission {
    private final WeakReference<CommandSource> recording;
    private final long[] layout;
    private final FinishedCommands commands;
    /** What the commands write to, when they are finished. */
    private @Nullable StagingBuffer staging;

    /** Guarded by {@link PreparedSubmissions}. */
    private boolean taken;

    PreparedSubmission(GpuDevice device, CommandSource recording, ReadbackLayout layout) {
        this.recording = new WeakReference<>(recording);
        this.layout = layout.copy();
        this.commands = new FinishedCommands(device);
    }

    boolean isOf(CommandSource asked, ReadbackLayout now) {
        return recording.refersTo(asked) && now.isAs(layout);
    }

    boolean isTaken() {
        return taken;
    }

    void setTaken(boolean now) {
        taken = now;
    }

    boolean isReady() {
        return staging != null;
    }

    /** Where the commands are put; {@link #ready} must follow. */
    FinishedCommands commands() {
        return commands;
    }

    /** The commands are finished. */
    void ready(StagingBuffer target) {
        staging = target;
    }

    /** Takes the staging away; {@link #submit} must follow. */
    StagingBuffer take() {
        StagingBuffer target = staging;
        if (target == null) {
            throw new AssertionError("a run that is not ready");
        }
        staging = null;
        return target;
    }

    /** Submits the commands. They are to be recorded anew then. */
    void submit() {
        commands.submit();
    }
}
