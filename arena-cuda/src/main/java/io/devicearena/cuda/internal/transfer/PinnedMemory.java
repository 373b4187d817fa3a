package io.devicearena.cuda.internal.transfer;

import io.devicearena.spi.memory.HostAllocation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * Page-locked memory in the hands of a caller.
 *
 * <p>Threads: those of its scope.
 */
final class PinnedMemory implements HostAllocation {
    private final Arena scope;
    private final MemorySegment segment;
    private final Consumer<PinnedMemory> freed;

    /**
     * Hands out memory.
     *
     * @param freed what to do with it once its scope is closed
     */
    @SuppressWarnings("restricted") // the memory stays until its scope is closed
    PinnedMemory(Arena scope, long address, long bytes, Consumer<PinnedMemory> freed) {
        this.scope = scope;
        this.segment = MemorySegment.ofAddress(address).reinterpret(bytes, scope, null);
        this.freed = freed;
    }

    boolean covers(long begin, long bytes) {
        long before = begin - segment.address();
        return before >= 0 && bytes <= segment.byteSize() && before <= segment.byteSize() - bytes;
    }

    @Override
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void free() {
        if (scope.scope().isAlive()) {
            scope.close(); // throws while a native call of the caller uses it
        }
        freed.accept(this);
    }
}
