package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;

/**
 * Page-locked memory of the backend with what a transfer through it needs: an event, a view of the caller's memory, the
 * parameters of a launch.
 *
 * <p>Threads: one thread at a time.
 */
final class PinnedBlock {
    /** The address for the host and for kernels, of this many bytes. */
    final long host;

    final long bytes;
    final long event;
    final HostView view = new HostView();
    final RangeCopies copies;
    private long position;

    private PinnedBlock(DeviceContext context, long host, long bytes, long event) {
        this.host = host;
        this.bytes = bytes;
        this.event = event;
        this.copies = new RangeCopies(context, host, bytes);
    }

    /** Allocates a block, with the parameters of a launch behind its bytes; the context is current. */
    static PinnedBlock allocate(DeviceContext context, long bytes) {
        long host = Cuda.allocateHost(bytes + RangeCopies.BYTES);
        try {
            return new PinnedBlock(context, host, bytes, Cuda.CREATE_EVENT.answer(Cuda.EVENT_DISABLE_TIMING));
        } catch (RuntimeException | Error e) {
            Cuda.FREE_HOST.call(host);
            throw e;
        }
    }

    /** A place for so many bytes in turn: what the host has read last would come late from the cache of its core. */
    long next(long wanted) {
        long begin = position + wanted <= bytes ? position : 0;
        position = begin + wanted;
        return begin;
    }

    void free() {
        Cuda.DESTROY_EVENT.call(event);
        Cuda.FREE_HOST.call(host);
    }
}
