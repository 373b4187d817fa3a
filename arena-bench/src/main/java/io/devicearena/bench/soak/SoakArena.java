package io.devicearena.bench.soak;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceSelector;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** An arena of random values, and the bytes that it should hold. */
final class SoakArena implements AutoCloseable {
    private static final int ALIGNMENT = 256;
    private static final int MOST_VALUES = 12;
    private static final int WORKGROUP = 64;

    /** Adds a number to each word of a value. */
    private static final KernelSource ADD = KernelSource.of("soak", """
            struct Job { words: u32, addend: u32, row: u32 }
            @group(0) @binding(0) var<storage, read_write> value: array<u32>;
            @group(0) @binding(1) var<uniform> job: Job;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                let word = id.y * job.row + id.x;
                if (id.x < job.row && word < job.words) {
                    value[word] += job.addend;
                }
            }
            """);

    private static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final SplittableRandom random;
    private final DeviceArena arena;
    private final byte[] expected;
    private final List<NodeId> values;
    private long movedBytes;

    private SoakArena(SplittableRandom random, DeviceArena arena) {
        this.random = random;
        this.arena = arena;
        this.expected = new byte[Math.toIntExact(arena.sizeBytes())];
        this.values = List.copyOf(arena.plan().slots().keySet());
    }

    /** Opens an arena of up to a number of bytes. */
    static SoakArena open(SplittableRandom random, ArenaDevice device, long mostBytes) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        long end = 0;
        int count = random.nextInt(1, MOST_VALUES + 1);
        for (int i = 0; i < count; i++) {
            // sizes of every order of magnitude are equally likely
            long most = Math.max(1, mostBytes / count - ALIGNMENT);
            long bytes = Math.max(1, (long) Math.pow((double) most, random.nextDouble()));
            slots.put(NodeId.of(i), new BufferSlot(end, bytes));
            end = (end + bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        }
        MemoryPlan plan = new MemoryPlan(end, slots, List.copyOf(slots.keySet()));
        ArenaOptions options = ArenaOptions.defaults()
                .withProvider(device.provider())
                .withDevice(new DeviceSelector.ByIndex(device.index()))
                .withLabel("soak")
                .withScratchBytes(random.nextInt(0, 4096));
        return new SoakArena(random, DeviceArenas.open(plan, options));
    }

    DeviceArena arena() {
        return arena;
    }

    /** Bytes that went in and out so far. */
    long movedBytes() {
        return movedBytes;
    }

    /** Does one thing of those that an engine does. */
    void step() {
        switch (random.nextInt(7)) {
            case 0, 1 -> write();
            case 2 -> read();
            case 3 -> readDeferred();
            case 4 -> writeFloats();
            case 5 -> readMapped();
            default -> run();
        }
    }

    /** Compares all bytes. */
    void verify() {
        byte[] back = new byte[expected.length];
        arena.readBytes(0, MemorySegment.ofArray(back));
        movedBytes += back.length;
        compare("all bytes", 0, back);
    }

    private void compare(String what, int offset, byte[] got) {
        int mismatch = Arrays.mismatch(expected, offset, offset + got.length, got, 0, got.length);
        if (mismatch >= 0) {
            throw new AssertionError(what + " of " + arena.device().provider() + ": expected "
                    + expected[offset + mismatch] + " at byte " + (offset + mismatch) + " of " + expected.length
                    + ", got " + got[mismatch]);
        }
    }

    private int randomLength(int offset) {
        return (int) Math.pow(expected.length - offset, random.nextDouble());
    }

    private void write() {
        int offset = random.nextInt(expected.length);
        byte[] data = new byte[randomLength(offset)];
        random.nextBytes(data);
        arena.writeBytes(offset, MemorySegment.ofArray(data));
        System.arraycopy(data, 0, expected, offset, data.length);
        movedBytes += data.length;
    }

    private void read() {
        int offset = random.nextInt(expected.length);
        byte[] back = new byte[randomLength(offset)];
        arena.readBytes(offset, MemorySegment.ofArray(back));
        movedBytes += back.length;
        compare("a read", offset, back);
    }

    private void readDeferred() {
        int first = random.nextInt(expected.length);
        int second = random.nextInt(expected.length);
        byte[] one = new byte[randomLength(first)];
        byte[] other = new byte[randomLength(second)];
        arena.beginRead(Batch.builder()
                        .bytes(first, MemorySegment.ofArray(one))
                        .bytes(second, MemorySegment.ofArray(other))
                        .build())
                .await();
        movedBytes += one.length + other.length;
        compare("a deferred read", first, one);
        compare("a deferred read", second, other);
    }

    private void readMapped() {
        int offset = random.nextInt(expected.length);
        int length = randomLength(offset);
        byte[] back = arena.<byte[]>withBytes(offset, length, mapped -> mapped.toArray(ValueLayout.JAVA_BYTE));
        movedBytes += length;
        compare("a mapped view", offset, back);
    }

    private void writeFloats() {
        NodeId id = values.get(random.nextInt(values.size()));
        BufferSlot slot = arena.plan().slots().get(id);
        int elements = Math.toIntExact(slot.size() / Float.BYTES);
        float[] data = new float[elements];
        for (int i = 0; i < elements; i++) {
            data[i] = random.nextInt();
        }
        arena.writeInputF32(id, DType.F32, data);
        MemorySegment model = MemorySegment.ofArray(expected).asSlice(slot.offset(), slot.size());
        for (int i = 0; i < elements; i++) {
            model.set(WORD, (long) i * Float.BYTES, Float.floatToRawIntBits(data[i]));
        }
        movedBytes += (long) elements * Float.BYTES;
    }

    private void run() {
        NodeId id = values.get(random.nextInt(values.size()));
        BufferSlot slot = arena.plan().slots().get(id);
        int words = Math.toIntExact(slot.size() / Integer.BYTES);
        Optional<Kernels> device = arena.unwrap(Kernels.class);
        if (words == 0 || device.isEmpty()) {
            return;
        }
        Kernels kernels = device.get();
        int addend = random.nextInt();
        int row = Math.min(words, WORKGROUP * 1024);
        try (Kernel kernel = kernels.compile(ADD);
                KernelProgram program = kernels.recorder()
                        .dispatch(
                                kernel,
                                Bindings.of(
                                        kernels.window(id, 0, (long) words * Integer.BYTES),
                                        kernels.uniform(words, addend, row, 0)),
                                Workgroups.of((row + WORKGROUP - 1) / WORKGROUP, (words + row - 1) / row))
                        .build()) {
            program.submit();
        }
        MemorySegment model = MemorySegment.ofArray(expected).asSlice(slot.offset(), slot.size());
        for (int i = 0; i < words; i++) {
            model.set(WORD, 4L * i, model.get(WORD, 4L * i) + addend);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
