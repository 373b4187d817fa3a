package io.devicearena.wgpu;

import io.devicearena.wgpu.internal.arena.ArenaContext;
import io.devicearena.wgpu.internal.arena.ArenaResources;
import io.devicearena.wgpu.internal.arena.CloseGuard;
import io.devicearena.wgpu.internal.arena.WgpuF16Shadow;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeferredRead;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import io.devicearena.spi.AbstractDeviceArena;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.wgpu.internal.gpu.GpuBuffer;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.gpu.StagingBuffer;
import io.devicearena.wgpu.internal.compute.ArenaKernels;
import io.devicearena.wgpu.internal.loading.LoadResult;
import io.devicearena.wgpu.internal.loading.WgpuLibrary;
import io.devicearena.wgpu.internal.transfer.BatchReadback;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.RegionSizes;
import io.devicearena.wgpu.internal.transfer.Upload;
import io.devicearena.wgpu.internal.transfer.Upload.Mirror;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** An arena in one buffer of a device, with a second one for its f16 shadow. */
final class WgpuDeviceArena extends AbstractDeviceArena implements WgpuArena {
    private final ArenaResources memory;
    private final GpuBuffer buffer;
    private final CloseGuard gate;
    private final Upload upload;
    private final Readback readback;
    private final BatchReadback batches;
    private final WgpuF16Shadow shadow;
    private final F16ShadowMode mode;
    private final String label;
    private final Kernels kernels;

    @SuppressWarnings("this-escape") // its kernels hold it and call nothing of it yet
    WgpuDeviceArena(
            ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry, ArenaResources memory) {
        super(device, plan, options, geometry, memory);
        this.memory = memory;
        this.buffer = memory.buffers().arena();
        this.gate = memory.gate();
        this.upload = new Upload(memory.device().pools(), memory.buffers());
        this.readback = new Readback(memory.device().pools());
        this.batches = new BatchReadback(memory.device().pools(), memory.buffers(), memory.runs(), new RegionSizes() {
            @Override
            public long offset(ReadBatch.Region region) {
                return regionOffset(region);
            }

            @Override
            public long elements(ReadBatch.Region region) {
                return elementsRead(region);
            }
        });
        this.mode = memory.shadowBytes() > 0 ? options.f16Shadow() : F16ShadowMode.OFF;
        this.label = options.label();
        this.shadow = new WgpuF16Shadow(this, memory, upload, readback);
        this.kernels = new ArenaKernels(
                new ArenaContext(this, memory, geometry.sizeBytes(), upload, readback, batches, shadow));
    }

    @Override
    protected void writeRange(long offset, MemorySegment source) {
        gate.enter();
        try {
            stale(offset, source.byteSize());
            upload.writeBytes(buffer, offset, source);
        } finally {
            gate.leave();
        }
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, MemorySegment source, long elements) {
        gate.enter();
        try {
            Mirror mirror = beginWrite(slot, dtype, elements);
            upload.writeFloats(buffer, slot.offset(), dtype, source, elements, mirror);
            endWrite(slot, elements, mirror);
        } finally {
            gate.leave();
        }
    }

    @Override
    protected void writeFloats(BufferSlot slot, DType dtype, float[] source, int elements) {
        gate.enter();
        try {
            Mirror mirror = beginWrite(slot, dtype, elements);
            upload.writeFloats(buffer, slot.offset(), dtype, source, elements, mirror);
            endWrite(slot, elements, mirror);
        } finally {
            gate.leave();
        }
    }

    /** Decides about the mirror of a typed write, and notes that what there was is out of date. */
    private Mirror beginWrite(BufferSlot slot, DType dtype, long elements) {
        if (mode == F16ShadowMode.OFF) {
            return Mirror.NONE;
        }
        shadow.stale(slot.offset(), elements * dtype.bytes());
        if (mode == F16ShadowMode.ON_REQUEST || dtype != DType.F32 || !shadow.fits(slot)) {
            return Mirror.NONE;
        }
        return elements == slot.size() / Float.BYTES ? Mirror.PADDED : Mirror.CONTINUED;
    }

