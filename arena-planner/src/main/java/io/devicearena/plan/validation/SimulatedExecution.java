package io.devicearena.plan.validation;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.plan.InvalidPlanException;
import io.devicearena.plan.PlanOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Executes a graph on the slots of a plan without computing: compares who wrote each byte last with what ops read. */
final class SimulatedExecution {
    private static final BufferSlot NONE = new BufferSlot(0, 0);

    private final List<GraphValue> values;
    private final PlanOptions options;
    private final BufferSlot[] slots;
    private final ConcatTree parts;
    private final Map<GraphValue, List<GraphValue>> fusedInto = new HashMap<>(); // by the last op that each runs in
    private final LastWriterMap writers = new LastWriterMap();

    SimulatedExecution(MemoryPlan plan, List<GraphValue> values, PlanOptions options) {
        this.values = values;
        this.options = options;
        this.slots = new BufferSlot[values.size()];
        values.forEach(
                value -> slots[value.position] = checkedSlot(value, plan.slots().get(value.id)));
        this.parts = new ConcatTree(values, slots);
        checkGuards();
        findLastRuns();
    }

    /** Checks that each value with bytes of its own has guard bytes behind it, unless it lies in a concatenation. */
    private void checkGuards() {
        if (options.guardBytes() == 0) {
            return;
        }
        TreeMap<Long, Long> ends = new TreeMap<>(); // by offset: the highest end of concatenations up to it
        values.stream()
                .filter(value -> value.concatenation)
                .map(value -> slots[value.position])
                .sorted(Comparator.comparingLong(BufferSlot::offset))
                .forEach(slot -> ends.merge(slot.offset(), Math.max(slot.end(), end(ends.lastEntry())), Math::max));
        for (GraphValue value : values) {
            BufferSlot slot = slots[value.position];
            boolean isShort = slot.size() - value.bytes() < options.guardBytes();
            boolean isInside = end(ends.floorEntry(slot.offset())) > slot.end()
                    || end(ends.lowerEntry(slot.offset())) >= slot.end();
            if (value.root == value && !value.fused && isShort && !isInside) {
                throw new InvalidPlanException(value.name + ": expected a slot of at least " + value.bytes() + " bytes"
                        + " and " + options.guardBytes() + " guard bytes, got " + slot.size());
            }
        }
    }

    private static long end(Map.@Nullable Entry<Long, Long> slot) {
        return slot == null ? -1 : slot.getValue();
    }

    /** A walk from the end settles what is fused into fused ops too, since readers come later. */
    private void findLastRuns() {
        @Nullable GraphValue[] lastRuns = new @Nullable GraphValue[values.size()];
        for (GraphValue reader : values.reversed()) {
            GraphValue runs = reader.fused ? lastRuns[reader.position] : reader;
            for (GraphValue input : reader.inputs) {
                GraphValue last = lastRuns[input.position];
                if (runs != null && (last == null || last.position < runs.position)) {
                    lastRuns[input.position] = runs;
                }
            }
            if (reader.fused && runs != null) {
                fusedInto.computeIfAbsent(runs, op -> new ArrayList<>()).add(reader);
            }
        }
    }

    void run() {
        values.stream().filter(value -> value.persistent).forEach(this::write);
        values.stream().filter(value -> !value.persistent && !value.fused).forEach(this::execute);
        values.stream()
                .filter(value -> value.persistent || value.output)
                .forEach(value -> read(value.persistent ? value.root.latest : value, null));
    }

