package io.devicearena.spi;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.memory.Span;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Finds the slot of a value, and the spans of a batch. Threads: safe for any thread. */
final class SlotTable {
    /** The spans that a batch had in the arena that wrote it last. */
    private static final VarHandle WRITTEN = spansOf("written");

    /** The spans that a batch had in the arena that read it last. */
    private static final VarHandle READ = spansOf("read");

    /** Of a write, which reaches to the end of the value, whatever its actual length is. */
    private static final long ANY_LENGTHS = 0;

    private final MemoryPlan plan;
    private final long arenaBytes;
    private final Map<NodeId, SlotState> slots;
    /** Counts changes of lengths: the spans of a read end there. */
    private final AtomicLong lengths = new AtomicLong();

    SlotTable(MemoryPlan plan, long arenaBytes, boolean reinterpretation) {
        this.plan = plan;
        this.arenaBytes = arenaBytes;
        this.slots = HashMap.newHashMap(plan.slots().size());
        plan.slots()
                .forEach((id, slot) ->
                        slots.put(id, new SlotState(id, slot, plan.values().get(id), reinterpretation)));
    }

    private static VarHandle spansOf(String field) {
        try {
            return MethodHandles.privateLookupIn(Batch.class, MethodHandles.lookup())
                    .findVarHandle(Batch.class, field, Object.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("class Batch has no field " + field, e);
        }
    }

    @Nullable SlotState find(NodeId id) {
        return slots.get(id);
    }

    SlotState require(NodeId id) {
        SlotState slot = slots.get(id);
        if (slot == null) {
            throw new IllegalArgumentException(describeMissing(id));
        }
        return slot;
    }

    /** The slot of a value that may be accessed as a type. */
    SlotState require(NodeId id, DType dtype) {
        SlotState slot = require(id);
        if (slot.dtype != null && slot.dtype != dtype) {
            throw new IllegalArgumentException(plan.describe(id) + ": expected access as " + slot.dtype.label()
                    + ", its type in the plan, got " + dtype.label() + "; pass " + slot.dtype.label()
                    + ", or open the arena with ArenaOptions.withReinterpretation");
        }
        return slot;
    }

    /** Sets the actual length of a value. */
    void setLength(SlotState slot, long bytes) {
        slot.length = bytes;
        lengths.incrementAndGet();
    }

    /**
     * Checks a batch that is written, and returns its spans: every value has a slot and the type, every range lies
     * within the arena, and this thread may use every source.
     */
    Spans written(Batch batch) {
        List<Batch.Region> regions = batch.regions();
        for (int i = 0; i < regions.size(); i++) { // no iterator: moving a batch again allocates nothing
            CallerMemory.requireAccess("source", regions.get(i).memory());
        }
        return spans(batch, WRITTEN, ANY_LENGTHS);
    }

    /**
     * Checks a batch that is read, and returns its spans: the same rules, and every destination can be written to, by
     * any thread if one writes it later.
     */
    Spans read(Batch batch, boolean byAnyThread) {
        List<Batch.Region> regions = batch.regions();
        for (int i = 0; i < regions.size(); i++) {
            MemorySegment destination = regions.get(i).memory();
            CallerMemory.requireWritable("destination", destination);
            CallerMemory.requireAccess("destination", destination);
            if (byAnyThread) {
                CallerMemory.requireShared("destination", destination);
            }
        }
        return spans(batch, READ, lengths.get());
    }

    /** The spans that move a byte: those that the batch had last, where they still hold. */
    private Spans spans(Batch batch, VarHandle last, long changes) {
        if (last.get(batch) instanceof Spans known && known.table() == this && known.lengths() == changes) {
            return known;
        }
        List<Span> list = batch.regions().stream()
                .map(region -> span(region, last == WRITTEN))
                .filter(span -> span.bytes() > 0)
                .toList();
        Spans made = new Spans(list, Span.elements(list), this, changes);
        last.set(batch, made);
        return made;
    }

    /** What a region moves: a write may reach to the end of the value, a read to its actual length. */
    private Span span(Batch.Region region, boolean written) {
        return switch (region) {
            case Batch.Floats(NodeId node, DType dtype, MemorySegment memory) -> {
                SlotState slot = require(node, dtype);
                long most = (written ? slot.valueBytes : slot.length) / dtype.bytes();
                yield slot.floats(dtype, memory, Math.min(memory.byteSize() / Float.BYTES, most));
            }
            case Batch.Elements(NodeId node, DType dtype, MemorySegment memory) -> {
                SlotState slot = require(node, dtype);
                long bytes = memory.byteSize();
                if (written) {
                    ArenaChecks.requirePart(this, node, 0, bytes, slot.valueBytes);
                } else {
                    bytes = Math.min(bytes, slot.length) / dtype.bytes() * dtype.bytes();
                }
                yield new Span(slot.slot, bytes, dtype, false, Optional.of(node), memory);
            }
            case Batch.Bytes(long offset, MemorySegment memory) -> {
                ArenaChecks.requireRange(offset, memory.byteSize(), arenaBytes);
                yield bytes(offset, memory.byteSize(), memory);
            }
        };
    }

    /** A transfer of bytes of no value. */
    static Span bytes(long offset, long length, MemorySegment memory) {
        return new Span(new BufferSlot(offset, length), length, DType.U8, false, Optional.empty(), memory);
    }

    /** A value as messages write it. */
    String describe(NodeId id) {
        return plan.describe(id);
    }

    private String describeMissing(NodeId id) {
        String remedy = "; use a value for which hasBuffer is true";
        return plan.schedule().contains(id)
                ? plan.describe(id) + ": expected a value with a slot, got one that the plan fused away" + remedy
                : id + ": expected one of the " + slots.size() + " values of the plan, got one it does not know"
                        + remedy;
    }
}
