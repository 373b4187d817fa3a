package io.devicearena.wgpu.internal.transfer;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.raw.AddressSpace;
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

    /** The type of the elements of a span: U8 for raw bytes. */
    static DType type(Span span) {
        return span.floats() ? span.dtype() : DType.U8;
    }

    /** Sets the memory of a transfer; returns the number of its elements. */
    long set(Span span) {
        set(span.memory(), type(span));
        return span.bytes() / dtype.bytes();
    }

    /** Sets f32 values of the host that have another type on the device, or raw bytes, which are U8. */
    void set(MemorySegment memory, DType deviceType) {
        array = null;
        // memory that is confined to the calling thread stays open during this call, so other threads may help to copy
        // it: by its address, since the segment itself refuses them
        boolean confined = !memory.isAccessibleBy(ANOTHER_THREAD);
        segment = confined ? AddressSpace.ALL : memory;
        base = confined ? memory.address() : 0;
        dtype = deviceType;
    }

    /** Sets f32 values of the host that have another type on the device. */
    void set(float[] floats, DType deviceType) {
        array = floats;
        segment = MemorySegment.NULL;
        dtype = deviceType;
    }

    /** Sets the memory of another view, cast to f16. */
    void setF16Of(HostView floats) {
        segment = floats.segment;
        base = floats.base;
        array = floats.array;
        dtype = DType.F16;
    }

    /** Drops the references to the caller's memory. */
    void clear() {
        array = null;
        segment = MemorySegment.NULL;
    }

    /** The address of native memory that is copied as it is; 0 for other memory. */
    long plainAddress() {
        boolean plain = segment.isNative() && array == null && (dtype == DType.U8 || dtype == DType.F32);
        return plain ? segment.address() + base : 0;
    }

    /** The bytes of an element on the device. */
    int deviceBytes() {
        return dtype.bytes();
    }

    /** Copies or casts elements to an address. */
    void copyTo(long address, long first, long count) {
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
    void copyFrom(long address, long first, long count) {
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
