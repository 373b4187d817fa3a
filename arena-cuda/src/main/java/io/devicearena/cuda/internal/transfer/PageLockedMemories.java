package io.devicearena.cuda.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cuda.internal.device.DeviceContext;
import io.devicearena.cuda.internal.driver.Cuda;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The page-locked memory that callers have allocated from the arenas of a context, found by its address.
 *
 * <p>Threads: safe for any thread.
 */
final class PageLockedMemories {
    private final DeviceContext context;
    private volatile PageLocked[] all = {};

    PageLockedMemories(DeviceContext context) {
        this.context = context;
    }

    HostAllocation allocate(long bytes) {
        PinnedPool.requireFree(bytes);
        context.enter();
        PageLocked made = new PageLocked(context, this, Cuda.allocateHost(bytes), bytes);
        synchronized (this) {
            List<PageLocked> now = new ArrayList<>(List.of(all));
            now.add(made);
            all = now.toArray(PageLocked[]::new);
        }
        return made;
    }

    synchronized void remove(PageLocked freed) {
        List<PageLocked> now = new ArrayList<>(List.of(all));
        now.remove(freed);
        all = now.toArray(PageLocked[]::new);
    }

    /** The address of memory that the device can copy from and to as it is, 0 for other memory. */
    long address(MemorySegment memory, long bytes) {
        PageLocked[] now = all;
        if (now.length > 0 && memory.isNative()) {
            for (PageLocked one : now) {
                if (one.covers(memory.address(), bytes)) {
                    return memory.address();
                }
            }
        }
        return 0;
    }

    /** The same for the memory of a span, if no cast is needed. */
    long address(Span span) {
        boolean plain = !span.floats() || span.dtype() == DType.F32;
        return plain ? address(span.memory(), span.bytes()) : 0;
    }
}
