package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
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
public final class PreparedSubmissions implements AutoCloseable {
    /** The most submissions at a time, more than an engine alternates between. */
    private static final int MAX_SUBMISSIONS = 32;

    /**
     * The most bytes of reads: each prepared submission holds staging, and larger reads take much longer than
     * recording.
     */
    private static final long MAX_BYTES = 4L << 20;

    private final GpuDevice device;
    private final List<PreparedSubmission> submissions = new ArrayList<>();

    /** Makes an empty set. */
    public PreparedSubmissions(GpuDevice device) {
        this.device = device;
    }

    /**
     * Acquires the next submission of some commands and the reads behind them; {@link #release} must follow. It may not
     * be prepared yet. Returns null for commands and reads that are new together, or while another thread has the
     * submission.
     */
    synchronized @Nullable PreparedSubmission acquire(CommandSource commands, ReadbackLayout layout) {
        if (layout.bytes() > MAX_BYTES) {
            return null;
        }
        for (int i = 0; i < submissions.size(); i++) {
            PreparedSubmission known = submissions.get(i);
            if (known.isOf(commands, layout)) {
                if (known.isAcquired()) {
                    return null;
                }
                known.setAcquired(true);
                return known;
            }
        }
        if (hasRoom()) {
            submissions.add(new PreparedSubmission(device, commands, layout));
        }
        return null;
    }

    /** Makes room: drops the oldest that was never prepared. */
    private boolean hasRoom() {
        for (int i = 0; i < submissions.size() && submissions.size() == MAX_SUBMISSIONS; i++) {
            PreparedSubmission known = submissions.get(i);
            if (!known.isAcquired() && !known.isReady()) {
                submissions.remove(i);
            }
        }
        return submissions.size() < MAX_SUBMISSIONS;
    }

    synchronized void release(PreparedSubmission used) {
        used.setAcquired(false);
    }

    /** Drops the submissions of commands that are not used any more. */
    synchronized void drop(CommandSource commands) {
        submissions.removeIf(each -> {
            boolean dropped = each.isOf(commands);
            if (dropped) {
                each.drop();
            }
            return dropped;
        });
    }

    /** The number of submissions that are kept. */
    public synchronized int size() {
        return submissions.size();
    }

    /** Frees what is prepared. */
    @Override
    public synchronized void close() {
        submissions.forEach(PreparedSubmission::drop);
        submissions.clear();
    }
}
