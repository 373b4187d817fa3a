package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.Commands;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The submissions of one arena that are recorded before they are needed, while the device works on the one before.
 *
 * <p>The library consumes commands when it submits them, and to record commands takes longer than the rest
 * of a submission on the host. An engine runs the same program and reads the same ranges step after step. From the
 * second step on, the next submission is recorded while the host would only wait.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; nothing may be running then.
 */
final class PreparedSubmissions implements AutoCloseable {
    /** The most submissions at a time, more than an engine alternates between. */
    private static final int MAX_SUBMISSIONS = 32;

    /**
     * The most bytes of reads: each prepared submission holds staging, and larger reads take much longer than
     * recording.
     */
    private static final long MAX_BYTES = 4L << 20;

    private final GpuDevice device;
    private final List<Submission> submissions = new ArrayList<>();

    /** Makes an empty set. */
    PreparedSubmissions(GpuDevice device) {
        this.device = device;
    }

    /**
     * The next submission of some commands and of the reads behind them: recorded, with the staging that the reads copy
     * to, or still to be recorded. It does not keep the owner of the commands reachable.
     *
     * <p>Threads: the thread that acquired it.
     */
    final class Submission {
        private final WeakReference<CommandSource> source;
        private final long[] layout;
        final Commands commands = new Commands(device);
        /** The staging that the commands copy to; null for none, or for that of the caller of the commands. */
        @Nullable StagingBuffer staging;

        /** Guarded by the set. */
        private boolean acquired;

        private Submission(CommandSource source, ReadbackLayout layout) {
            this.source = new WeakReference<>(source);
            this.layout = layout.toArray();
        }

        /** Whether the commands are recorded. */
        boolean isReady() {
            return commands.isOpen();
        }

        /** Takes the staging out, if there is any; the submission of the commands, or {@link #drop}, must follow. */
        @Nullable StagingBuffer takeStaging() {
            StagingBuffer target = staging;
            staging = null;
            return target;
        }

        /** Frees the commands and their staging without a submission. */
        void drop() {
            commands.close();
            StagingBuffer target = takeStaging();
            if (target != null) {
                target.close();
            }
        }
    }

    /**
     * Acquires the next submission of some commands and the reads behind them; {@link #release} must follow. It may not
     * be prepared yet. Returns null for commands and reads that are new together, or while another thread has the
     * submission.
     */
    synchronized @Nullable Submission acquire(CommandSource commands, ReadbackLayout layout) {
        if (layout.bytes() > MAX_BYTES) {
            return null;
        }
        for (int i = 0; i < submissions.size(); i++) {
            Submission known = submissions.get(i);
            if (known.source.refersTo(commands) && layout.hasCopies(known.layout)) {
                boolean free = !known.acquired;
                known.acquired = true;
                return free ? known : null;
            }
        }
        if (hasRoom()) {
            submissions.add(new Submission(commands, layout));
        }
        return null;
    }

    /** Makes room: drops the oldest that was never prepared. */
    private boolean hasRoom() {
        for (int i = 0; i < submissions.size() && submissions.size() == MAX_SUBMISSIONS; i++) {
            Submission known = submissions.get(i);
            if (!known.acquired && !known.isReady()) {
                submissions.remove(i);
            }
        }
        return submissions.size() < MAX_SUBMISSIONS;
    }

    synchronized void release(Submission used) {
        used.acquired = false;
    }

    /** Drops the submissions of commands that are not used any more. */
    synchronized void drop(CommandSource commands) {
        submissions.removeIf(each -> {
            boolean dropped = each.source.refersTo(commands);
            if (dropped) {
                each.drop();
            }
            return dropped;
        });
    }

    /** The number of submissions that are kept. */
    synchronized int size() {
        return submissions.size();
    }

    /** Frees what is prepared. */
    @Override
    public synchronized void close() {
        submissions.forEach(Submission::drop);
        submissions.clear();
    }
}
