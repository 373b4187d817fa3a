package io.devicearena.spi.observation;

import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;

/**
 * The bytes of an arena, as its checks read and write them.
 *
 * <p><b>Threads:</b> safe for any thread.
 */
public interface CheckedAccess {
    /**
     * Reads bytes, unchecked.
     *
     * @param offset bytes from the arena's start
     * @param destination where they land
     */
    void read(long offset, MemorySegment destination);

    /**
     * Writes bytes, unchecked.
     *
     * @param offset bytes from the arena's start
     * @param source the bytes
     */
    void write(long offset, MemorySegment source);

    /**
     * {@return the actual length of a value in bytes}
     *
     * @param id a value with a slot
     */
    long lengthBytes(NodeId id);
}
