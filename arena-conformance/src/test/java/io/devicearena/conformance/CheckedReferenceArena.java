package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.checks.CheckedArena;
import io.devicearena.checks.CheckedMemory;
import io.devicearena.checks.ExecutionChecks;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/** The reference arena with checks: each of its calls names to them what it moves. */
class CheckedReferenceArena extends ReferenceArena implements CheckedArena {
    final CheckedMemory checked;
    final ExecutionChecks checks;

    CheckedReferenceArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
        super(device, plan, options, geometry);
        checked = new CheckedMemory(geometry.planBytes());
        checks = new ExecutionChecks(
                this, plan, checked, weights().flatMap(CheckedReferenceArena::checks), !options.reinterpretation());
    }

    /** Another plan on the memory of an arena. */
    CheckedReferenceArena(CheckedReferenceArena arena, MemoryPlan plan, CheckedMemory checked) {
        super(arena, plan);
        this.checked = checked;
        checks = new ExecutionChecks(this, plan, checked, weights().flatMap(CheckedReferenceArena::checks), true);
    }

    private static Optional<ExecutionChecks> checks(DeviceArena weights) {
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

    void requireReadable(NodeId id, long firstByte, long bytes) {
        checks.requireReadable(id, require(id).offset() + firstByte, bytes);
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
        checks.write(id, dtype, require(id).offset(), bytes, move);
    }

    void checkedWrite(long offset, long bytes, Runnable move) {
        checks.writeRaw(offset, bytes, move);
    }

    void checkedBatch(Batch batch, Runnable move) {
        List<Span> spans = new ArrayList<>();
        for (Batch.Region region : batch.regions()) {
            spans.add(
                    switch (region) {
                        case Batch.Floats floats ->
                            new Span(
                                    require(floats.node()),
                                    written(List.of(region)) * floats.dtype().bytes(),
                                    floats.dtype(),
                                    true,
                                    Optional.of(floats.node()),
                                    floats.memory());
                        case Batch.Elements elements ->
                            new Span(
                                    require(elements.node()),
                                    elements.memory().byteSize(),
                                    elements.dtype(),
                                    false,
                                    Optional.of(elements.node()),
                                    elements.memory());
                        case Batch.Bytes bytes ->
                            new Span(
                                    new BufferSlot(
                                            bytes.offset(), bytes.memory().byteSize()),
                                    bytes.memory().byteSize(),
                                    DType.U8,
                                    false,
                                    Optional.empty(),
                                    bytes.memory());
                    });
        }
        checks.writeBatch(spans, move);
    }

    @Override
    ReferenceArena openView(MemoryPlan other) {
        return new CheckedReferenceArena(this, other, checked);
    }

    // ---- the interface

    @Override
    public boolean isChecked() {
        requireOpen();
        return true;
    }

    @Override
    public void step(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {
        requireOpen();
        checks.step(label, reads, writes, work);
    }

    @Override
    public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
        requireOpen();
        long count = Math.min(data.byteSize() / 4, capacity(id, require(id), dtype));
        checkedWrite(id, dtype, count * dtype.bytes(), () -> super.writeInputF32(id, dtype, data));
        return count;
    }

    @Override
    public void writeValue(NodeId id, DType dtype, MemorySegment data) {
        requireOpen();
        checkedWrite(id, dtype, data.byteSize(), () -> super.writeValue(id, dtype, data));
    }

    @Override
    public void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
        long offset = offsetOfPart(id, firstByte, data.byteSize());
        checks.write(id, offset, data.byteSize(), () -> super.writeBytes(offset, data));
    }

    @Override
    public void writeValueBytes(NodeId id, long firstByte, MemorySegment data, LongConsumer progress) {
        long offset = offsetOfPart(id, firstByte, data.byteSize());
        checks.write(id, offset, data.byteSize(), () -> super.writeBytes(offset, data, progress));
    }

    @Override
    public void writeBatch(Batch batch) {
        requireOpen();
        checkedBatch(batch, () -> super.writeBatch(batch));
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
    public long readValue(NodeId id, DType dtype, MemorySegment destination) {
        requireOpen();
        requireReadable(id, 0, Math.min(destination.byteSize(), lengthOf(id, require(id))));
        return super.readValue(id, dtype, destination);
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
