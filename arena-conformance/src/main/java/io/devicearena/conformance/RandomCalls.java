package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_3;
import static io.devicearena.conformance.ExamplePlan.NODE_4;
import static io.devicearena.conformance.ExamplePlan.NODE_5;
import static io.devicearena.conformance.ExamplePlan.NODE_6;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Makes random calls on an arena of the example plan and the same calls on an array of bytes, and compares. */
final class RandomCalls {
    private static final List<NodeId> VALUES = List.of(NODE_1, NODE_2, NODE_3, NODE_4, NODE_5, NODE_6);
    private static final MemoryPlan PLAN = ExamplePlan.plan();

    private final DeviceArena arena;
    private final long seed;
    private final SplittableRandom random;
    private final byte[] model;
    private final Map<NodeId, Integer> lengths = new HashMap<>();

    RandomCalls(DeviceArena arena, long seed) {
        this.arena = arena;
        this.seed = seed;
        this.random = new SplittableRandom(seed);
        this.model = ExamplePlan.filled();
        PLAN.slots().forEach((id, slot) -> lengths.put(id, Math.toIntExact(slot.size())));
    }

    /** Makes the next call. */
    void next(int number) {
        String what = "call " + number + " (seed " + seed + "), ";
        switch (random.nextInt(8)) {
            case 0, 1 -> writeTyped(what);
            case 2, 3 -> writeRaw();
            case 4 -> readTyped(what);
            case 5 -> readRaw(what);
            case 6 -> readTogether(what);
            default -> setLength();
        }
    }

    private void writeTyped(String what) {
        NodeId id = value();
        DType dtype = dtype();
        float[] data = TestData.floats(random, random.nextInt(20), 1000);
        BufferSlot slot = slot(id);
        int written = Math.min(data.length, Math.toIntExact(slot.size()) / dtype.bytes());
        long count = random.nextBoolean()
                ? arena.writeInputF32(id, dtype, data)
                : arena.writeInputF32(id, dtype, MemorySegment.ofArray(data));
        Check.same(what + "elements of " + dtype + " written to " + id, (long) written, count);
        byte[] bytes = CastCheck.encoded(dtype, Arrays.copyOf(data, written));
        System.arraycopy(bytes, 0, model, Math.toIntExact(slot.offset()), bytes.length);
    }

    private void writeRaw() {
        int from = random.nextInt(model.length + 1);
        byte[] bytes = TestData.bytes(random, random.nextInt(Math.min(20, model.length - from) + 1));
        if (random.nextBoolean()) {
            arena.writeBytes(from, MemorySegment.ofArray(bytes));
        } else {
            arena.writeBytes(from, MemorySegment.ofArray(bytes), done -> {});
        }
        System.arraycopy(bytes, 0, model, from, bytes.length);
    }

    private void readTyped(String what) {
        NodeId id = value();
        DType dtype = dtype();
        int wanted = random.nextInt(20);
        Check.same(
                what + id + " read as " + dtype, expected(id, dtype, wanted), arena.readOutputF32(id, dtype, wanted));
    }

    private void readRaw(String what) {
        int from = random.nextInt(model.length + 1);
        int to = random.nextInt(from, model.length + 1);
        byte[] expected = Arrays.copyOfRange(model, from, to);
        if (random.nextBoolean()) {
            Check.holds(what + "raw read", arena, from, expected);
        } else {
            byte[] viewed = arena.withBytes(from, to - from, bytes -> bytes.toArray(Batches.BYTE));
            Check.same(what + "mapped view", from, expected, viewed);
        }
    }

    private void readTogether(String what) {
        NodeId id = value();
        DType dtype = dtype();
        float[] expected = expected(id, dtype, 20);
        float[] floats = new float[expected.length];
        byte[] all = new byte[model.length];
        byte[] before = model.clone();
        Batch batch = Batch.builder()
                .floats(id, dtype, floats)
                .bytes(0, MemorySegment.ofArray(all))
                .build();
        if (random.nextBoolean()) {
            arena.readBatch(batch);
        } else {
            Transfer read = arena.beginRead(batch);
            writeRaw();
            read.await();
        }
        Check.same(what + id + " in a batch as " + dtype, expected, floats);
        Check.same(what + "whole arena in a batch", 0, before, all);
    }

    private void setLength() {
        NodeId id = value();
        int length = random.nextInt(Math.toIntExact(slot(id).size()) + 1);
        arena.setActualLength(id, length);
        lengths.put(id, length);
    }

    private float[] expected(NodeId id, DType dtype, int wanted) {
        int count = Math.min(wanted, lengths.getOrDefault(id, 0) / dtype.bytes());
        int from = Math.toIntExact(slot(id).offset());
        return CastCheck.decoded(dtype, Arrays.copyOfRange(model, from, from + count * dtype.bytes()));
    }

    private NodeId value() {
        return VALUES.get(random.nextInt(VALUES.size()));
    }

    private DType dtype() {
        return TestData.HOST_FLOATS.get(random.nextInt(TestData.HOST_FLOATS.size()));
    }

    private static BufferSlot slot(NodeId id) {
        return PLAN.slot(id).orElseThrow();
    }
}
