package io.devicearena.wgpu;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.spi.AbstractDeviceArena;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.HostAllocation;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.arena.ArenaResources;
import io.devicearena.wgpu.internal.arena.WgpuF16Shadow;
import io.devicearena.wgpu.internal.compute.ArenaKernels;
import io.devicearena.wgpu.internal.device.PipelineCache;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.internal.transfer.BatchReadback;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.SegmentedBuffer;
import io.devicearena.wgpu.internal.transfer.Upload;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/** An arena in the memory of a device: a buffer for each segment, and one for the f16 shadow of each. */
final class WgpuDeviceArena extends AbstractDeviceArena implements WgpuArena {
    private final ArenaResources resources;
    private final ArenaContext context;
    private final SegmentedBuffer buffer;
    private final Upload upload;
    private final Readback readback;
    private final BatchReadback batches;
    private final WgpuF16Shadow shadow;
    private final Kernels kernels;
    private final String label;

    /** Makes an arena, which frees the resources. */
    WgpuDeviceArena(
            ArenaDevice device,
            MemoryPlan plan,
            ArenaOptions options,
            ArenaGeometry geometry,
            ArenaResources resources) {
        this(device, plan, options, geometry, resources, resources.memory());
    }

    @SuppressWarnings("this-escape") // the context and the kernels keep the reference and call nothing of it yet
    private WgpuDeviceArena(
            ArenaDevice device,
            MemoryPlan plan,
            ArenaOptions options,
            ArenaGeometry geometry,
            ArenaResources resources,
            Runnable memory) {
        super(device, plan, options, geometry, memory);
        this.resources = resources;
        this.context = new ArenaContext(
                this,
                resources,
                geometry.sizeBytes(),
                options.f16Shadow(),
                new Checks(),
                weights().map(used -> ((WgpuDeviceArena) used).context).orElse(null),
                checks().orElse(null));
        this.buffer = resources.buffers().arena();
        this.upload = context.upload();
        this.readback = context.readback();
        this.batches = context.batches();
        this.shadow = new WgpuF16Shadow(context);
        this.kernels = new ArenaKernels(context);
        this.label = options.label();
    }

    @Override
    protected void writeRange(long offset, MemorySegment source) {
        context.markStale(offset, source.byteSize());
        upload.writeBytes(buffer, offset, source);
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        Mirror mirror = context.beginWrite(slot, dtype, elements);
        upload.writeFloats(buffer, slot.offset(), dtype, source, elements, mirror);
        context.endWrite(slot, elements, mirror);
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        Mirror mirror = context.beginWrite(slot, dtype, elements);
        upload.writeFloats(buffer, slot.offset(), dtype, source, elements, mirror);
        context.endWrite(slot, elements, mirror);
    }

    @Override
    protected void writeSpans(List<Span> spans) {
        write(spans, true);
    }

    @Override
    protected Transfer beginWrites(List<Span> spans, long elements) {
        write(spans, false);
        return resources.memory().begin(resources.device().pools().hostMemory().pending(spans), elements, this);
    }

    /** Makes the writes of a batch; waits for the device to read host memory of its own, or does not. */
    private void write(List<Span> spans, boolean wait) {
        for (int i = 0; i < spans.size(); i++) {
            write(spans.get(i), wait);
        }
    }

    private void write(Span span, boolean wait) {
        if (span.floats()) {
            Mirror mirror = context.beginWrite(span.slot(), span.dtype(), span.elements());
            upload.writeFloats(buffer, span.offset(), span.dtype(), span.memory(), span.elements(), mirror, wait);
            context.endWrite(span.slot(), span.elements(), mirror);
        } else {
            context.markStale(span.offset(), span.bytes());
            upload.writeBytes(buffer, span.offset(), span.memory(), wait);
        }
    }

    @Override
    protected HostAllocation allocateHostMemory(long bytes) {
        return resources.device().pools().hostMemory().allocate(bytes);
    }

    @Override
    protected void copyRange(long from, long to, long length) {
        if (((from | to | length) & (Integer.BYTES - 1)) == 0) {
            context.markStale(to, length);
            upload.copyWords(buffer, from, to, length);
        } else {
            super.copyRange(from, to, length);
        }
    }

