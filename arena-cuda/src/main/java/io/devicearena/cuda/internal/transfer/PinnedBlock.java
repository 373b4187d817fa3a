package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.driver.Cuda;

/**
 * Page-locked memory of the backend with what a transfer through it needs: an event, a view of the caller's memory, the
 * parameters of a launch.
 *
 * <p>Threads: one thread at a time.
 */
final class PinnedBlock {
    /** What a block has behind its bytes: the parameters of launches. */
    private static final long EXTRA_BYTES = RangeCopies.BYTES + StreamKernels.CAST_BYTES;

    /** The address for the host and for kernels, of this many bytes. */
    final long host;

    final long bytes;
    final long event;
    final HostView view = new HostView();
    final RangeCopies copies;

    private PinnedBlock(long host, long bytes, long event) {
        this.host = host;
        this.bytes = bytes;
        this.event = event;
        this.copies = new RangeCopies(host + bytes);
    }

    /** Allocates a block; the context is current. */
    static PinnedBlock allocate(long bytes) {
        long host = Cuda.allocateHost(bytes + EXTRA_BYTES);
        long event = 0;
        try {
            event = Cuda.createEvent();
            return new PinnedBlock(host, bytes, event);
        } catch (RuntimeException | Error e) {
            if (event != 0) {
                Cuda.destroyEvent(event);
            }
            Cuda.freeHost(host);
            throw e;
        }
    }

    /** Memory for the parameters of a cast. */
    long parameters() {
        return host + bytes + RangeCopies.BYTES;
    }

    void free() {
        Cuda.destroyEvent(event);
        Cuda.freeHost(host);
    }
}