    private BufferSlot checkedSlot(GraphValue value, @Nullable BufferSlot slot) {
        if (value.fused) {
            if (slot != null) {
                throw new InvalidPlanException(
                        value.name + ": expected no slot for a fused op, got offset " + slot.offset());
            }
            return NONE;
        }
        if (slot == null) {
            throw new InvalidPlanException(value.name + ": expected a slot of " + value.bytes() + " bytes, got none");
        }
        if (value.root == value) {
            checkSlot(value.name, slot, value.bytes(), options.alignment(), options.boundary());
            return slot;
        }
        BufferSlot root = slots[value.root.position];
        if (value.update && !slot.equals(root)) {
            throw new InvalidPlanException(value.name + ": expected the slot of " + value.root.name + " at "
                    + root.offset() + ", which it updates, got offset " + slot.offset() + " and size " + slot.size());
        }
        long offset = root.offset() + value.firstElement * value.elementBytes;
        // The padding behind the last row is the root's own; behind other rows comes the next one.
        boolean toTheEnd = value.firstElement + value.elements == value.root.elements;
        long end = toTheEnd ? root.end() : offset + value.bytes();
        if (slot.offset() != offset || slot.size() < value.bytes() || slot.end() > end) {
            throw new InvalidPlanException(value.name + ": expected a view of " + value.bytes() + " bytes at offset "
                    + offset + " within " + value.root.name + " at " + root.offset() + " of " + root.size()
                    + " bytes, got offset " + slot.offset() + " and size " + slot.size());
        }
        return slot;
    }

    /** Checks one slot; a boundary of 0 is none. */
    static void checkSlot(String name, BufferSlot slot, long bytes, long alignment, long boundary) {
        if (slot.size() < bytes) {
            throw new InvalidPlanException(
                    name + ": expected a slot of at least " + bytes + " bytes, got " + slot.size());
        }
        if (slot.offset() % alignment != 0) {
            throw new InvalidPlanException(
                    name + ": expected an offset that is a multiple of " + alignment + ", got " + slot.offset());
        }
        if (boundary > 0 && slot.size() > boundary - slot.offset() % boundary) {
            throw new InvalidPlanException(name + ": expected a slot that crosses no multiple of " + boundary
                    + " bytes, got offset " + slot.offset() + " and size " + slot.size());
        }
    }

    /**
     * An op writes its value while it reads its inputs, and those of the fused ops that run in it for the last time. A
     * value is written once, so what is intact after the op was so before. Inputs that the op may be written over,
     * parts of a concatenation, and the state that the op updates are read before only.
     */
    private void execute(GraphValue op) {
        List<GraphValue> fused = fusedInto.getOrDefault(op, List.of());
        op.inputs.stream().filter(input -> isReadBefore(input, op)).forEach(input -> read(input, op));
        fusedInputs(fused).filter(input -> isUpdatedBy(op, input)).forEach(input -> read(input, op));
        write(op);
        read(op, op);
        op.inputs.stream().filter(input -> !isReadBefore(input, op)).forEach(input -> read(input, op));
        fusedInputs(fused).filter(input -> !isUpdatedBy(op, input)).forEach(input -> read(input, op));
    }

    private static Stream<GraphValue> fusedInputs(List<GraphValue> fused) {
        return fused.stream().flatMap(each -> each.inputs.stream());
    }

    private static boolean isUpdatedBy(GraphValue op, GraphValue input) {
        return op.update && input.root == op.root;
    }

    private boolean isReadBefore(GraphValue input, GraphValue op) {
        return isUpdatedBy(op, input)
                || parts.isPart(input.root, op)
                || (op.isMadeInMemory()
                        && op.inPlaceInputs.contains(input)
                        && slots[input.position].offset() == slots[op.position].offset()
                        && input.elementBytes == op.elementBytes
                        && op.elements <= input.elements);
    }

    private void write(GraphValue value) {
        BufferSlot slot = slots[value.position];
        if (!value.isView() && slot.size() > 0) {
            writers.write(slot.offset(), slot.end(), value);
        }
    }

    /** Checks that all bytes of a value's slot, none for a fused op, are its own while an op runs, or at the end. */
    private void read(GraphValue value, @Nullable GraphValue op) {
        GraphValue root = value.root;
        GraphValue maker = value.maker;
        BufferSlot slot = slots[root.position];
        if (slot.size() == 0) {
            return;
        }
        GraphValue intruder =
                writers.intruder(slot.offset(), slot.end(), writer -> writer == maker || parts.isWithin(root, writer));
        if (intruder != null) {
            BufferSlot other = slots[intruder.position];
            throw new InvalidPlanException(maker.name + ": expected its bytes " + slot.offset() + " to " + slot.end()
                    + " to be its own " + (op == null ? "at the end" : "while " + op.name + " runs at step " + op.step)
                    + ", got some of " + intruder.name + " at " + other.offset() + " to " + other.end());
        }
    }
}
