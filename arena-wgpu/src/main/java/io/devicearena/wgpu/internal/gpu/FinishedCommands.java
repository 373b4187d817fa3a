package io.devicearena.wgpu.internal.gpu;

import io.devicearena.wgpu.internal.raw.Downcalls;

/**
 * Commands that were finished ahead of their submission; empty when they were submitted. What was written to the device
 * in between comes before them.
 *
 * <p>Commands that are finished and never submitted are memory that the library does not give back.
 *
 * <p>Threads: one thread at a time.
 */
public final class FinishedCommands {
    private final GpuDevice device;
    private long commands;

    /** Makes a place for commands, with none in it. */
    public FinishedCommands(GpuDevice device) {
        this.device = device;
    }

    void set(long finished) {
        if (commands != 0) {
            throw new AssertionError("commands were finished ahead twice");
        }
        commands = finished;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return commands == 0;
    }

    /**
     * Submits them; whatever happens, there are none then.
     *
     * @throws io.devicearena.DeviceException if the device fails
     */
    public void submit() {
        long taken = commands;
        commands = 0;
        try {
            device.submitFinished(taken);
        } finally {
            Downcalls.releaseCommands(taken);
        }
    }
}
