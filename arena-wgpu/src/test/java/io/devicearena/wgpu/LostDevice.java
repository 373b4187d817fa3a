package io.devicearena.wgpu;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;
import static io.devicearena.wgpu.testing.TestArenas.kernels;
import static io.devicearena.wgpu.testing.TestArenas.shadow;
import static io.devicearena.wgpu.testing.TestArenas.wgpu;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceLostException;
import io.devicearena.HostMemory;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelBuffer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.ResultBuffer;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.ChildOutput;
import io.devicearena.wgpu.testing.LostDevices;
import io.devicearena.wgpu.testing.SilentLog;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A program that makes devices lost while arenas are open. Each operation that needs the device is once the first to
 * notice; after that, all operations fail.
 */
final class LostDevice {
    static final NodeId A = NodeId.of(0);
    static final NodeId B = NodeId.of(1);
    static final NodeId LARGE = NodeId.of(2);
    private static final int ELEMENTS = 1000;
    private static final int LARGE_ELEMENTS = 3 << 20;
    private static final int ROUNDS = 10;

    /** The property that selects the part of the operations to try. */
    static final String PART = "devicearena.part";

    /** The number of processes that share the operations: a driver opens a limited number of devices in one process. */
    static final int PARTS = 3;

    private static final Duration HANG = Duration.ofMinutes(5);

    static final String SCALE = """
            @group(0) @binding(0) var<storage, read> a: array<f32>;
            @group(0) @binding(1) var<storage, read_write> b: array<f32>;
            @group(0) @binding(2) var<uniform> job: vec4<u32>;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                if (id.x < job.x) {
                    b[id.x] = 2 * a[id.x];
                }
            }
            """;

    /** Whether an operation needs the device. */
    private enum Needs {
        /** Never: it always succeeds. */
        NOTHING,
        /**
         * Later: its effect waits on the host. The loss shows at the next flush at the latest, and from then on at
         * once.
         */
        LATER,
        /** For its result. */
        DEVICE,
        /** Perhaps: its result may have arrived before the loss. */
        PERHAPS
    }

    private interface Call {
        void on(Fixture fixture) throws Exception;
    }

    private record Operation(String name, Needs needs, Call call) {}

    private static final float[] SMALL_FLOATS = new float[ELEMENTS];
    private static final float[] LARGE_FLOATS = new float[LARGE_ELEMENTS];
    private static final MemorySegment SMALL = MemorySegment.ofArray(new byte[4 * ELEMENTS]);
    private static final MemorySegment BIG = MemorySegment.ofArray(new byte[4 * LARGE_ELEMENTS]);
    private static final MemorySegment NONE = MemorySegment.ofArray(new byte[0]);

    private static final List<Operation> OPERATIONS = operations();

    private LostDevice() {}

    /** An arena, every kind of object on it, and the calls in flight when the device is lost. */
    private static final class Fixture implements AutoCloseable {
        final DeviceArena arena = open();
        final Kernels kernels = kernels(arena);
        final Kernel kernel = kernels.compile(KernelSource.of("scale", SCALE));
        final Bindings bindings = Bindings.of(kernels.window(A), kernels.window(B), kernels.uniform(ELEMENTS, 0, 0, 0));
        final KernelProgram program;
        final KernelBuffer buffer = kernels.buffer("extra", 4 * ELEMENTS);
        final ResultBuffer result = kernels.resultBuffer("result", 4 * ELEMENTS);
        final KernelProgram toResult;
        /** Begun last, before the device is lost. */
        Transfer pending;

        final HostMemory host = arena.allocateHost(1 << 20);
        final MemorySegment hostSegment = host.segment();
        /** Equal uniforms are made once. */
        int fresh;

