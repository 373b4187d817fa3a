package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.PreparedCommands;
import io.devicearena.wgpu.internal.gpu.QueuedWrites;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The next submission of some commands and of the reads behind them: recorded, with the staging that the reads copy to,
 * or still to be recorded.
 *
 * <p>It does not keep the owner of the commands reachable. Threads: the thread that acquired it from {@link
 * PreparedSubmissions}.
 */
final class PreparedSubmission {
    private final WeakReference<CommandSource> source;
    private final long[] layout;
    private final PreparedCommands commands;
    /** The staging that the commands write to; null while there are none. */
    private @Nullable StagingBuffer staging;

    private boolean ownsStaging;

    /** Guarded by {@link PreparedSubmissions}. */
    private boolean acquired;

    PreparedSubmission(GpuDevice device, CommandSource source, ReadbackLayout layout) {
        this.source = new WeakReference<>(source);
        this.layout = layout.toArray();
        this.commands = new PreparedCommands(device);
    }

    boolean isOf(CommandSource commands, ReadbackLayout reads) {
        return source.refersTo(commands) && reads.hasCopies(layout);
    }

    boolean isOf(CommandSource commands) {
        return source.refersTo(commands);
    }

    boolean isAcquired() {
        return acquired;
    }

    void setAcquired(boolean now) {
        acquired = now;
    }

    boolean isReady() {
        return staging != null;
    }

    /** The holder of the commands; {@link #ready} must follow. */
    PreparedCommands commands() {
        return commands;
    }

    /**
     * Marks the commands as recorded.
     *
     * @param own whether the staging belongs to the submission, and not to the caller of the commands
     */
    void ready(StagingBuffer target, boolean own) {
        staging = target;
        ownsStaging = own;
    }

    /** Takes the staging out; {@link #submit} must follow. */
    StagingBuffer claimStaging() {
        StagingBuffer target = staging;
        if (target == null) {
            throw new AssertionError("the submission is not prepared");
        }
        staging = null;
        return target;
    }

    /** Submits the commands; the next submission must be recorded again. */
    void submit(QueuedWrites writes) {
        commands.submit(writes);
    }

    /** Frees the commands and their staging without a submission. */
    void drop() {
        commands.drop();
        StagingBuffer target = staging;
        staging = null;
        if (target != null && ownsStaging) {
            target.close();
        }
    }
}
