package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.internal.builtin.ReadbackLayout;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.QueuedWrites;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The submissions of one arena that are recorded before they are needed, while the device works on the one before.
 *
 * <p>The library consumes commands when it submits them, and to record and finish commands takes longer than the rest
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

    /** Makes room: drops the oldest that was never prepared. Prepared commands must be submitted once. */
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

    /**
     * Drops the submissions of commands that are not used any more.
     *
     * <p>The library frees finished commands only when they are submitted. So they are, between copies that save what
     * they write and restore it.
     *
     * @param written what the commands write
     * @return false if some stay until the memory is freed, because they write too much; nothing that they use may be
     *     freed before
     */
    synchronized boolean drop(CommandSource commands, SavedRanges written) {
        List<PreparedSubmission> dropped =
                submissions.stream().filter(each -> each.isOf(commands)).toList();
        for (PreparedSubmission each : dropped) {
            if (each.isReady() && !written.isSmall()) {
                return false;
            }
        }
        submissions.removeAll(dropped);
        for (PreparedSubmission each : dropped) {
            if (each.isReady()) {
                StagingBuffer staging = each.claimStaging();
                try {
                    written.submitBetween(each.commands());
                } catch (DeviceException e) {
                    // the device is lost, and its memory is free already; or it is full, and the library keeps the
                    // commands
                } finally {
                    each.closeStaging(staging);
                }
            }
        }
        return true;
    }

    /** The number of submissions that are kept. */
    public synchronized int size() {
        return submissions.size();
    }

    /**
     * Submits what is prepared, since the library frees the memory of commands only then, and waits for it. The arena
     * that the commands write to is closed, so their effects are never seen.
     */
    @Override
    public synchronized void close() {
        List<StagingBuffer> written = new ArrayList<>();
        for (PreparedSubmission each : submissions) {
            if (each.isReady()) {
                written.add(each.claimStaging());
                submit(each);
            }
        }
        submissions.clear();
        if (!written.isEmpty()) {
            awaitAll();
            written.forEach(StagingBuffer::close); // only now: several submissions may write to the same
        }
    }

    private static void submit(PreparedSubmission prepared) {
        try {
            prepared.submit(QueuedWrites.NONE);
        } catch (DeviceException e) {
            // the device is lost, and its memory is free already
        }
    }

    private void awaitAll() {
        try {
            device.flush();
        } catch (DeviceException e) {
            // the device is lost: there is nothing to wait for
        }
    }
}
