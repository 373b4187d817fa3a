package io.devicearena.cuda.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Short writes: the host copies them into a ring of page-locked memory, from where the device takes them, and very
 * short ones with a mirror into the launch of the kernel that casts them. A write alone needs no event; each part of
 * the ring has one behind the writes in it.
 *
 * <p>Threads: safe for any thread. The lock is held while the host copies, and, once the ring is full, until the device
 * has read a quarter of it.
 */
final class Upload {
    /** The longest write that one thread copies. */
    static final long MAX_BYTES = PinnedPool.MIN_BYTES;

    private static final int PARTS = 4;
    private static final long PART_BYTES = 4 * MAX_BYTES;

    private final DeviceContext context;
    private final PinnedPool pool;
    private final HostView view = new HostView();
    private final @Nullable PinnedBlock[] parts = new PinnedBlock[PARTS];
    private int part;
    private long position;

    Upload(DeviceContext context, PinnedPool pool) {
        this.context = context;
        this.pool = pool;
    }

    /**
     * Adds a write of elements, {@link #MAX_BYTES} or less on the device.
     *
     * @param to the address on the device
     * @param mirror the address of their f16 mirror, 0 for none; an odd number is padded
     */
    synchronized void add(
            long to, long mirror, MemorySegment memory, float @Nullable [] array, DType dtype, long elements) {
        view.set(memory, array, dtype);
        try {
            long bytes = elements * view.bytes();
            PinnedBlock current = room(bytes);
            if (!current.copies.fits(to, bytes)) {
                launch();
            }
            // without a mirror the copy engine takes it, which begins sooner than a kernel
            long at = mirror == 0 ? 0 : current.copies.ownRoom(to, bytes);
            if (at == 0) {
                at = RangeCopies.place(current.host + position, to);
                position = at + bytes - current.host;
            }
            view.copy(true, at, 0, elements);
            current.copies.add(at, to, mirror, bytes);
        } finally {
            view.clear();
        }
    }

    private PinnedBlock room(long bytes) {
        PinnedBlock current = parts[part];
        if (current == null) {
            current = pool.acquire(PART_BYTES);
            parts[part] = current;
        } else if (position + bytes + RangeCopies.UNIT > current.bytes) {
            launch();
            Cuda.RECORD.call(current.event, context.stream());
            part = (part + 1) % PARTS;
            position = 0;
            current = room(bytes);
            Cuda.AWAIT.call(current.event);
        }
        return current;
    }

    /** Makes the writes that were added, by any thread. */
    synchronized void launch() {
        PinnedBlock current = parts[part];
        if (current != null) {
            context.enter();
            current.copies.make(context.stream(), false);
        }
    }
}
