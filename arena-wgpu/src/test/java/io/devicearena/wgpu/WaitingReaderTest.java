package io.devicearena.wgpu;

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
import io.devicearena.wgpu.testing.TestArenas;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A thread that waits for the device blocks no other thread. The tests count the calls that other threads complete
 * during a wait; the work of the device doubles until the wait is long enough.
 */
@Tag("slow")
class WaitingReaderTest {
    private static final NodeId FIRST = NodeId.of(0);
    private static final NodeId SECOND = NodeId.of(1);

    /** Each workgroup takes a while. None writes, which a compiler cannot know. */
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

    /** The most workgroups along an axis that every device supports. */
    private static final int MAX_ROWS = 65_535;

    /** The staging of small writes holds several times as many before a writer has to wait for the device itself. */
    private static final int WRITES = 1000;

    /** Pieces of the large read, and how many of them the device has in its queue at most. */
    private static final int PIECES = 12;

    private static final int PIECES_AT_ONCE = 4;
    private static final long LARGE = (long) PIECES << 24;
    /** It takes few; on a busy machine the other thread may get no core during most of them. */
    private static final int MAX_READS = 2000;

    private static KernelProgram work(WgpuArena arena, Kernel kernel, int rows) {
        return arena.kernels()
                .recorder()
                .dispatch(kernel, Bindings.of(arena.kernels().window(FIRST)), Workgroups.of(16, rows))
                .build();
    }

    private static WgpuArena open(long... offsetsAndSizes) {
        return (WgpuArena) TestArenas.open(
                TestArenas.plan(offsetsAndSizes), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF));
    }

    private static ReadBatch readOfFirst() {
        return ReadBatch.builder().output(FIRST, DType.F32, new float[1]).build();
    }

    @Test
    void write_whileAnotherThreadAwaitsADeferredRead_completes() throws InterruptedException, ExecutionException {
        try (WgpuArena arena = open(0, 16, 4096, 16);
                ExecutorService waiters = Executors.newSingleThreadExecutor()) {
            Kernel kernel = arena.kernels().compile(LONG_WORK);
            float[] data = {0};
            boolean completed = false;
            for (int rows = 1; rows <= MAX_ROWS && !completed; rows *= 2) {
                DeferredRead read = work(arena, kernel, rows).begin(readOfFirst());
                Future<Long> waiting = waiters.submit(() -> read.await());
                for (int write = 0; write < WRITES; write++) {
                    data[0] = write;
                    arena.writeInputF32(SECOND, DType.F32, data);
                }
                completed = read.state() == DeferredRead.State.PENDING;
                assertThat(waiting.get()).isEqualTo(1);
            }
            assertThat(completed)
                    .as("%d writes complete before a read ends that another thread awaits", WRITES)
                    .isTrue();
            assertThat(arena.readOutputF32(SECOND, DType.F32, 1)).containsExactly(WRITES - 1);
        }
    }

    @Test
    void write_whileAnotherThreadWaitsForARun_completes() throws InterruptedException, ExecutionException {
        try (WgpuArena arena = open(0, 16, 4096, 16);
                ExecutorService waiters = Executors.newSingleThreadExecutor()) {
            Kernel kernel = arena.kernels().compile(LONG_WORK);
            float[] data = {0};
            int most = 0;
            for (int rows = 1; rows <= MAX_ROWS && most < WRITES; rows *= 2) {
                KernelProgram program = work(arena, kernel, rows);
                CountDownLatch begun = new CountDownLatch(1);
                Future<Long> waiting = waiters.submit(() -> {
                    begun.countDown();
                    return program.run(readOfFirst());
                });
                begun.await();
                int writes = 0;
                while (writes < WRITES && !waiting.isDone()) {
                    arena.writeInputF32(SECOND, DType.F32, data);
                    writes++;
                }
                most = waiting.isDone() ? most : Math.max(most, writes);
                assertThat(waiting.get()).isEqualTo(1);
            }
            assertThat(most)
                    .as("writes during a run that another thread waits for")
                    .isEqualTo(WRITES);
        }
    }

    @Test
    void write_whileALargeReadIsUnderWay_completes() throws InterruptedException, ExecutionException {
        float[] data = {1};
        try (WgpuArena arena = open(LARGE, 16)) {
            // at least one for each piece of the read
            assertCallsDuringRead(arena, () -> arena.writeInputF32(FIRST, DType.F32, data), PIECES);
        }
    }

    @Test
    void smallRead_whileALargeReadIsUnderWay_completes() throws InterruptedException, ExecutionException {
        float[] landed = {1};
        try (WgpuArena arena = open(LARGE, 16)) {
            // each one waits for at most so many pieces in the queue of the device; the last one may end too late
            assertCallsDuringRead(
                    arena, () -> arena.readOutputF32(FIRST, DType.F32, landed), PIECES / PIECES_AT_ONCE - 1);
        }
    }

    private static void assertCallsDuringRead(WgpuArena arena, Runnable call, long expected)
            throws InterruptedException, ExecutionException {
        try (Arena memory = Arena.ofShared()) {
            MemorySegment destination = memory.allocate(LARGE);
            long most = 0;
            for (int read = 0; read < MAX_READS && most < expected; read++) {
                try (Caller other = new Caller(call)) {
                    other.awaitFirst();
                    long before = other.calls();
                    arena.readBytes(0, destination);
                    most = Math.max(most, other.calls() - before);
                    other.stop();
                }
            }
            assertThat(most).as("calls while another thread reads").isGreaterThanOrEqualTo(expected);
        }
    }

    /** A thread that makes the same call again and again. */
    private static final class Caller implements AutoCloseable {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final AtomicLong calls = new AtomicLong();
        private final Future<?> end;
        private volatile boolean stopped;

        Caller(Runnable call) {
            end = thread.submit(() -> {
                while (!stopped) {
                    call.run();
                    calls.incrementAndGet();
                }
            });
        }

        long calls() {
            return calls.get();
        }

        void awaitFirst() {
            while (calls.get() == 0 && !end.isDone()) {
                Thread.onSpinWait();
            }
        }

        /** Ends the thread; throws what a call threw. */
        void stop() throws InterruptedException, ExecutionException {
            stopped = true;
            end.get();
        }

        @Override
        public void close() {
            stopped = true;
            thread.close();
        }
    }
}
