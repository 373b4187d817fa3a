package io.devicearena.cuda.internal.transfer;

import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.AddressSpace;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Page-locked memory that a caller has allocated from an arena.
 *
 * <p>Threads: safe for any thread.
 */
final class PageLocked implements HostAllocation {
    private final DeviceContext context;
    private final PageLockedMemories all;
    private final long address;
    private final long bytes;
    private final Arena owner = Arena.ofShared();
    private final MemorySegment segment;

    @SuppressWarnings("restricted") // the memory is freed after its scope is closed
    PageLocked(DeviceContext context, PageLockedMemories all, long address, long bytes) {
        this.context = context;
        this.all = all;
        this.address = address;
        this.bytes = bytes;
        this.segment = MemorySegment.ofAddress(address).reinterpret(bytes, owner, null);
        AddressSpace.ALL.asSlice(address, bytes).fill((byte) 0);
    }

    boolean covers(long begin, long length) {
        return begin >= address && length <= bytes && begin - address <= bytes - length;
    }

    long bytes() {
        return bytes;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void free() {
        if (owner.scope().isAlive()) {
            owner.close(); // throws while a native call of the caller uses it
        }
        context.enter();
        if (context.isAlive()) {
            context.synchronize(); // a deferred transfer may be under way
            Cuda.FREE_HOST.call(address);
        }
        all.remove(this);
    }
}
