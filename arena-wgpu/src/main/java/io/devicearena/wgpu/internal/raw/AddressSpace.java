package io.devicearena.wgpu.internal.raw;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The address space of the process as one segment. Native addresses are read and written through it without a new
 * segment for each access.
 *
 * <p>An access through {@link #ALL} has no bounds check and no lifetime check. The caller must hold memory that is
 * mapped for the whole access: staging that is mapped now, or native memory of an open {@link Arena}.
 *
 * <p>Threads: static and stateless; safe for any thread.
 */
public final class AddressSpace {
    /** Every address; an offset into the segment is an address. */
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /**
     * Memory that is never freed, for the few things that the library may still use when their Java owner is gone: the
     * upcall stubs for mapped buffers and for errors, and the cells that the first one writes to. A thread of a driver
     * may run a callback as late as the end of the process, so no earlier moment to free them is safe.
     */
    public static final Arena PROCESS = Arena.ofShared();

    private AddressSpace() {}
}
