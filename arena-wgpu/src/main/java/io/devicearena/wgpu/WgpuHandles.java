package io.devicearena.wgpu;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The native objects under an arena, for engines with bindings of their own. They are lent: who uses them never releases
 * them, and not after the arena is closed.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param library the file of wgpu-native that is loaded, the only one whose functions take these handles
 * @param instance the {@code WGPUInstance}
 * @param device the {@code WGPUDevice}
 * @param queue the {@code WGPUQueue}
 * @param arena the {@code WGPUBuffer} that is the arena, with usage Storage, CopySrc and CopyDst
 * @param shadow the {@code WGPUBuffer} that is its f16 shadow, or empty when there is none
 */
public record WgpuHandles(
        Path library,
        MemorySegment instance,
        MemorySegment device,
        MemorySegment queue,
        MemorySegment arena,
        Optional<MemorySegment> shadow) {
    /** Makes the handles. */
    public WgpuHandles {
        Objects.requireNonNull(library, "library");
        Objects.requireNonNull(instance, "instance");
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(arena, "arena");
        Objects.requireNonNull(shadow, "shadow");
    }
}
