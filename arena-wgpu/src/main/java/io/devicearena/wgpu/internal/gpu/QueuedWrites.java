package io.devicearena.wgpu.internal.gpu;

/**
 * Small writes that are made together with a submission: no write or submission of another thread comes between them
 * and the commands.
 *
 * <p>Threads: one thread at a time.
 */
public interface QueuedWrites {
    /** No writes. */
    QueuedWrites NONE = new QueuedWrites() {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public int writes() {
            return 0;
        }

        @Override
        public void writeTo(long address, Target target) {}
    };

    /** The bytes of all writes, at most {@link SubmissionQueue#MAX_WRITE_BYTES}. */
    long bytes();

    /** The number of writes, at most {@link SubmissionQueue#MAX_QUEUED_WRITES}. */
    int writes();

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
