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
        public void writeTo(Target target) {}
    };

    /** The bytes of all writes, at most {@link SubmissionQueue#MAX_WRITE_BYTES}. */
    long bytes();

    /** The number of writes, at most {@link SubmissionQueue#MAX_QUEUED_WRITES}. */
    int writes();

    /** Makes the writes; called once, while no other thread submits. */
    void writeTo(Target target);

    /** Receives the writes. Threads: one thread at a time. */
    interface Target {
        /**
         * Adds a write.
         *
         * @param offset a multiple of 4
         * @param bytes a multiple of 4
         * @return the address where the caller puts the bytes
         */
        long place(GpuBuffer to, long offset, long bytes);
    }
}
