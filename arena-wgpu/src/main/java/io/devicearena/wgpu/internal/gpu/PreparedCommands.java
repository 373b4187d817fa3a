package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.Downcalls;

/**
 * Commands that were recorded before their submission; empty again once they are submitted. Writes to the device that
 * happen in between come before them.
 *
 * <p>They are finished when they are submitted: the library frees finished commands only when it submits them, and
 * recorded ones at any time.
 *
 * <p>Threads: one thread at a time.
 */
public final class PreparedCommands {
    private final GpuDevice device;
    private long encoder;

    /** Makes an empty holder. */
    public PreparedCommands(GpuDevice device) {
        this.device = device;
    }

    void set(long recorded) {
        if (encoder != 0) {
            throw new AssertionError("the holder has commands already");
        }
        encoder = recorded;
    }

    /** Whether the holder has no commands. */
    public boolean isEmpty() {
        return encoder == 0;
    }

    /**
     * Submits the commands. The holder is empty afterwards, also after a failure.
     *
     * @param writes last writes, which the commands see
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void submit(QueuedWrites writes) {
        long commands = Downcalls.finish(encoder);
        drop();
        try {
            device.errors().check("wgpuCommandEncoderFinish");
            device.queue().submitFinished(commands, writes);
        } finally {
            Downcalls.releaseCommands(commands);
        }
    }

    /** Frees the commands without a submission. */
    public void drop() {
        if (encoder != 0) {
            Downcalls.releaseEncoder(encoder);
            encoder = 0;
        }
    }
}
