package io.devicearena.cuda.internal.driver;

import java.lang.foreign.MemorySegment;

/**
 * The address space of the process as one segment. Page-locked memory is read and written through it without a new
 * segment for each access, and without a check: the caller holds memory that is allocated for the whole access.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class AddressSpace {
    /** Every address; an offset into the segment is an address. */
    @SuppressWarnings("restricted") // has no bounds to check
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private AddressSpace() {}
}
