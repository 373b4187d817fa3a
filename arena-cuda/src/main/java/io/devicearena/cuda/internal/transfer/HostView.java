package io.devicearena.cuda.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import io.devicearena.cuda.internal.driver.AddressSpace;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The caller's memory during one transfer: raw bytes, or floats that are cast on the way. One object serves one
 * transfer after the other, so that a transfer allocates nothing.
 *
 * <p>An element is a byte of raw memory, else a float.
 *
 * <p>Threads: one thread sets it; any thread copies.
 */
final class HostView {
    /** Never started; a segment that this thread may not access is confined. */
    private static final Thread ANOTHER_THREAD = Thread.ofPlatform()
            .inheritInheritableThreadLocals(false) // else it keeps the first caller's context loader for ever
            .unstarted(() -> {});

    private MemorySegment segment = MemorySegment.NULL;
    private long base;
    private float @Nullable [] array;
    private DType dtype = DType.U8;

    /**
     * Sets the memory of a transfer.
     *
     * @param memory the memory, unless there is an array
     * @param floats an array with the floats of the transfer, or null
     * @param deviceType what floats are on the device; U8 for raw bytes
     */
    void set(MemorySegment memory, float @Nullable [] floats, DType deviceType) {
        array = floats;
        dtype = deviceType;
        // Memory that is confined to the calling thread stays open during this call, so other threads may help to copy
        // it. They use its address, since the segment itself refuses them.
        boolean confined = floats == null && !memory.isAccessibleBy(ANOTHER_THREAD);
        segment = confined ? AddressSpace.ALL : memory;
        base = confined ? memory.address() : 0;
    }

    /** What the floats of a span are on the device; U8 for raw bytes. */
    static DType deviceType(Span span) {
        return span.floats() ? span.dtype() : DType.U8;
    }

    /** The elements of a span: floats, or bytes that are moved as they are. */
    static long elements(Span span) {
        return span.floats() ? span.elements() : span.bytes();
    }

    /** Drops the references to the caller's memory. */
    void clear() {
        array = null;
        segment = MemorySegment.NULL;
    }

    /** The bytes of an element in staging. */
    int bytes() {
        return dtype.bytes();
    }

    /** Copies or casts elements to an address, or from there. */
    void copy(boolean up, long address, long first, long count) {
        if (up) {
            copyTo(address, first, count);
        } else {
            copyFrom(address, first, count);
        }
    }

    /** Copies or casts elements to an address. */
    private void copyTo(long address, long first, long count) {
        float[] floats = array;
        if (dtype == DType.U8) {
            MemorySegment.copy(segment, base + first, AddressSpace.ALL, address, count);
        } else if (floats != null) {
            TypedCasts.write(AddressSpace.ALL, address, dtype, floats, (int) first, (int) count);
        } else {
            TypedCasts.write(AddressSpace.ALL, address, dtype, segment, base + first * Float.BYTES, count);
        }
    }

    /** Copies or casts elements from an address. */
    private void copyFrom(long address, long first, long count) {
        float[] floats = array;
        if (dtype == DType.U8) {
            MemorySegment.copy(AddressSpace.ALL, address, segment, base + first, count);
        } else if (floats != null) {
            TypedCasts.read(AddressSpace.ALL, address, dtype, floats, (int) first, (int) count);
        } else {
            TypedCasts.read(AddressSpace.ALL, address, dtype, segment, base + first * Float.BYTES, count);
        }
    }
}
