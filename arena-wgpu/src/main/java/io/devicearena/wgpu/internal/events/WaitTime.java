package io.devicearena.wgpu.internal.events;

/** Measures how long a run waits for the device. Threads: one thread at a time. */
public final class WaitTime {
    private long began;
    private long nanos;

    /** Makes a time of 0. */
    public WaitTime() {}

    /** Begins a wait. */
    public void begin() {
        began = System.nanoTime();
    }

    /** Ends it. */
    public void end() {
        nanos += System.nanoTime() - began;
    }

    /** The time in nanoseconds. */
    public long nanos() {
        return nanos;
    }
}
