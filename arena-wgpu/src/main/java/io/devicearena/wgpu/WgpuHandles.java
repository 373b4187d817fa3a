package io.devicearena.wgpu;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * The native objects of an arena, for engines with bindings of their own. The arena owns them: an engine must not
 * release them, and must not use them after the arena is closed.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param library the loaded file of wgpu-native; only its functions accept these handles
 * @param instance the {@code WGPUInstance}
 * @param device the {@code WGPUDevice}
 * @param queue the {@code WGPUQueue}
 * @param segments the buffers of the arena in order, 1 or more
 * @param shadowSegments the buffers of its f16 shadow in order; none without a shadow
 */
public record WgpuHandles(
        Path library,
        MemorySegment instance,
        MemorySegment device,
        MemorySegment queue,
        List<Segment> segments,
        List<Segment> shadowSegments) {
    /**
     * A buffer of the arena or of its shadow.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param offset where it begins: bytes from the start of the arena or the shadow
     * @param bytes its size, rounded up to what bindings need
     * @param buffer the {@code WGPUBuffer}, with usage Storage, CopySrc and CopyDst
     */
    public record Segment(long offset, long bytes, MemorySegment buffer) {
        /** Makes the description. */
        public Segment {
            Objects.requireNonNull(buffer, "buffer");
        }
    }

    /** Makes the handles. */
    public WgpuHandles {
        Objects.requireNonNull(library, "library");
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(queue, "queue");
        segments = List.copyOf(segments);
        shadowSegments = List.copyOf(shadowSegments);
    }

    /**
     * Returns the first buffer of the arena, which is the only one of an arena of one segment.
     *
     * @return the {@code WGPUBuffer}
     */
    public MemorySegment arena() {
        return segments.getFirst().buffer();
    }
}
