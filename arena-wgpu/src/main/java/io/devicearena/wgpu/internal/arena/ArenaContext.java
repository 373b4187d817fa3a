package io.devicearena.wgpu.internal.arena;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.checks.ExecutionChecks;
import io.devicearena.spi.memory.GuardedMemory;
import io.devicearena.spi.memory.Span;
import io.devicearena.wgpu.internal.gpu.GpuDevice;
import io.devicearena.wgpu.internal.transfer.ArenaBuffers;
import io.devicearena.wgpu.internal.transfer.BatchReadback;
import io.devicearena.wgpu.internal.transfer.Readback;
import io.devicearena.wgpu.internal.transfer.TransferPools;
import io.devicearena.wgpu.internal.transfer.Upload;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An arena as its f16 shadow and its kernels see it: its slots, its resources, its transfers, and the state of its
 * mirrors. It keeps the arena reachable.
 *
 * <p>Threads: safe for any thread.
 */
public final class ArenaContext {
    /**
     * A word of the shadow holds two f16 values, those of 8 bytes of f32. A mirror that begins within a word has no
     * word.
     */
    private static final int MIRROR_ALIGNMENT_BYTES = 8;

    private final DeviceArena arena;
    private final ArenaResources resources;
    private final long sizeBytes;
    private final F16ShadowMode shadowMode;
    private final Upload upload;
    private final Readback readback;
    private final BatchReadback batches;
    private final BatchChecks batchChecks;
    private final @Nullable ArenaContext weights;
    private final StaleRanges stale;
    private final @Nullable ExecutionChecks checks;

    /**
     * Makes the context of an arena.
     *
     * @param arena the arena, which is kept reachable and may still be under construction
     * @param sizeBytes the size of the arena, with scratch
     * @param shadowMode how the arena keeps its f16 shadow; ignored without a shadow
     * @param batchChecks checks batches, as every call of the arena does
     * @param weights the arena whose weights this one uses, or null for none
     * @param checks what checks the execution, or null for an arena without
     */
    public ArenaContext(
            DeviceArena arena,
            ArenaResources resources,
            long sizeBytes,
            F16ShadowMode shadowMode,
            BatchChecks batchChecks,
            @Nullable ArenaContext weights,
            @Nullable ExecutionChecks checks) {
        this.arena = arena;
        this.weights = weights;
        this.checks = checks;
        this.resources = resources;
        this.sizeBytes = sizeBytes;
        this.shadowMode = resources.shadowBytes() > 0 ? shadowMode : F16ShadowMode.OFF;
        TransferPools pools = resources.device().pools();
        this.upload = new Upload(pools, resources.buffers());
        this.batchChecks = batchChecks;
        this.stale = resources.stale();
        this.readback = new Readback(pools);
        this.batches = new BatchReadback(pools, resources.buffers(), resources.prepared(), this::mirror);
    }

    /** Checks batches. Threads: safe for any thread. */
    public interface BatchChecks {
        /** Requires that this thread can make all reads of a batch now; returns them. */
        List<Span> reads(Batch batch, boolean byAnyThread);

        /** Requires that this thread can make all writes of a batch now; returns them. */
        List<Span> writes(Batch batch);
    }

    /** Begins a call; {@link #leave} must follow. Throws if the arena is closed. */
    public void enter() {
        requireOpen();
        resources.memory().enter();
    }

    /** Begins a call of this arena or a view that is closed already; returns false once the memory is freed. */
    public boolean tryEnter() {
        return resources.memory().tryEnter();
    }

    /** Ends a call. */
    public void leave() {
        resources.memory().leave();
    }

    /** Throws if the arena is closed. */
    public void requireOpen() {
        Objects.requireNonNull(arena.plan());
    }

    /** The arena itself. */
    public DeviceArena arena() {
        return arena;
    }

    /** What checks the execution, or null for an arena without. */
    public @Nullable ExecutionChecks checks() {
        return checks;
    }

    /** The size of the arena in bytes, with scratch. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** How the arena keeps its f16 shadow. */
    public F16ShadowMode shadowMode() {
        return shadowMode;
    }

    /** The size of the f16 shadow in bytes; throws if there is none. */
    public long shadowBytes() {
        return arena.f16Shadow().sizeBytes();
    }

    /** The size of the f16 shadow in bytes, 0 for none. */
    long allocatedShadowBytes() {
        return resources.shadowBytes();
    }

    /** The slot of a value; throws if it has none. */
    public BufferSlot slot(NodeId id) {
        BufferSlot slot = arena.plan().slots().get(id);
        if (slot == null) {
            arena.setActualLength(id, 0); // throws, in the words of every call that names a value
            throw new AssertionError(describe(id) + " has a slot in the arena, and none in its plan");
        }
        return slot;
    }

    /** A value as messages write it. */
    public String describe(NodeId id) {
        return arena.plan().describe(id);
    }

    /** The arena whose weights this one uses, or null for none. */
    public @Nullable ArenaContext weights() {
        return weights;
    }

    /** Where values are: this arena, or its weights if all of them are there and none is here. */
    public ArenaContext home(List<NodeId> nodes) {
        if (weights == null || nodes.stream().anyMatch(arena.plan().slots()::containsKey)) {
            return this;
        }
        return nodes.stream().allMatch(weights.arena.plan().slots()::containsKey) ? weights : this;
    }

