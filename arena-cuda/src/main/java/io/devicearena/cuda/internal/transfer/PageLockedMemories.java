package io.devicearena.cuda.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.SystemAllocation;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;

/**
 * The page-locked memory that callers have allocated from the arenas of a context, found by its address.
 *
 * <p>Threads: safe for any thread.
 */
final class PageLockedMemories {
    private final DeviceContext context;
    private volatile List<PinnedMemory> all = List.of();

    PageLockedMemories(DeviceContext context) {
        this.context = context;
    }

    HostAllocation allocate(long bytes) {
        SystemAllocation.requireFree(PinnedPool.PAGE_LOCKED, bytes);
        context.enter();
        PinnedMemory made = new PinnedMemory(Arena.ofShared(), Cuda.allocateHost(bytes), bytes, this::free);
        MemorySegment _ = made.segment().fill((byte) 0);
        synchronized (this) {
            all = Stream.concat(all.stream(), Stream.of(made)).toList();
        }
        return made;
    }

    private synchronized void free(PinnedMemory freed) {
        context.enter();
        if (context.isAlive()) {
            context.synchronize(); // a deferred transfer may be under way
            Cuda.FREE_HOST.call(freed.segment().address());
        }
        all = all.stream().filter(one -> one != freed).toList();
    }

    /**
     * The address of memory that the device can copy from and to as it is, 0 for other memory and for a cast.
     *
     * @param dtype what floats are on the device; U8 for raw bytes
     */
    long address(MemorySegment memory, DType dtype, long bytes) {
        List<PinnedMemory> now = all;
        if (memory.isNative() && (dtype == DType.U8 || dtype == DType.F32)) {
            for (int i = 0; i < now.size(); i++) {
                if (now.get(i).covers(memory.address(), bytes)) {
                    return memory.address();
                }
            }
        }
        return 0;
    }

    long address(Span span) {
        return address(span.memory(), HostView.deviceType(span), span.bytes());
    }
}
