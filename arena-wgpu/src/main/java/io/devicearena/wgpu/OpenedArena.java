package io.devicearena.wgpu;

import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.arena.WgpuBackend;
import io.devicearena.wgpu.internal.compute.ArenaKernels;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What an arena of this provider has beside its memory. */
final class OpenedArena implements WgpuArena {
    private final ArenaContext context;
    private final Kernels kernels;

    OpenedArena(ArenaContext context) {
        this.context = context;
        this.kernels = new ArenaKernels(context);
    }

    @Override
    public Kernels kernels() {
        context.open().requireOpen();
        return kernels;
    }

    @Override
    public WgpuHandles handles() {
        context.open().requireOpen();
        WgpuBackend backend = context.backend();
        GpuDevice gpu = backend.device();
        LoadResult.Loaded library = (LoadResult.Loaded) WgpuLibrary.load();
        return new WgpuHandles(
                library.file(),
                unowned(backend.devices().instance().handle()),
                unowned(gpu.handle()),
                unowned(gpu.queueHandle()),
                unowned(backend.buffers().arena()),
                backend.mirrors().shadowBytes() > 0 ? unowned(backend.buffers().shadow()) : List.of());
    }

    private static List<WgpuHandles.Segment> unowned(SegmentedBuffer buffers) {
        List<WgpuHandles.Segment> segments = new ArrayList<>();
        for (int i = 0; i < buffers.count(); i++) {
            GpuBuffer segment = buffers.buffer(i);
            segments.add(new WgpuHandles.Segment(buffers.start(i), segment.bytes(), unowned(segment.handle())));
        }
        return segments;
    }

    /** A handle without a lifetime: a call of the engine that uses it must not make closing the arena fail. */
    private static MemorySegment unowned(MemorySegment handle) {
        return MemorySegment.ofAddress(handle.address());
    }

    @Override
    public void markWritten(NodeId... nodes) {
        context.open().requireOpen();
        List<BufferSlot> written = new ArrayList<>();
        for (NodeId id : nodes) {
            written.add(context.open().requireSlot(Objects.requireNonNull(id, "nodes")));
        }
        written.forEach(slot -> context.backend().mirrors().markStale(slot.offset(), slot.size()));
        context.open().checks().ifPresent(checks -> checks.markWritten(List.of(nodes)));
    }
}
