package io.devicearena.wgpu.internal.transfer;

import io.devicearena.wgpu.internal.builtin.ReadbackLayout;

import io.devicearena.DeviceException;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The runs of an arena's programs, and the reads of its batches, that are recorded while the device works on the one
 * before.
 *
 * <p>The library takes commands once, and recording and finishing them costs more than all else that a run does on the
 * host. An engine that runs the same program and reads the same ranges step after step need not wait for that: from the
 * second time on the next one is made ready while the host would only wait.
 *
 * <p>Threads: safe for any thread. Lifetime: until {@link #close}; nothing may be running then.
 */
public final class PreparedSubmissions implements AutoCloseable {
    /** More than an engine takes turns with. */
    private static final int MOST = 32;

    /** Each run that is ready has staging; beside the time that larger reads take, recording does not count. */
    private static final long MOST_BYTES = 4L << 20;

    private final GpuDevice device;
    private final List<PreparedSubmission> runs = new ArrayList<>();

    /** Makes it, with no run in it. */
    public PreparedSubmissions(GpuDevice device) {
        this.device = device;
    }

    /**
     * Takes the next run of some commands and the read behind them, to be given back; it may not be ready. Null when there
     * is none, as for the first time that both meet, or when another thread has it.
     */
    synchronized @Nullable PreparedSubmission take(CommandSource recording, ReadbackLayout layout) {
        if (layout.bytes() > MOST_BYTES) {
            return null;
        }
        for (int i = 0; i < runs.size(); i++) {
            PreparedSubmission run = runs.get(i);
            if (run.isOf(recording, layout)) {
                if (run.isTaken()) {
                    return null;
                }
                run.setTaken(true);
                return run;
            }
        }
        if (hasRoom()) {
            runs.add(new PreparedSubmission(device, recording, layout));
        }
        return null;
    }

    /** Makes room by forgetting the oldest that never got ready; what is ready has to be submitted once. */
    private boolean hasRoom() {
        for (int i = 0; i < runs.size() && runs.size() == MOST; i++) {
            PreparedSubmission run = runs.get(i);
            if (!run.isTaken() && !run.isReady()) {
                runs.remove(i);
            }
        }
        return runs.size() < MOST;
    }

    synchronized void give(PreparedSubmission run) {
        run.setTaken(false);
    }

    /**
     * Submits what is ready, since the library gives the memory of commands back only then, and waits for it: the arena
     * that they write to is closed, and nobody sees what they do.
     */
    @Override
    public synchronized void close() {
        List<StagingBuffer> written = new ArrayList<>();
        for (PreparedSubmission run : runs) {
            if (run.isReady()) {
                written.add(run.take());
                submit(run);
            }
        }
        runs.clear();
        if (!written.isEmpty()) {
            awaitAll();
            written.forEach(StagingBuffer::close); // not before: several runs may write to the same
        }
    }

    private static void submit(PreparedSubmission run) {
        try {
            run.submit();
        } catch (DeviceException e) {
            // the device is lost, and everything on it: there is nothing to give back
        }
    }

    private void awaitAll() {
        try {
            device.flush();
        } catch (DeviceException e) {
            // the device is lost, and everything on it: there is nothing to wait for
        }
    }
}
