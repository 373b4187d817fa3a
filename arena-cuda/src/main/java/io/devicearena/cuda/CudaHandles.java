package io.devicearena.cuda;

/**
 * The native objects of an arena, for engines with bindings of their own: get them by {@code
 * arena.unwrap(CudaHandles.class)}. The arena owns them: an engine must not free them, and must not use them after the
 * arena is closed.
 *
 * <p>All transfers of the arena run on the stream, in the order of the calls. Work that an engine puts on the same
 * stream needs no other synchronization: it sees earlier writes through the arena, and later reads see what it wrote.
 * Work on another stream waits for an event of this one. Work that writes values leaves their f16 mirrors as they are:
 * refresh those that kernels read.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param context the {@code CUcontext}; the primary context of the device, unless the caller brought another
 * @param stream the {@code CUstream}
 * @param arena the {@code CUdeviceptr} of the first byte of the arena
 * @param shadow the {@code CUdeviceptr} of the first byte of the f16 shadow, 0 without a shadow
 */
public record CudaHandles(long context, long stream, long arena, long shadow) {}
