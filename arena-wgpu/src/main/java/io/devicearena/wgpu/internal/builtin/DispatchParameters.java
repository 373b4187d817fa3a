package io.devicearena.wgpu.internal.builtin;

/** Receives the parameters of dispatches of this backend's kernels. Threads: one thread at a time. */
public interface DispatchParameters {
    /** Adds four words for the next dispatch; returns the dynamic offset of the binding, in bytes. */
    int add(int first, int second, int third, int fourth);

    /** Whether the parameters of one more dispatch can be added. */
    boolean hasRoom();
}