    @Override
    protected void readRange(long offset, MemorySegment destination) {
        readback.readBytes(buffer, offset, destination);
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        readback.readFloats(buffer, slot.offset(), dtype, destination, elements);
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        readback.readFloats(buffer, slot.offset(), dtype, destination, elements);
    }

    @Override
    protected void readSpans(List<Span> spans) {
        batches.read(spans);
    }

    @Override
    protected Transfer beginReads(List<Span> spans, long elements) {
        return batches.begin(spans, elements, this, resources.memory());
    }

    @Override
    protected <R> R withRange(long offset, long length, Function<MemorySegment, R> reader) {
        StagingBuffer staging;
        resources.memory().enter();
        try {
            staging = readback.beginView(buffer, offset, length);
        } finally {
            resources.memory().leave(); // the copy is under way: close does not wait for the caller's function
        }
        return readback.withBytes(staging, offset, length, reader);
    }

    @Override
    public WgpuArena view(MemoryPlan other) {
        return (WgpuArena) super.view(other);
    }

    @Override
    protected DeviceArena openView(MemoryPlan plan, ArenaOptions options, ArenaGeometry view, Runnable memory) {
        return new WgpuDeviceArena(device(), plan, options, view, resources, memory);
    }

    @Override
    protected void flushWrites() {
        context.device().flush();
    }

    @Override
    public F16Shadow f16Shadow() {
        ArenaDevice device = device(); // throws when the arena is closed
        if (!device.capabilities().contains(Capability.F16_SHADOW)) {
            return super.f16Shadow();
        }
        if (context.shadowMode() == F16ShadowMode.OFF) {
            throw new UnsupportedOperationException(Capability.F16_SHADOW + ": device arena '" + label
                    + "' was opened without a shadow; open it with another F16ShadowMode");
        }
        return shadow;
    }

    @Override
    public Kernels kernels() {
        plan(); // throws when the arena is closed
        return kernels;
    }

    @Override
    public WgpuHandles handles() {
        plan(); // throws when the arena is closed
        beginChecks();
        GpuDevice gpu = context.device();
        LoadResult.Loaded library = (LoadResult.Loaded) WgpuLibrary.load();
        return new WgpuHandles(
                library.file(),
                unowned(resources.devices().instance().handle()),
                unowned(gpu.handle()),
                unowned(gpu.queueHandle()),
                unowned(buffer),
                resources.shadowBytes() > 0 ? unowned(resources.buffers().shadow()) : List.of());
    }

    /** What is alive in this arena and on its device, for tests. */
    String live() {
        return resources.kernels().live() + ", " + resources.prepared().size() + " prepared, device: "
                + resources.device().pipelines().size() + " pipelines, "
                + resources.device().uniforms().size() + " uniforms";
    }

    /** How often commands were submitted to the device; for tests. */
    long submissions() {
        return context.device().queue().submissions();
    }

    /** The pipelines of the device, which its arenas share; for tests. */
    PipelineCache pipelines() {
        return resources.device().pipelines();
    }

    private static List<WgpuHandles.Segment> unowned(SegmentedBuffer buffers) {
        List<WgpuHandles.Segment> segments = new ArrayList<>();
        for (int i = 0; i < buffers.count(); i++) {
            GpuBuffer segment = buffers.buffer(i);
            segments.add(new WgpuHandles.Segment(buffers.start(i), segment.bytes(), unowned(segment.handle())));
        }
        return segments;
    }

    /** A handle without a lifetime: a call of the engine that uses it must not make {@link #close} fail. */
    private static MemorySegment unowned(MemorySegment handle) {
        return MemorySegment.ofAddress(handle.address());
    }

    @Override
    public void markWritten(NodeId... nodes) {
        plan(); // throws when the arena is closed
        for (NodeId id : nodes) {
            context.slot(Objects.requireNonNull(id, "nodes"));
        }
        for (NodeId id : nodes) {
            BufferSlot slot = context.slot(id);
            context.markStale(slot.offset(), slot.size());
        }
        checks().ifPresent(checks -> checks.markWritten(List.of(nodes)));
    }

    /** The checks of the superclass, for programs. Threads: safe for any thread. */
    private final class Checks implements ArenaContext.BatchChecks {
        @Override
        public List<Span> reads(Batch batch, boolean byAnyThread) {
            return checkedReads(batch, byAnyThread);
        }

        @Override
        public List<Span> writes(Batch batch) {
            return checkedWrites(batch);
        }
    }
}
