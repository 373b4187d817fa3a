package io.devicearena.wgpu.faults;

import static io.devicearena.wgpu.testing.ChildOutput.OUT;
import static io.devicearena.wgpu.testing.TestArenas.kernels;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Kernels;
import io.devicearena.wgpu.testing.ChildOutput;
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;

/**
 * A program in which the library holds a call of a thread that reads. Another thread uses arenas of the device
 * meanwhile; each line of output names what it completed.
 */
final class WaitingReader {
    private static final NodeId WRITTEN = NodeId.of(0);
    private static final NodeId READ = NodeId.of(1);
    private static final int BYTES = 1 << 20;

    /** The read of so many bytes has several pieces. */
    private static final int LARGE = 48 << 20;

    private static final KernelSource NOTHING = KernelSource.of("nothing", """
            @group(0) @binding(0) var<storage, read_write> words: array<u32>;

            @compute @workgroup_size(1)
            fn main() {
                words[0] = words[0];
            }
            """);

    /** More writes than one batch of them holds, each to another place. */
    private static final int WRITES = 3000;

    private static final Duration HANG = Duration.ofMinutes(4);

    private WaitingReader() {}

    public static void main(String[] arguments) throws Throwable {
        CountDownLatch done = new CountDownLatch(1);
        ChildOutput.endAfter(HANG, done);
        try (HeldLibrary library = new HeldLibrary();
                DeviceArena read = open(F16ShadowMode.OFF);
                DeviceArena written = open(F16ShadowMode.OFF);
                DeviceArena mirrored = open(F16ShadowMode.ON_REQUEST)) {
            write(library, read, written, mirrored);
            close(library, read);
            waitInPoll(library, read, written);
        }
        done.countDown();
    }

    private static DeviceArena open(F16ShadowMode shadow) {
        MemoryPlan plan = TestArenas.plan(0, BYTES, BYTES, 64, BYTES + 64, LARGE);
        return TestArenas.open(plan, ArenaOptions.defaults().withF16Shadow(shadow));
    }

    private static void write(HeldLibrary library, DeviceArena read, DeviceArena written, DeviceArena mirrored)
            throws Throwable {
        byte[] model = new byte[BYTES];
        written.writeBytes(0, MemorySegment.ofArray(model));
        library.holdSubmission();
        Thread reader = Thread.ofPlatform().start(() -> read.readOutputF32(READ, DType.F32, 16));
        library.awaitHeld();
        writeAll(written, model, 4);
        OUT.println("whole words are written");
        writeAll(written, model, 1);
        OUT.println("parts of words are written");
        byte[] same = new byte[64];
        for (int i = 0; i < 10 * WRITES; i++) {
            same[0] = (byte) i;
            written.writeBytes(1, MemorySegment.ofArray(same));
        }
        System.arraycopy(same, 0, model, 1, same.length);
        OUT.println("one place is written again and again");
        float[] floats = new float[16];
        for (int i = 0; i < 10 * WRITES; i++) {
            floats[3] = i % 1024;
            mirrored.writeInputF32(WRITTEN, DType.F32, floats);
        }
        OUT.println("a value and its mirror are written");
        library.release();
        reader.join();
        byte[] found = new byte[BYTES];
        written.readBytes(0, MemorySegment.ofArray(found));
        OUT.println("first wrong byte: " + Arrays.mismatch(found, model));
        OUT.println("value: " + mirrored.readOutputF32(WRITTEN, DType.F32, 4)[3]);
    }

    private static void writeAll(DeviceArena arena, byte[] model, int alignment) {
        SplittableRandom random = new SplittableRandom(alignment);
        for (int i = 0; i < WRITES; i++) {
            byte[] data = new byte[64];
            random.nextBytes(data);
            int at = random.nextInt((BYTES - 64) / alignment) * alignment;
            if (i % 2 == 0) {
                arena.writeBytes(at, MemorySegment.ofArray(data));
            } else {
                arena.writeBatch(
                        Batch.builder().bytes(at, MemorySegment.ofArray(data)).build());
            }
            System.arraycopy(data, 0, model, at, data.length);
        }
    }

    /** A thread waits for the device in each of the ways that there are. */
    private static void waitInPoll(HeldLibrary library, DeviceArena read, DeviceArena other) throws Throwable {
        Batch batch = Batch.builder().floats(READ, DType.F32, new float[16]).build();
        Transfer deferred = read.beginRead(batch);
        whileHeld(library, "a deferred read", deferred::await, read, other);
        Kernels kernels = kernels(read);
        KernelProgram program = kernels.recorder()
                .dispatch(kernels.compile(NOTHING), Bindings.of(kernels.window(READ)), Workgroups.of(1))
                .build();
        whileHeld(library, "a run", () -> program.run(batch), read, other);
        MemorySegment large = MemorySegment.ofArray(new byte[LARGE]);
        whileHeld(library, "a large read", () -> read.readBytes(BYTES + 64, large), read, other);
        whileHeld(library, "a flush", read::flush, read, other);
    }

    private static void whileHeld(HeldLibrary library, String name, Runnable waits, DeviceArena read, DeviceArena other)
            throws Throwable {
        library.holdPoll();
        Thread waiter = Thread.ofPlatform().start(waits);
        library.awaitHeld();
        byte[] data = new byte[64];
        byte[] found = new byte[64];
        for (DeviceArena arena : List.of(read, other)) {
            for (int i = 0; i < WRITES; i++) {
                data[0] = (byte) i;
                arena.writeBytes(i, MemorySegment.ofArray(data));
            }
            arena.readBytes(WRITES - 1, MemorySegment.ofArray(found));
        }
        OUT.println(name + ": others write and read " + Arrays.equals(found, data));
        library.release();
        waiter.join();
    }

    /** The commands that are held copy to an arena that another thread closes: its memory must outlive them. */
    private static void close(HeldLibrary library, DeviceArena read) throws Throwable {
        DeviceArena closed = open(F16ShadowMode.OFF);
        closed.writeBytes(1, MemorySegment.ofArray(new byte[64]));
        library.holdSubmission();
        Thread reader = Thread.ofPlatform().start(() -> read.readOutputF32(READ, DType.F32, 16));
        library.awaitHeld();
        Thread closer = Thread.ofPlatform().start(closed::close);
        while (closer.getState() != Thread.State.WAITING && closer.isAlive()) {
            Thread.onSpinWait();
        }
        OUT.println("the arena of pending writes is closed early: " + !closer.isAlive());
        library.release();
        reader.join();
        closer.join();
    }
}
