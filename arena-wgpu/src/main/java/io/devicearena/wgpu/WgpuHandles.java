package io.devicearena.wgpu;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

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
 * @param arena the {@code WGPUBuffer} of the arena, with usage Storage, CopySrc and CopyDst
 * @param shadow the {@code WGPUBuffer} of its f16 shadow, or empty without a shadow
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
