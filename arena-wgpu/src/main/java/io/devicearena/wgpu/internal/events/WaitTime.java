package io.devicearena.wgpu.internal.events;

/** Measures how long a run waits for the device, for callers that do without jdk.jfr. Threads: one thread at a time. */
public interface WaitTime {
    /** Begins a wait for the device; {@link #endWait} must follow. */
    void beginWait();

    /** Ends the wait. */
    void endWait();
}
