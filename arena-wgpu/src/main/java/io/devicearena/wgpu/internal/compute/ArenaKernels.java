package io.devicearena.wgpu.internal.compute;

import io.devicearena.NodeId;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Window;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.gpu.GpuPipeline;
import io.devicearena.wgpu.internal.lifetime.SharedObjects;
import io.devicearena.wgpu.kernel.KernelFacts;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** The kernels of one arena. Threads: safe for any thread. */
public final class ArenaKernels implements Kernels {
    /** The longest uniform binding that every device supports (WebGPU, section 3.6.2, maxUniformBufferBindingSize). */
    private static final int MAX_UNIFORM_BYTES = 64 << 10;

    private static final int MAX_RESULT_BYTES = 64 << 10;

    private final ArenaContext arena;
    private final KernelFacts facts;
    private final SharedObjects<KernelSource, CompiledKernel> compiled =
            new SharedObjects<>((_, kernel) -> kernel.owner.free(kernel));

    /** Makes the kernels of an arena. */
    public ArenaKernels(ArenaContext arena) {
        this.arena = arena;
        this.facts = arena.backend().device().limits();
    }

    @Override
    public Kernel compile(KernelSource source) {
        Objects.requireNonNull(source, "source");
        return inside(() -> handle(source));
    }

    /** Returns a handle of a kernel; the arena is entered. */
    private KernelHandle handle(KernelSource source) {
        CompiledKernel kernel = compiled.acquire(source, () -> {
            CompiledKernel made = new CompiledKernel(arena.backend().kernels(), source, facts);
            GpuPipeline _ = made.pipeline(0);
            return made.owner.own(made, made::free);
        });
        return new KernelHandle(arena, kernel, () -> compiled.release(source));
    }

    /** The number of compiled kernels. */
    public int size() {
        return compiled.size();
    }

    @Override
    public Window arena() {
        return inside(() -> new ArenaWindow.Side(arena, false).whole());
    }

    @Override
    public Window window(NodeId... nodes) {
        List<NodeId> covered = List.of(nodes);
        return inside(() -> side(covered, false).covering(covered));
    }

    @Override
    public Window window(NodeId id, long firstByte, long bytes) {
        List<NodeId> covered = List.of(Objects.requireNonNull(id, "id"));
        return inside(() -> side(covered, false).ofPart(id, firstByte, bytes));
    }

    @Override
    public Window shadow() {
        return inside(() -> new ArenaWindow.Side(arena, true).whole());
    }

    @Override
    public Window shadowWindow(NodeId... nodes) {
        List<NodeId> covered = List.of(nodes);
        return inside(() -> side(covered, true).covering(covered));
    }

    @Override
    public Window shadowWindow(NodeId id, long firstByte, long bytes) {
        List<NodeId> covered = List.of(Objects.requireNonNull(id, "id"));
        return inside(() -> side(covered, true).ofPart(id, firstByte, bytes));
    }

    /** Where values are, or their mirrors. */
    private ArenaWindow.Side side(List<NodeId> nodes, boolean shadow) {
        return new ArenaWindow.Side(arena.home(nodes), shadow);
    }

    @Override
    public KernelBuffer buffer(String label, long bytes) {
        Objects.requireNonNull(label, "label");
        long max = facts.maxBufferBytes() & -16;
        if (bytes < 1 || bytes > max) {
            throw new IllegalArgumentException(
                    "buffer '" + label + "': expected 1 to " + max + " bytes (maxBufferSize), got " + bytes);
        }
        return inside(() ->
                new ExtraBuffer(arena, label, arena.backend().kernels().buffer(label, bytes + 15 & -16)));
    }

    @Override
    public ResultBuffer resultBuffer(String label, long bytes) {
        Objects.requireNonNull(label, "label");
        if (bytes < 1 || bytes > MAX_RESULT_BYTES) {
            throw new IllegalArgumentException("result buffer '" + label + "': expected 1 to " + MAX_RESULT_BYTES
                    + " bytes, got " + bytes + "; read larger results from the arena");
        }
        if (!facts.hasResultBuffers()) {
            throw new UnsupportedOperationException("result buffers: not a feature of device '"
                    + arena.backend().device().adapter().name() + "'; ask KernelFacts.hasResultBuffers first");
        }
        return inside(() ->
                new HostResult(arena, label, arena.backend().kernels().result(label, bytes + 15 & -16)));
    }

    @Override
    public Binding uniform(int... words) {
        return uniform(MemorySegment.ofArray(words));
    }

    @Override
    public Binding uniform(MemorySegment bytes) {
        long size = Objects.requireNonNull(bytes, "bytes").byteSize();
        if (size < 1 || size > MAX_UNIFORM_BYTES) {
            throw new IllegalArgumentException("uniform: expected 1 to " + MAX_UNIFORM_BYTES + " bytes, got "
                    + (size == 0 ? "none" : "more") + "; put large tables into a buffer");
        }
        return inside(() -> {
            arena.backend().device().requireAlive();
            return new UniformWords(arena.backend().kernels(), bytes);
        });
    }

    @Override
    public Recorder recorder() {
        return inside(() -> new ProgramRecorder(arena));
    }

    @Override
    public KernelFacts facts() {
        return facts;
    }

    private <T> T inside(Supplier<T> call) {
        arena.enter();
        try {
            return call.get();
        } finally {
            arena.leave();
        }
    }
}