    private void endWrite(BufferSlot slot, long elements, Mirror mirror) {
        if (mirror != Mirror.NONE) {
            shadow.fresh(slot.offset(), elements * Float.BYTES);
        }
    }

    void stale(long offset, long bytes) {
        if (mode != F16ShadowMode.OFF) {
            shadow.stale(offset, bytes);
        }
    }

    @Override
    protected void readRange(long offset, MemorySegment destination) {
        gate.enter();
        try {
            readback.readBytes(buffer, offset, destination);
        } finally {
            gate.leave();
        }
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, MemorySegment destination, long elements) {
        gate.enter();
        try {
            readback.readFloats(buffer, slot.offset(), dtype, destination, elements);
        } finally {
            gate.leave();
        }
    }

    @Override
    protected void readFloats(BufferSlot slot, DType dtype, float[] destination, int elements) {
        gate.enter();
        try {
            readback.readFloats(buffer, slot.offset(), dtype, destination, elements);
        } finally {
            gate.leave();
        }
    }

    @Override
    protected long readRegions(List<ReadBatch.Region> regions) {
        gate.enter();
        try {
            return batches.read(regions);
        } finally {
            gate.leave();
        }
    }

    @Override
    protected DeferredRead beginRegions(List<ReadBatch.Region> regions) {
        gate.enter();
        try {
            return batches.begin(regions, this, memory.pending());
        } finally {
            gate.leave();
        }
    }

    @Override
    protected <R> R withRange(long offset, long length, Function<MemorySegment, R> reader) {
        StagingBuffer staging;
        gate.enter();
        try {
            staging = readback.beginLend(buffer, offset, length);
        } finally {
            gate.leave(); // the copy is under way: close need not wait for the caller's function
        }
        return readback.lend(staging, offset, length, reader);
    }

    @Override
    protected void flushWrites() {
        gate.enter();
        try {
            memory.device().device().flush();
        } finally {
            gate.leave();
        }
    }

    @Override
    public F16Shadow f16Shadow() {
        ArenaDevice device = device(); // throws when the arena is closed
        if (!device.capabilities().contains(Capability.F16_SHADOW)) {
            return super.f16Shadow();
        }
        if (mode == F16ShadowMode.OFF) {
            throw new UnsupportedOperationException(Capability.F16_SHADOW + ": device arena '" + label
                    + "' was opened without; open it with another F16ShadowMode");
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
        GpuDevice gpu = memory.device().device();
        LoadResult.Loaded library = (LoadResult.Loaded) WgpuLibrary.load();
        return new WgpuHandles(
                library.file(),
                memory.devices().instance().handle(),
                gpu.handle(),
                gpu.queue(),
                buffer.handle(),
                memory.shadowBytes() > 0 ? Optional.of(memory.buffers().shadow().handle()) : Optional.empty());
    }

    @Override
    public void markWritten(NodeId... nodes) {
        Map<NodeId, BufferSlot> slots = plan().slots(); // throws when the arena is closed
        for (NodeId id : nodes) {
            slotIn(slots, Objects.requireNonNull(id, "nodes"));
        }
        for (NodeId id : nodes) {
            BufferSlot slot = slotIn(slots, id);
            stale(slot.offset(), slot.size());
        }
    }

    /** The slot of a value; throws when it has none, or the arena is closed. */
    BufferSlot slot(NodeId id) {
        return slotIn(plan().slots(), id);
    }

    private static BufferSlot slotIn(Map<NodeId, BufferSlot> slots, NodeId id) {
        BufferSlot slot = slots.get(id);
        if (slot == null) {
            throw new IllegalArgumentException(
                    id + ": expected a value with a slot, got one without; use a value for which hasBuffer is true");
        }
        return slot;
    }
}
