package io.devicearena.wgpu;

import io.devicearena.wgpu.testing.TestArenas;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeferredRead;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.ReadBatch;
import io.devicearena.wgpu.kernel.Bindings;
import io.devicearena.wgpu.kernel.Kernel;
import io.devicearena.wgpu.kernel.KernelProgram;
import io.devicearena.wgpu.kernel.KernelSource;
import io.devicearena.wgpu.kernel.Workgroups;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * A thread that waits for the device stops no other: not for longer than what that one asks takes by itself.
 *
 * <p>A thread that were stopped would pause for as long as the wait takes, however long that is. So the waits get longer until
 * what others need besides does not count, and no speed is asked for.
 */
@Tag("slow")
class WaitingReaderTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final NodeId SECOND = NodeId.of(1);

    /** Each workgroup takes a while; none writes, but only whoever computes xorshift knows that. */
    private static final KernelSource LONG_WORK = KernelSource.of("long work", """
            @group(0) @binding(0) var<storage, read_write> words: array<u32>;

            @compute @workgroup_size(64)
            fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                var x = id.x | 1u;
                // Mesa's llvmpipe ends loops after 65,535 rounds
                for (var i = 0u; i < 16384u; i++) {
                    x ^= x << 13u;
                    x ^= x >> 17u;
                    x ^= x << 5u;
                }
                if (x == 0u) {
                    words[0] = x;
                }
            }
            """);

    /** The least that a long wait takes without other threads, many times what a machine under load takes to go on. */
    private static final long LONG_NANOS = 100_000_000;

    private static final int MOST_ROWS = 65_535;

    /** How often a longer wait is tried, each twice as long as the one before. */
    private static final int DOUBLINGS = 5;

    /** Between two small writes, so that they find room in staging for as long as a wait takes. */
    private static final long BETWEEN_NANOS = 500_000;

    /** The staging of small writes takes several times as many before a writer has to wait for the device itself. */
    private static final int WRITES = 1000;

    /** Pieces of the large read, and how many of them the device has in its queue at most. */
    private static final int PIECES = 12;

    private static final int PIECES_AT_ONCE = 4;
    private static final long LARGE = (long) PIECES << 24;
    private static final int MOST_READS = 40;

    /** What one thread does again and again while another waits. */
    private static final class Busy implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final AtomicLong done = new AtomicLong();
        private final Future<Long> longestPause;
        private volatile boolean stopped;

        Busy(Runnable call) {
            longestPause = thread.submit(() -> {
                long longest = 0;
                long last = System.nanoTime();
                while (!stopped) {
                    call.run();
                    done.incrementAndGet();
                    long now = System.nanoTime();
                    longest = Math.max(longest, now - last);
                    last = now;
                }
                return longest;
            });
        }

        long done() {
            return done.get();
        }

        void awaitFirst() {
            while (done.get() == 0 && !longestPause.isDone()) {
                Thread.onSpinWait();
            }
        }

        /** Ends it; throws what it threw. */
        long stop() throws InterruptedException, ExecutionException {
            stopped = true;
            return longestPause.get();
        }

        @Override
        public void close() {
            stopped = true;
            thread.close();
        }
    }

    private static KernelProgram work(WgpuArena arena, Kernel kernel, int rows) {
        return arena.kernels()
                .recorder()
                .dispatch(kernel, Bindings.of(arena.kernels().window(FIRST)), Workgroups.of(16, rows))
                .build();
    }

    /** How many rows of workgroups make the device work for long. */
    private static int longWork(WgpuArena arena, Kernel kernel, ReadBatch batch) {
        int rows = 1;
        for (long nanos = 0; nanos < LONG_NANOS && rows <= MOST_ROWS / 2; rows *= 2) {
            KernelProgram program = work(arena, kernel, rows);
            long begin = System.nanoTime();
            program.run(batch);
            nanos = System.nanoTime() - begin;
        }
        return rows;
    }

    private static WgpuArena open(long... offsetsAndSizes) {
        return (WgpuArena) TestArenas.open(
                TestArenas.plan(offsetsAndSizes), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF));
    }

    @Test
    void writesAreMadeWhileADeferredReadIsAwaited() throws InterruptedException, ExecutionException {
        try (WgpuArena arena = open(0, 16, 4096, 16);
                ExecutorService waiters = Executors.newSingleThreadExecutor()) {
            Kernel kernel = arena.kernels().compile(LONG_WORK);
            ReadBatch batch =
                    ReadBatch.builder().output(FIRST, DType.F32, new float[1]).build();
            float[] data = {0};
            boolean madeMeanwhile = false;
            int rows = longWork(arena, kernel, batch);
            for (int i = 0; i < DOUBLINGS && !madeMeanwhile; i++) {
                DeferredRead read =
                        work(arena, kernel, Math.min(rows << i, MOST_ROWS)).begin(batch);
                Future<Long> waiting = waiters.submit(() -> read.await());
                for (int write = 0; write < WRITES; write++) {
                    data[0] = write;
                    arena.writeInputF32(SECOND, DType.F32, data);
                }
                madeMeanwhile = read.state() == DeferredRead.State.PENDING;
                assertThat(waiting.get()).isEqualTo(1);
            }
            assertThat(madeMeanwhile)
                    .as("%d writes are made before a read ends that another thread awaits", WRITES)
                    .isTrue();
            assertThat(arena.readOutputF32(SECOND, DType.F32, 1)).containsExactly(WRITES - 1);
        }
    }

    @Test
    void aWriterPausesForLessThanAReaderWaits(TestReporter reporter) throws InterruptedException, ExecutionException {
        try (WgpuArena arena = open(0, 16, 4096, 16)) {
            Kernel kernel = arena.kernels().compile(LONG_WORK);
            ReadBatch batch =
                    ReadBatch.builder().output(FIRST, DType.F32, new float[1]).build();
            float[] data = {0};
            int rows = longWork(arena, kernel, batch);
            double least = 1;
            for (int i = 0; i < DOUBLINGS && least > 0.5; i++) {
                KernelProgram program = work(arena, kernel, Math.min(rows << i, MOST_ROWS));
                try (Busy writer = new Busy(() -> {
                    arena.writeInputF32(SECOND, DType.F32, data);
                    LockSupport.parkNanos(BETWEEN_NANOS);
                })) {
                    writer.awaitFirst();
                    long begin = System.nanoTime();
                    program.run(batch);
                    long nanos = System.nanoTime() - begin;
                    long pause = writer.stop();
                    publish(reporter, pause, nanos);
                    least = Math.min(least, (double) pause / nanos);
                }
            }
            assertThat(least).as("longest pause of a writer, over the wait").isLessThanOrEqualTo(0.5);
        }
    }

    @Test
    void writesAreMadeWhileALargeReadIsUnderWay(TestReporter reporter) throws InterruptedException, ExecutionException {
        float[] data = {1};
        try (WgpuArena arena = open(LARGE, 16)) {
            // at least one for each of its pieces
            assertDoneWhileReading(arena, () -> arena.writeInputF32(FIRST, DType.F32, data), PIECES, reporter);
        }
    }

    @Test
    void smallReadsAreMadeWhileALargeReadIsUnderWay(TestReporter reporter)
            throws InterruptedException, ExecutionException {
        float[] landed = {1};
        try (WgpuArena arena = open(LARGE, 16)) {
            // each finds so many pieces ahead of it in the device's queue at most; the last may end too late
            assertDoneWhileReading(
                    arena, () -> arena.readOutputF32(FIRST, DType.F32, landed), PIECES / PIECES_AT_ONCE - 1, reporter);
        }
    }

    private static void assertDoneWhileReading(WgpuArena arena, Runnable call, long expected, TestReporter reporter)
            throws InterruptedException, ExecutionException {
        try (Arena memory = Arena.ofShared()) {
            MemorySegment destination = memory.allocate(LARGE);
            long most = 0;
            for (int read = 0; read < MOST_READS && most < expected; read++) {
                try (Busy other = new Busy(call)) {
                    other.awaitFirst();
                    long before = other.done();
                    long begin = System.nanoTime();
                    arena.readBytes(0, destination);
                    long nanos = System.nanoTime() - begin;
                    most = Math.max(most, other.done() - before);
                    publish(reporter, other.stop(), nanos);
                }
            }
            assertThat(most).as("calls while another thread reads").isGreaterThanOrEqualTo(expected);
        }
    }

    private static void publish(TestReporter reporter, long longestPause, long waitNanos) {
        reporter.publishEntry(
                "pauses", "longest " + longestPause / 1000 + " µs beside a wait of " + waitNanos / 1000 + " µs");
    }
}
