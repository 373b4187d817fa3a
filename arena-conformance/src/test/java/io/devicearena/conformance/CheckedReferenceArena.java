package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.Transfer;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.Span;
import io.devicearena.spi.observation.ArenaObserver;
import io.devicearena.spi.observation.CheckedAccess;
import io.devicearena.spi.observation.ExecutionChecks;
import io.devicearena.spi.observation.MemoryWatch;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.LongConsumer;

/** The reference arena with checks: each of its calls names to them what it moves. */
class CheckedReferenceArena extends ReferenceArena implements CheckedAccess {
    final MemoryWatch watch;
    final ExecutionChecks checks;

    CheckedReferenceArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        super(device, plan, options, geometry);
        watch = watch(geometry);
        checks = watch.checks(plan, !options.reinterpretation(), weights().flatMap(CheckedReferenceArena::of), this);
    }

    /** Another plan on the memory of an arena. */
    CheckedReferenceArena(CheckedReferenceArena arena, MemoryPlan plan, MemoryWatch watch) {
        super(arena, plan);
        this.watch = watch;
        checks = watch.checks(plan, true, weights().flatMap(CheckedReferenceArena::of), this);
    }

    /** What is known of a new memory. */
    static MemoryWatch watch(ArenaGeometry geometry) {
        CheckedReferenceArena.class.getModule().addUses(ArenaObserver.class);
        return ServiceLoader.load(ArenaObserver.class).findFirst().orElseThrow().watch(geometry.planBytes(), true);
    }

    private static Optional<ExecutionChecks> of(DeviceArena weights) {
        return weights instanceof CheckedReferenceArena arena ? Optional.of(arena.checks) : Optional.empty();
    }

    // ---- what the checks ask

    @Override
    public void read(long offset, MemorySegment destination) {
        get(offset, destination);
    }

    @Override
    public void write(long offset, MemorySegment source) {
        writeRaw(offset, source);
    }

    // ---- what mutants break

    void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
        checks.step(label, reads, writes, work);
    }

    private static Span span(Optional<NodeId> id, DType dtype, long offset, long bytes) {
        return new Span(new BufferSlot(offset, bytes), bytes, dtype, false, id, MemorySegment.NULL);
    }

    void requireReadable(NodeId id, long firstByte, long bytes) {
        checks.requireReadable(
                List.of(span(Optional.of(id), DType.U8, require(id).offset() + firstByte, bytes)));
    }

    void requireReadable(Batch batch) {
        for (Batch.Region region : batch.regions()) {
            switch (region) {
                case Batch.Floats output ->
                    requireReadable(
                            output.node(), 0, countOf(region) * output.dtype().bytes());
                case Batch.Elements elements ->
                    requireReadable(
                            elements.node(),
                            0,
                            countOf(region) * elements.dtype().bytes());
                case Batch.Bytes _ -> {} // it names no value
            }
        }
    }

    void checkedWrite(NodeId id, DType dtype, long bytes, Runnable move) {
        checks.write(List.of(span(Optional.of(id), dtype, require(id).offset(), bytes)), move);
    }

    void checkedWrite(long offset, long bytes, Runnable move) {
        checks.write(List.of(span(Optional.empty(), DType.U8, offset, bytes)), move);
    }

    void checkedBatch(Batch batch, Runnable move) {
        List<Span> spans = new ArrayList<>();
        for (Batch.Region region : batch.regions()) {
            long count = written(List.of(region));
            spans.add(
                    switch (region) {
                        case Batch.Floats floats ->
                            span(
                                    Optional.of(floats.node()),
                                    floats.dtype(),
                                    require(floats.node()).offset(),
                                    count * floats.dtype().bytes());
                        case Batch.Elements elements ->
                            span(
                                    Optional.of(elements.node()),
                                    elements.dtype(),
                                    require(elements.node()).offset(),
                                    count * elements.dtype().bytes());
                        case Batch.Bytes bytes -> span(Optional.empty(), DType.U8, bytes.offset(), count);
                    });
        }
        checks.write(spans, move);
    }

    @Override
    ReferenceArena openView(MemoryPlan other) {
        return new CheckedReferenceArena(this, other, watch);
    }

    @Override
    ExecutionChecks checks() {
        return new ReferenceChecks() {
            @Override
            public void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
                CheckedReferenceArena.this.step(label, reads, writes, work);
            }
        };
    }

    // ---- the interface

    @Override
    public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
        requireOpen();
        long count = Math.min(data.byteSize() / 4, capacity(id, require(id), dtype));
        checkedWrite(id, dtype, count * dtype.bytes(), () -> super.writeInputF32(id, dtype, data));
        return count;
    }

    @Override
    public void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
        long offset = offsetOfPart(id, firstByte, data.byteSize());
        PlanValue value = plan().values().get(id);
        DType dtype = value == null ? DType.U8 : value.dtype();
        checks.write(
                List.of(span(Optional.of(id), dtype, offset, data.byteSize())), () -> super.writeBytes(offset, data));
    }

    @Override
    public void writeBatch(Batch batch) {
        requireOpen();
        checkedBatch(batch, () -> super.writeBatch(batch));
    }

    @Override
    public Transfer beginWrite(Batch batch) {
        writeBatch(batch);
        return new ReferenceWrite(written(batch.regions()));
    }

    @Override
    public void writeBytes(long offset, MemorySegment source) {
        requireOpen();
        checkedWrite(offset, source.byteSize(), () -> super.writeBytes(offset, source));
    }

    @Override
    public void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
        requireOpen();
        checkedWrite(offset, source.byteSize(), () -> super.writeBytes(offset, source, progress));
    }

    @Override
    public float[] readOutputF32(NodeId id, DType dtype, long elements) {
        requireOpen();
        requireReadable(id, 0, Math.min(elements, readable(id, require(id), dtype)) * dtype.bytes());
        return super.readOutputF32(id, dtype, elements);
    }

    @Override
    public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
        requireOpen();
        requireReadable(id, 0, Math.min(destination.byteSize() / 4, readable(id, require(id), dtype)) * dtype.bytes());
        return super.readOutputF32(id, dtype, destination);
    }

    @Override
    public void readValueBytes(NodeId id, long firstByte, MemorySegment destination) {
        requireOpen();
        requireReadable(id, firstByte, destination.byteSize());
        super.readValueBytes(id, firstByte, destination);
    }

    @Override
    public long readBatch(Batch batch) {
        requireOpen();
        requireReadable(batch);
        return super.readBatch(batch);
    }

    @Override
    public Transfer beginRead(Batch batch) {
        requireOpen();
        requireReadable(batch);
        return super.beginRead(batch);
    }
}
