package io.devicearena;

import java.lang.foreign.MemorySegment;

/**
 * Host memory from which a device copies fastest, filled and read by the caller directly: {@link
 * DeviceArena#allocateHost}. An engine that lets its loader write into it saves the host's own copy.
 *
 * <p>Use {@link #segment}, or slices of it, as the source of writes and the destination of reads, as any other memory.
 * Large writes of it need no copy by the host where the device can read it. On some devices it is slow to read by the
 * host, and the bytes should be written in ascending order.
 *
 * <p><b>Threads:</b> safe for any thread; the bytes are the caller's to synchronize, as those of any memory. While a
 * call writes some of them to the arena, and until the fence of a deferred write is done, no thread may access any byte
 * of this memory: a device may have taken it from the host meanwhile.
 *
 * <p><b>Lifetime:</b> until {@link #close}, or until the arena is closed; it keeps the arena reachable. A device that
 * is lost may take the memory with it: access throws {@link IllegalStateException} once the loss is known, and may end
 * the process in the moment before. An engine that must survive the loss of a device fills memory of its own.
 */
public interface HostMemory extends AutoCloseable {
    /** {@return the size in bytes, also once it is closed} */
    long byteSize();

    /**
     * Returns the memory. A device that takes it from the host for a write may give it back at another address: ask
     * again after each write of its bytes. This returns the same object otherwise.
     *
     * @return {@link #byteSize} bytes for any thread; access after close throws {@link IllegalStateException}
     * @throws IllegalStateException if this memory or its arena is closed
     * @throws DeviceException if the device failed
     */
    MemorySegment segment();

    /** {@return whether it can be used: false once this memory or its arena was closed} */
    boolean isOpen();

    /**
     * Frees the memory. A second call does nothing.
     *
     * @throws IllegalStateException if a native call of the caller is using the memory; it is freed by the next close,
     *     or with the arena
     */
    @Override
    void close();
}
