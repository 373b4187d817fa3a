package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.Downcalls;

/**
 * Commands that were finished before their submission; empty again once they are submitted. Writes to the device that
 * happen in between come before them.
 *
 * <p>The library frees the memory of commands when they are submitted, so finished commands must be submitted once.
 *
 * <p>Threads: one thread at a time.
 */
public final class FinishedCommands {
    private final SubmissionQueue queue;
    private long commands;

    /** Makes an empty holder. */
    public FinishedCommands(GpuDevice device) {
        this.queue = device.queue();
    }

    void set(long finished) {
        if (commands != 0) {
            throw new AssertionError("the holder has commands already");
        }
        commands = finished;
    }

    /** Whether the holder has no commands. */
    public boolean isEmpty() {
        return commands == 0;
    }

    /** Takes the commands out; the caller submits and releases them. */
    long claim() {
        long claimed = commands;
        commands = 0;
        return claimed;
    }

    /**
     * Submits the commands. The holder is empty afterwards, also after a failure.
     *
     * @param writes last writes, which the commands see
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void submit(QueuedWrites writes) {
        long submitted = claim();
        try {
            queue.submitFinished(submitted, writes);
        } finally {
            Downcalls.releaseCommands(submitted);
        }
    }
}