        Fixture() {
            program = kernels.recorder()
                    .dispatch(kernel, bindings, Workgroups.covering(ELEMENTS, 64))
                    .copy(B, A)
                    .refresh(A)
                    .build();
            toResult = kernels.recorder()
                    .dispatch(
                            kernel,
                            Bindings.of(kernels.window(A), result, kernels.uniform(ELEMENTS, 0, 0, 0)),
                            Workgroups.covering(ELEMENTS, 64))
                    .build();
            arena.writeInputF32(A, DType.F32, SMALL_FLOATS);
            for (int i = 0; i < 3; i++) {
                toResult.run(result, SMALL); // prepares the next run
            }
            program.submit();
            pending = arena.beginRead(batch());
        }

        static DeviceArena open() {
            return TestArenas.open(TestArenas.plan(0, 4 * ELEMENTS, 4096, 4 * ELEMENTS, 8192, 4L * LARGE_ELEMENTS));
        }

        @Override
        public void close() {
            arena.close();
            arena.close();
        }
    }

    private static Batch batch() {
        return Batch.builder()
                .floats(A, DType.F32, new float[ELEMENTS])
                .bytes(3, MemorySegment.ofArray(new byte[1001]))
                .build();
    }

    private static List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        addPlain(all);
        addWrites(all);
        addReads(all);
        addShadow(all);
        addKernels(all);
        addPrograms(all);
        return List.copyOf(all);
    }

    private static void add(List<Operation> all, Needs needs, String name, Call call) {
        all.add(new Operation(name, needs, call));
    }

    private static void addPlain(List<Operation> all) {
        add(all, Needs.NOTHING, "device", f -> f.arena.device());
        add(all, Needs.NOTHING, "plan", f -> f.arena.plan());
        add(all, Needs.NOTHING, "sizeBytes", f -> f.arena.sizeBytes());
        add(all, Needs.NOTHING, "scratchOffset", f -> f.arena.scratchOffset());
        add(all, Needs.NOTHING, "hasBuffer", f -> f.arena.hasBuffer(A));
        add(all, Needs.NOTHING, "byteOffset", f -> f.arena.byteOffset(A));
        add(all, Needs.NOTHING, "lengthBytes", f -> f.arena.lengthBytes(A));
        add(all, Needs.NOTHING, "setActualLength", f -> f.arena.setActualLength(A, 4 * ELEMENTS));
        add(all, Needs.NOTHING, "isOpen", f -> require(f.arena.isOpen(), "an open arena"));
        add(all, Needs.NOTHING, "toString", f -> require(!f.arena.toString().isEmpty(), "a text"));
        add(all, Needs.NOTHING, "f16Shadow", f -> shadow(f.arena));
        add(all, Needs.NOTHING, "handles", f -> wgpu(f.arena).handles());
        add(all, Needs.NOTHING, "markWritten", f -> wgpu(f.arena).markWritten(B));
        add(all, Needs.NOTHING, "unwrap", f -> {
            boolean isHost = f.arena.unwrap(MemorySegment.class).isPresent();
            require(!isHost, "no host memory, as with a device");
        });
    }

    private static void addWrites(List<Operation> all) {
        add(all, Needs.LATER, "write of a small array", f -> f.arena.writeInputF32(A, DType.F32, SMALL_FLOATS));
        add(all, Needs.LATER, "write of a small segment", f -> f.arena.writeInputF32(A, DType.BF16, SMALL));
        add(all, Needs.DEVICE, "write of a large array", f -> f.arena.writeInputF32(LARGE, DType.F32, LARGE_FLOATS));
        add(all, Needs.DEVICE, "write of a large segment", f -> f.arena.writeInputF32(LARGE, DType.F16, BIG));
        add(all, Needs.DEVICE, "write of an odd number", f -> f.arena.writeInputF32(A, DType.F32, new float[3]));
        add(all, Needs.LATER, "write of whole words", f -> f.arena.writeBytes(4, SMALL.asSlice(0, 400)));
        add(all, Needs.DEVICE, "write of single bytes", f -> f.arena.writeBytes(5, SMALL.asSlice(0, 7)));
        add(all, Needs.DEVICE, "write of many bytes", f -> f.arena.writeBytes(1, BIG));
        add(all, Needs.DEVICE, "write with progress", f -> f.arena.writeBytes(8192, BIG, _ -> {}));
        add(all, Needs.DEVICE, "write of host memory", f -> fromHost(f, 100_000));
        add(all, Needs.DEVICE, "small write of host memory", f -> fromHost(f, 9));
        add(all, Needs.DEVICE, "segment of host memory", f -> f.host.segment());
        add(all, Needs.DEVICE, "allocateHost", f -> f.arena.allocateHost(4));
        add(all, Needs.DEVICE, "copyBytes", f -> f.arena.copyBytes(0, 4, 100));
        add(all, Needs.DEVICE, "fillBytes", f -> f.arena.fillBytes(1, 100_000, (byte) 1));
        add(all, Needs.NOTHING, "write of nothing", f -> f.arena.writeBytes(0, NONE));
        add(all, Needs.DEVICE, "flush", f -> f.arena.flush());
        add(all, Needs.DEVICE, "flush behind a write", f -> {
            f.arena.writeInputF32(A, DType.F32, SMALL_FLOATS);
            f.arena.flush();
        });
        add(all, Needs.DEVICE, "more small writes than staging holds", f -> {
            for (int i = 0; i < 5000; i++) {
                f.arena.writeInputF32(i % 2 == 0 ? A : B, DType.F32, SMALL_FLOATS);
            }
        });
    }

    /** The memory is closed when the device is found lost. */
    private static void fromHost(Fixture f, long bytes) {
        try {
            f.arena.writeBytes(0, f.hostSegment.asSlice(0, bytes));
            Batch batch =
                    Batch.builder().bytes(0, f.hostSegment.asSlice(0, bytes)).build();
            f.arena.beginWrite(batch).await();
        } catch (IllegalStateException e) {
            require(!f.hostSegment.scope().isAlive(), "closed memory");
        }
        f.arena.flush();
    }

    private static void addReads(List<Operation> all) {
        add(all, Needs.DEVICE, "read of an array", f -> f.arena.readOutputF32(A, DType.F32, ELEMENTS));
        add(all, Needs.DEVICE, "read into an array", f -> f.arena.readOutputF32(A, DType.F16, new float[4]));
        add(all, Needs.DEVICE, "read into a segment", f -> f.arena.readOutputF32(LARGE, DType.F32, BIG));
        add(all, Needs.DEVICE, "readBytes", f -> f.arena.readBytes(1, SMALL));
        add(all, Needs.DEVICE, "readBytes behind a write", f -> {
            f.arena.writeBytes(0, SMALL);
            f.arena.readBytes(0, SMALL);
        });
        add(all, Needs.NOTHING, "read of nothing", f -> f.arena.readBytes(0, NONE));
        add(all, Needs.DEVICE, "withBytes", f -> f.arena.withBytes(0, 100, MemorySegment::byteSize));
        add(all, Needs.DEVICE, "readBatch", f -> f.arena.readBatch(batch()));
        add(
                all,
                Needs.NOTHING,
                "readBatch of nothing",
                f -> f.arena.readBatch(Batch.builder().build()));
        add(all, Needs.DEVICE, "beginRead", f -> f.arena.beginRead(batch()).await());
        add(all, Needs.DEVICE, "beginRead for a future", f -> lostIn(f.arena.beginRead(batch())));
        add(all, Needs.PERHAPS, "await of a pending read", f -> f.pending.await());
        add(all, Needs.PERHAPS, "await of a pending read, with a limit", f -> f.pending.await(Duration.ofMinutes(4)));
        add(all, Needs.PERHAPS, "future of a pending read", f -> lostIn(f.pending));
        add(all, Needs.NOTHING, "state of a pending read", f -> f.pending.state());
        add(all, Needs.NOTHING, "cancel of a pending read", f -> f.pending.cancel());
    }

    private static void lostIn(Transfer read) throws Exception {
        try {
            read.toCompletableFuture().get(4, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DeviceLostException lost) {
                throw lost;
            }
            throw e;
        }
    }

    private static void addShadow(List<Operation> all) {
        add(all, Needs.NOTHING, "shadow.sizeBytes", f -> shadow(f.arena).sizeBytes());
        add(all, Needs.NOTHING, "shadow.fits", f -> shadow(f.arena).fits(A));
        add(all, Needs.NOTHING, "shadow.byteOffset", f -> shadow(f.arena).byteOffset(A));
        add(all, Needs.NOTHING, "shadow.isStale", f -> shadow(f.arena).isStale(A));
        add(all, Needs.LATER, "shadow.write of an array", f -> shadow(f.arena).write(A, SMALL_FLOATS));
        add(all, Needs.DEVICE, "shadow.write of a segment", f -> shadow(f.arena).write(LARGE, BIG));
        add(all, Needs.DEVICE, "shadow.refresh", f -> shadow(f.arena).refresh(A));
        add(all, Needs.DEVICE, "shadow.readBytes", f -> shadow(f.arena).readBytes(2, SMALL.asSlice(0, 100)));
    }

    private static void addKernels(List<Operation> all) {
        add(all, Needs.NOTHING, "kernels.arena", f -> {
            if (f.arena.segments().count() == 1) {
                f.kernels.arena();
            }
        });
        add(all, Needs.NOTHING, "kernels.window", f -> f.kernels.window(A).offsetOf(A));
        add(all, Needs.NOTHING, "kernels.shadow", f -> {
            if (f.arena.segments().count() == 1) {
                f.kernels.shadow();
            }
        });
        add(
                all,
                Needs.NOTHING,
                "kernels.shadowWindow",
                f -> f.kernels.shadowWindow(A).offset());
        add(all, Needs.NOTHING, "kernels.facts", f -> f.kernels.facts());
        add(all, Needs.NOTHING, "kernels.recorder", f -> f.kernels.recorder().build());
        add(
                all,
                Needs.NOTHING,
                "kernel",
                f -> requireSame(3, f.kernel.bindings().size()));
        add(all, Needs.NOTHING, "compile again", f -> f.kernels.compile(KernelSource.of("scale", SCALE)));
        add(all, Needs.DEVICE, "compile", f -> f.kernels.compile(new KernelSource("new", SCALE, "main", Map.of())));
        add(all, Needs.DEVICE, "kernels.buffer", f -> f.kernels.buffer("late", 1 << 20));
        add(all, Needs.DEVICE, "kernels.resultBuffer", f -> f.kernels.resultBuffer("late", 1 << 10));
        add(all, Needs.LATER, "kernels.uniform of words", f -> f.kernels.uniform(f.fresh++, -1));
        add(all, Needs.LATER, "kernels.uniform of bytes", f -> f.kernels.uniform(SMALL.asSlice(0, 99 + f.fresh++)));
        add(all, Needs.LATER, "buffer.write", f -> f.buffer.write(0, SMALL));
        add(all, Needs.DEVICE, "buffer.read", f -> f.buffer.read(0, SMALL));
    }

    private static void addPrograms(List<Operation> all) {
        Workgroups one = Workgroups.of(1);
        add(all, Needs.DEVICE, "dispatch", f -> f.kernels.recorder().dispatch(f.kernel, f.bindings, one));
        add(
                all,
                Needs.DEVICE,
                "dispatchWriting",
                f -> f.kernels.recorder().dispatchWriting(f.kernel, f.bindings, one, B));
        add(all, Needs.NOTHING, "recorder.copy", f -> f.kernels.recorder().copy(A, B));
        add(
                all,
                Needs.NOTHING,
                "recorder.copy of bindings",
                f -> f.kernels.recorder().copy(f.buffer, 0, f.kernels.window(A), 0, 16));
        add(all, Needs.DEVICE, "recorder.refresh", f -> f.kernels.recorder().refresh(A));
        add(all, Needs.DEVICE, "run", f -> f.program.submit());
        add(all, Needs.DEVICE, "run with reads", f -> f.program.run(batch()));
        Batch small = Batch.builder().floats(A, DType.F32, SMALL_FLOATS).build();
        Batch large = Batch.builder()
                .floats(LARGE, DType.F32, LARGE_FLOATS)
                .bytes(1, SMALL)
                .build();
        add(all, Needs.DEVICE, "submit with inputs", f -> f.program.submit(small));
        add(all, Needs.DEVICE, "submit with large inputs", f -> f.program.submit(large));
        add(all, Needs.DEVICE, "run with inputs and reads", f -> f.program.run(small, batch()));
        add(all, Needs.DEVICE, "run with large inputs and reads", f -> f.program.run(large, batch()));
        add(
                all,
                Needs.DEVICE,
                "begin with large inputs",
                f -> f.program.begin(large, batch()).await());
        add(all, Needs.DEVICE, "run to a result", f -> f.toResult.run(f.result, SMALL));
        add(all, Needs.DEVICE, "begin", f -> f.program.begin(batch()).await());
        add(all, Needs.DEVICE, "time", f -> {
            if (f.kernels.facts().hasTimestamps()) {
                f.program.time();
            } else {
                f.program.submit();
            }
        });
        add(all, Needs.NOTHING, "steps", f -> requireSame(3, f.program.steps()));
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError("expected " + what);
        }
    }

    private static void requireSame(long expected, long actual) {
        if (expected != actual) {
            throw new AssertionError("expected " + expected + ", got " + actual);
        }
    }

    public static void main(String... arguments) throws Exception {
        SilentLog.begin(); // each loss is a line, and they are wanted
        int part = Integer.getInteger(PART, 0);
        // those that do not notice a loss share one
        List<Operation> unaware = new ArrayList<>();
        List<List<Operation>> firsts = new ArrayList<>(List.of(unaware));
        for (Operation each : OPERATIONS) {
            if (each.needs() == Needs.NOTHING) {
                unaware.add(each);
            } else {
                firsts.add(List.of(each));
            }
        }
        int losses = 0;
        int operations = 0;
        Fixture fixture = new Fixture();
        for (int i = part; i < firsts.size(); i += PARTS) {
            fixture = loseUnder(firsts.get(i), fixture);
            operations += firsts.get(i).size();
            losses++;
        }
        fixture.close();
        for (int round = part; round < ROUNDS; round += PARTS) {
            loseUnderWork(round);
            losses++;
        }
        openBesideLost();
        OUT.println(operations + " operations, " + (losses + 1) + " devices lost");
    }

    /**
     * Loses a device so that these operations are the first, then calls all; another arena on the device fails too.
     * Returns what is on the device behind it.
     */
    private static Fixture loseUnder(List<Operation> firsts, Fixture fixture) {
        CountDownLatch done = new CountDownLatch(1);
        ChildOutput.endAfter(HANG, done);
        try (fixture;
                DeviceArena neighbour = Fixture.open()) {
            MemorySegment handle = wgpu(fixture.arena).handles().device();
            neighbour.writeInputF32(A, DType.F32, SMALL_FLOATS);
            LostDevices.lose();
            for (Operation first : firsts) {
                OUT.println("lost, then " + first.name());
                boolean reported = reportsLoss(fixture, first);
                if (first.needs() == Needs.NOTHING || first.needs() == Needs.DEVICE) {
                    require(
                            reported == (first.needs() == Needs.DEVICE),
                            "exactly the operations that need the device to report the loss");
                }
            }
            require(reportsLoss(fixture, operation("flush")), "flush to report the loss");
            for (Operation next : OPERATIONS) {
                boolean again = reportsLoss(fixture, next);
                if (next.needs() != Needs.PERHAPS) {
                    require(
                            again == (next.needs() != Needs.NOTHING),
                            "the loss to be reported again by " + next.name());
                }
            }
            try {
                neighbour.readOutputF32(A, DType.F32, 1);
                throw new AssertionError("expected the neighbour to be lost too");
            } catch (DeviceLostException expected) {
                // it shares the device
            }
            Fixture next = new Fixture();
            require(!wgpu(next.arena).handles().device().equals(handle), "a new device");
            requireWorks(next);
            next.pending = next.arena.beginRead(batch());
            done.countDown();
            return next;
        }
    }

    private static Operation operation(String name) {
        return OPERATIONS.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static boolean reportsLoss(Fixture fixture, Operation operation) {
        try {
            operation.call().on(fixture);
            return false;
        } catch (DeviceLostException e) {
            String message = Objects.requireNonNull(e.getMessage());
            require(
                    message.contains("' was lost: ") && message.endsWith("; close its arenas and open new ones"),
                    "a message with the remedy, got " + message);
            return true;
        } catch (CancellationException e) {
            return false; // the pending read was cancelled by an operation before
        } catch (Exception | Error e) {
            throw new AssertionError(operation.name() + " behind a loss threw", e);
        }
    }

    private static void requireWorks(Fixture fixture) {
        float[] data = new float[ELEMENTS];
        for (int i = 0; i < ELEMENTS; i++) {
            data[i] = i;
        }
        fixture.arena.writeInputF32(A, DType.F32, data);
        fixture.program.submit();
        float[] read = fixture.arena.readOutputF32(B, DType.F32, ELEMENTS);
        for (int i = 0; i < ELEMENTS; i++) {
            require(read[i] == 2 * data[i], "a device that works");
        }
    }

    /** Loses a device while threads write, read and run kernels; each thread gets the exception, and none hangs. */
    private static void loseUnderWork(int round) throws Exception {
        CountDownLatch done = new CountDownLatch(1);
        ChildOutput.endAfter(HANG, done);
        OUT.println("lost in the middle of work, round " + round);
        List<Call> works = List.of(
                f -> f.arena.writeInputF32(A, DType.F32, SMALL_FLOATS),
                f -> f.arena.writeInputF32(LARGE, DType.F32, LARGE_FLOATS),
                f -> f.arena.readBytes(1, BIG.asSlice(0, 1 << 20)),
                f -> f.program.run(batch()),
                f -> f.toResult.run(f.result, MemorySegment.ofArray(new byte[16])),
                f -> lostIn(f.arena.beginRead(batch())));
        CyclicBarrier busy = new CyclicBarrier(works.size() + 1);
        try (Fixture fixture = new Fixture();
                ExecutorService threads = Executors.newFixedThreadPool(works.size())) {
            List<Future<Boolean>> ends = new ArrayList<>();
            for (Call work : works) {
                ends.add(threads.submit(untilLost(fixture, work, busy)));
            }
            busy.await();
            for (int i = 0; i < round; i++) {
                fixture.arena.flush(); // another moment in each round
            }
            LostDevices.lose();
            for (Future<Boolean> each : ends) {
                require(each.get(), "every thread to get the exception");
            }
        }
        try (Fixture next = new Fixture()) {
            requireWorks(next);
        }
        done.countDown();
    }

    private static Callable<Boolean> untilLost(Fixture fixture, Call work, CyclicBarrier busy) {
        return () -> {
            work.on(fixture);
            busy.await();
            while (true) {
                try {
                    work.on(fixture);
                } catch (DeviceLostException e) {
                    return true;
                }
            }
        };
    }

    /** An arena that is opened before any call noticed the loss gets a new device. */
    private static void openBesideLost() {
        OUT.println("lost, then open");
        try (Fixture lost = new Fixture()) {
            LostDevices.lose();
            try (Fixture next = new Fixture()) {
                requireWorks(next);
                require(
                        !wgpu(next.arena)
                                .handles()
                                .device()
                                .equals(wgpu(lost.arena).handles().device()),
                        "a device of its own");
            }
        }
    }
}
