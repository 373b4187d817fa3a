package io.devicearena.wgpu.internal.device;

import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The compiled pipelines of one device, for all arenas: an equal program is compiled once, also when several threads
 * ask for it at a time. A pipeline is freed with its last user.
 *
 * <p>Threads: safe for any thread.
 */
public final class PipelineCache {
    private final GpuDevice device;
    /** Guards itself and the number of users of each entry. */
    private final Map<GpuPipeline.Program, Entry> entries = new HashMap<>();

    /** The pipeline of a program; its own lock is held while it compiles. */
    private static final class Entry {
        int users;

        @Nullable GpuPipeline pipeline;
    }

    PipelineCache(GpuDevice device) {
        this.device = device;
    }

    /**
     * Returns the pipeline of a program, for one more user; {@link #release} must follow.
     *
     * @throws io.devicearena.DeviceException if the device or the library refuses the program
     */
    public GpuPipeline acquire(GpuPipeline.Program program) {
        Entry entry;
        synchronized (entries) {
            entry = entries.computeIfAbsent(program, _ -> new Entry());
            entry.users++;
        }
        try {
            return compiled(entry, program);
        } catch (RuntimeException | Error e) {
            release(program);
            throw e;
        }
    }

    private GpuPipeline compiled(Entry entry, GpuPipeline.Program program) {
        synchronized (entry) {
            GpuPipeline known = entry.pipeline;
            if (known == null) {
                known = LargeStackThread.call(() -> GpuPipeline.compile(device, program));
                entry.pipeline = known;
            }
            return known;
        }
    }

    /** Ends the use of a pipeline by one user. */
    public void release(GpuPipeline.Program program) {
        Entry unused = null;
        synchronized (entries) {
            Entry entry = entries.get(program);
            if (entry == null) {
                throw new AssertionError("a pipeline was released twice");
            }
            if (--entry.users == 0) {
                entries.remove(program);
                unused = entry;
            }
        }
        if (unused != null) {
            synchronized (unused) {
                if (unused.pipeline != null) {
                    unused.pipeline.close();
                }
            }
        }
    }

    /** The number of pipelines, those that are being compiled included. */
    public int size() {
        synchronized (entries) {
            return entries.size();
        }
    }
}
