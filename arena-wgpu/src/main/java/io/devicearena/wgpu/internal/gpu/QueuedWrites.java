package io.devicearena.wgpu.internal.gpu;

/**
 * Small writes that are made together with a submission: no write or submission of another thread comes between them
 * and the commands.
 *
 * <p>Threads: one thread at a time.
 */
public interface QueuedWrites {
    /** No writes. */
    QueuedWrites NONE = (_, _) -> {};

    /** The bytes of all writes, at most {@link SubmissionQueue#MAX_WRITE_BYTES}. */
    default long bytes() {
        return 0;
    }

    /** The number of writes, at most {@link SubmissionQueue#MAX_QUEUED_WRITES}. */
    default int writes() {
        return 0;
    }

    /**
     * Makes the writes; called once, while no other thread submits.
     *
     * @param address memory for the bytes of all writes, which the writes refer to
     */
    void writeTo(long address, Target target);

    /** Receives writes of whole words. Threads: as its implementation documents. */
    interface Target {
        /**
         * Writes memory to a buffer.
         *
         * @param offset a multiple of 4
         * @param source an address
         * @param bytes a multiple of 4
         */
        void write(GpuBuffer to, long offset, long source, long bytes);
    }
}
