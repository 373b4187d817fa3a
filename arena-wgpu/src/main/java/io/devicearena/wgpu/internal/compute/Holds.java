package io.devicearena.wgpu.internal.compute;

import io.devicearena.wgpu.internal.arena.KernelCache;
import io.devicearena.wgpu.internal.gpu.GpuBindGroup;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.raw.NativeText;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the steps of a program use: kernels, buffers, bind groups, uniforms and names. A recorder collects it, and the
 * program releases it when it is freed.
 *
 * <p>Threads: one thread at a time.
 */
final class Holds {
    private final List<Runnable> releases = new ArrayList<>();
    private final KernelCache owner;
    private @Nullable Arena names;

    Holds(KernelCache owner) {
        this.owner = owner;
    }

    /** Adds something that is held; it is released once. */
    void add(Runnable release) {
        releases.add(release);
    }

    /** Returns a bind group of the arena, and holds it. */
    GpuBindGroup group(String name, GpuPipeline pipeline, int group, List<GpuBindGroup.Range> ranges) {
        GpuBindGroup made = owner.group(name, pipeline, group, ranges);
        add(() -> owner.releaseGroup(pipeline, group, ranges));
        return made;
    }

    /** The number of things that are held. */
    int size() {
        return releases.size();
    }

    /** Releases what was added last, down to an earlier size. */
    void releaseTo(int size) {
        while (releases.size() > size) {
            releases.removeLast().run();
        }
    }

    /** Returns a name in native memory that lives as long as what is held. */
    MemorySegment name(String text) {
        Arena memory = names;
        if (memory == null) {
            memory = Arena.ofShared();
            names = owner.own(memory, memory::close);
        }
        return NativeText.allocate(text, memory);
    }

    /** Releases everything. */
    void release() {
        releaseTo(0);
        if (names != null) {
            owner.free(names);
            names = null;
        }
    }
}