    /** Whether kernels of this arena can be bound to what an owner made. */
    public boolean binds(KernelCache owner) {
        return owner == kernels() || owns(weights, owner);
    }

    private static boolean owns(@Nullable ArenaContext context, KernelCache owner) {
        return context != null && context.kernels() == owner;
    }

    /** Whether an owner is that of the weights, which kernels of this arena only read. */
    public boolean isOfWeights(KernelCache owner) {
        return owner != kernels() && owns(weights, owner);
    }

    /** Decides how a typed write treats the mirror, and marks the old mirror as stale. */
    public Upload.Mirror beginWrite(BufferSlot slot, DType dtype, long elements) {
        if (shadowMode == F16ShadowMode.OFF) {
            return Upload.Mirror.NONE;
        }
        markStale(slot.offset(), elements * dtype.bytes());
        return mirror(slot, dtype, elements);
    }

    /** Decides how a typed write treats the mirror. */
    public Upload.Mirror mirror(BufferSlot slot, DType dtype, long elements) {
        if (!writesMirror(slot, dtype)) {
            return Upload.Mirror.NONE;
        }
        return elements == slot.size() / Float.BYTES ? Upload.Mirror.PADDED : Upload.Mirror.CONTINUED;
    }

    /** Ends a typed write. */
    public void endWrite(BufferSlot slot, long elements, Upload.Mirror mirror) {
        if (mirror != Upload.Mirror.NONE) {
            markFresh(slot.offset(), elements * Float.BYTES);
        }
    }

    /** Whether a write of host floats makes the mirror of its value too. */
    private boolean writesMirror(BufferSlot slot, DType dtype) {
        return shadowMode == F16ShadowMode.ON_WRITE && dtype == DType.F32 && hasMirror(slot);
    }

    private Upload.Mirror mirror(Span span) {
        return span.floats() ? mirror(span.slot(), span.dtype(), span.elements()) : Upload.Mirror.NONE;
    }

    /** Requires that this thread can make all writes of a batch now; returns them. */
    public List<Span> requireWritable(Batch batch) {
        return batchChecks.writes(batch);
    }

    /**
     * Whether the mirror of a slot is stale after a write. A write of a part makes no stale mirror fresh.
     *
     * @param isStale whether it is before the write
     */
    public boolean isStaleAfter(Span input, BufferSlot slot, boolean isStale) {
        long begin = input.offset();
        long end = begin + input.bytes();
        return mirror(input) == Upload.Mirror.NONE
                ? isStale || (begin < slot.end() && end > slot.offset())
                : isStale && !(begin <= slot.offset() && end >= slot.end());
    }

    /** Marks the mirrors as a run with inputs leaves them; the submission follows. */
    public void noteInputs(List<Span> inputs) {
        for (int i = 0; i < inputs.size(); i++) {
            Span input = inputs.get(i);
            markStale(input.offset(), input.bytes());
            endWrite(input.slot(), input.elements(), mirror(input));
        }
    }

    /** Whether the value of a slot has a mirror: no two slots may share a word of the shadow. */
    public boolean hasMirror(BufferSlot slot) {
        return slot.offset() % MIRROR_ALIGNMENT_BYTES == 0
                && ArenaResources.mirrorEnd(slot.offset(), slot.size()) <= resources.shadowBytes();
    }

    /** Makes the exception for a value without a mirror. */
    public IllegalArgumentException noMirror(NodeId id) {
        return new IllegalArgumentException(describe(id) + ": expected a value with a mirror in the shadow of "
                + resources.shadowBytes() + " bytes, got one without; ask fits first");
    }

    /** Marks bytes of the arena as written without their mirrors. */
    public void markStale(long offset, long bytes) {
        if (shadowMode != F16ShadowMode.OFF) {
            stale.add(offset, offset + bytes);
        }
    }

    /** Marks the mirrors of bytes of the arena as up to date. */
    public void markFresh(long offset, long bytes) {
        stale.remove(offset, offset + bytes);
    }

    /** Whether any of the bytes was written without its mirror. */
    public boolean isStale(long offset, long bytes) {
        return stale.meets(offset, offset + bytes);
    }

    /** Requires that this thread can make all reads of a batch now; returns them. */
    public List<Span> requireReadable(Batch batch, boolean byAnyThread) {
        return batchChecks.reads(batch, byAnyThread);
    }

    /** The device of the arena. */
    public GpuDevice device() {
        return resources.device().device();
    }

    /** The buffers of the arena. */
    public ArenaBuffers buffers() {
        return resources.buffers();
    }

    /** Reads batches. */
    public BatchReadback batches() {
        return batches;
    }

    /** Writes to buffers. */
    public Upload upload() {
        return upload;
    }

    /** Reads from buffers. */
    public Readback readback() {
        return readback;
    }

    /** The memory of the arena, which keeps its deferred reads. */
    public GuardedMemory memory() {
        return resources.memory();
    }

    /** The native objects of the arena's kernels. */
    public KernelCache kernels() {
        return resources.kernels();
    }
}
