package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;
import static io.devicearena.conformance.ExamplePlan.NODE_8;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.Transfer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Group 6: several reads at once, and reads that are begun now and awaited later.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface BatchAndDeferredReadConformance extends ConformanceTopic {
    /** Catches regions that are mixed up, and wrong rounding of offsets within a shared staging buffer. */
    @Test
    default void required_6_1_batchEqualsSingleReads() {
        try (DeviceArena arena = openExample()) {
            Batches.Mixed mixed = new Batches.Mixed(TestData.bytes(61, 93));
            arena.writeBytes(0, MemorySegment.ofArray(mixed.arenaBytes()));
            Check.same("result of a batch of 9 regions", Batches.Mixed.RESULT, arena.readBatch(mixed.batch()));
            mixed.check();
            Check.same(
                    "result of an empty batch",
                    0L,
                    arena.readBatch(Batch.builder().build()));
        }
        byte[] bytes = TestData.bytes(62, 8192);
        try (DeviceArena arena = open(ExamplePlan.bytes(bytes.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            Batch.Builder builder = Batch.builder();
            List<byte[]> destinations = new ArrayList<>();
            long sum = 0;
            for (int i = 0; i < 1000; i++) {
                byte[] destination = new byte[i % 7];
                destinations.add(destination);
                builder.bytes(Batches.scattered(i), MemorySegment.ofArray(destination));
                sum += destination.length;
            }
            Check.same("result of a batch of 1,000 regions", sum, arena.readBatch(builder.build()));
            for (int i = 0; i < destinations.size(); i++) {
                int from = Batches.scattered(i);
                byte[] destination = destinations.get(i);
                Check.same(
                        "region " + i, from, Arrays.copyOfRange(bytes, from, from + destination.length), destination);
            }
        }
    }

    /** A batch is built once; lengths change from step to step. */
    @Test
    default void required_6_2_batchHonoursLengths() {
        try (DeviceArena arena = openExample()) {
            float[] data = TestData.exact(DType.F32, 8);
            arena.writeInputF32(NODE_1, DType.F32, data);
            float mark = Float.intBitsToFloat(0xDEADBEEF);
            float[] wide = new float[10];
            float[] narrow = new float[3];
            Batch batch = Batch.builder()
                    .floats(NODE_1, DType.F32, wide)
                    .floats(NODE_1, DType.F32, narrow)
                    .build();
            for (int length : new int[] {32, 20, 6, 0}) {
                Arrays.fill(wide, mark);
                Arrays.fill(narrow, mark);
                arena.setActualLength(NODE_1, length);
                int whole = length / 4;
                String what = "batch with an actual length of " + length;
                Check.same(what + ", result", (long) whole + Math.min(whole, 3), arena.readBatch(batch));
                Check.same(what + ", long destination", Batches.beginning(data, whole, 10, mark), wide);
                Check.same(what + ", short destination", Batches.beginning(data, Math.min(whole, 3), 3, mark), narrow);
            }
        }
    }

    /** Catches results, offsets or mapped memory cached by the first read. */
    @Test
    default void required_6_3_batchReadAgainSeesNewBytes() {
        try (DeviceArena arena = openExample()) {
            float[] floats = new float[8];
            byte[] raw = new byte[11];
            Batch batch = Batch.builder()
                    .floats(NODE_2, DType.F32, floats)
                    .bytes(66, MemorySegment.ofArray(raw))
                    .build();
            for (int round = 0; round < 20; round++) {
                float[] data = TestData.exact(DType.F32, 8 + round);
                data = Arrays.copyOfRange(data, round, round + 8);
                byte[] bytes = TestData.bytes(630L + round, 11);
                arena.writeInputF32(NODE_2, DType.F32, data);
                arena.writeBytes(66, MemorySegment.ofArray(bytes));
                arena.readBatch(batch);
                Check.same("typed region, reading " + round, data, floats);
                Check.same("raw region, reading " + round, 66, bytes, raw);
            }
        }
    }

    /** Catches an error that is thrown after half of the work. */
    @Test
    default void required_6_4_oneBadRegionRefusesTheBatch() {
        List<Consumer<Batch.Builder>> faults = List.of(
                bad -> bad.floats(NODE_8, DType.F32, new float[1]),
                bad -> bad.bytes(93, MemorySegment.ofArray(new byte[1])),
                bad -> bad.bytes(Long.MAX_VALUE, MemorySegment.ofArray(new byte[1])));
        try (DeviceArena arena = openExample()) {
            for (int fault = 0; fault < faults.size(); fault++) {
                float[] floats = new float[8];
                byte[] raw = new byte[9];
                Batch.Builder builder =
                        Batch.builder().floats(NODE_1, DType.F32, floats).bytes(1, MemorySegment.ofArray(raw));
                faults.get(fault).accept(builder);
                Batch batch = builder.build();
                String what = "batch whose last region is bad (" + fault + ")";
                Check.assertInvalid(what, () -> arena.readBatch(batch));
                Check.assertInvalid(what + ", deferred", () -> arena.beginRead(batch));
                Check.same(what + ", typed destination", new float[8], floats);
                Check.same(what + ", raw destination", 0, new byte[9], raw);
            }
        }
    }

    /** An error is reported where it is made, not at the thousandth step. */
    @Test
    default void required_6_5_badRegionsAreRefusedWhenTheyAreAdded() {
        Batch.Builder builder = Batch.builder();
        float[] floats = new float[2];
        for (DType dtype : TestData.OTHERS) {
            Check.assertInvalid("a region of " + dtype, () -> builder.floats(NODE_1, dtype, floats));
        }
        Check.assertInvalid(
                "floats of 7 bytes", () -> builder.floats(NODE_1, DType.F32, MemorySegment.ofArray(new byte[7])));
        Check.assertInvalid("a raw region at offset -1", () -> builder.bytes(-1, MemorySegment.ofArray(new byte[1])));
        Check.same("regions after refused ones", 0, builder.build().regions().size());
    }

    /** A deferred read differs in time only. */
    @Test
    default void required_6_6_deferredReadDeliversWhatABatchWould() {
        try (DeviceArena arena = openExample()) {
            Batches.Mixed mixed = new Batches.Mixed(TestData.bytes(66, 93));
            arena.writeBytes(0, MemorySegment.ofArray(mixed.arenaBytes()));
            Transfer read = arena.beginRead(mixed.batch());
            Check.same("result of await", Batches.Mixed.RESULT, read.await());
            mixed.check();
            Check.same("result of a second await", Batches.Mixed.RESULT, read.await());
            long[] elsewhere = new long[1];
            Race.together(() -> elsewhere[0] = read.await());
            Check.same("result of an await on another thread", Batches.Mixed.RESULT, elsewhere[0]);
            Check.same(
                    "result of an empty read",
                    0L,
                    arena.beginRead(Batch.builder().build()).await());
        }
    }

    /** An engine begins a read and starts the next step at once; catches copies made at the wait. */
    @Test
    default void required_6_7_deferredReadSeesTheBytesOfItsBeginning() {
        for (int elements : new int[] {4, 1000, 100_000}) {
            try (DeviceArena arena = open(ExamplePlan.node1(elements * 4L))) {
                float[] first = TestData.exact(DType.F32, elements);
                float[] second = new float[elements];
                Arrays.fill(second, -1);
                for (boolean raw : new boolean[] {false, true}) {
                    arena.writeInputF32(NODE_1, DType.F32, first);
                    float[] floats = new float[elements];
                    byte[] bytes = new byte[elements * 4];
                    Transfer read = arena.beginRead(Batch.builder()
                            .floats(NODE_1, DType.F32, floats)
                            .bytes(0, MemorySegment.ofArray(bytes))
                            .build());
                    if (raw) {
                        arena.writeBytes(0, MemorySegment.ofArray(second));
                    } else {
                        arena.writeInputF32(NODE_1, DType.F32, second);
                    }
                    read.await();
                    String what = elements + " elements begun before a " + (raw ? "raw" : "typed") + " write";
                    Check.same(what, first, floats);
                    Check.same(what + ", raw", 0, TestData.encoded(DType.F32, first), bytes);
                }
            }
        }
    }

    /** Catches one staging buffer for two reads, and a pool that is exhausted. */
    @Test
    default void required_6_8_manyDeferredReadsMayBePending() {
        int reads = 100;
        int size = 300;
        try (DeviceArena arena = open(ExamplePlan.bytes(size))) {
            List<byte[]> expected = new ArrayList<>();
            List<byte[]> destinations = new ArrayList<>();
            List<Transfer> handles = new ArrayList<>();
            for (int i = 0; i < reads; i++) {
                byte[] bytes = TestData.bytes(6800L + i, size);
                arena.writeBytes(0, MemorySegment.ofArray(bytes));
                byte[] destination = new byte[size];
                expected.add(bytes);
                destinations.add(destination);
                handles.add(arena.beginRead(Batches.bytes(0, destination)));
            }
            for (int i = 0; i < reads; i++) {
                int one = (i * 37) % reads;
                Check.same(
                        "result of read " + one + " of " + reads,
                        (long) size,
                        handles.get(one).await());
                Check.same("read " + one + " of " + reads, 0, expected.get(one), destinations.get(one));
            }
            for (int i = 0; i < reads; i++) {
                arena.beginRead(Batches.bytes(0, new byte[size]));
            }
            Check.holds("arena after reads that are never awaited", arena, 0, expected.getLast());
        }
    }

    /** An engine polls between other work; catches a wait that loses the interrupt or ends early. */
    @Test
    default void required_6_9_waitingIsBoundedAndSaysWhereItStands() {
        try (DeviceArena arena = openExample()) {
            Batch batch = Batches.floats(NODE_1, DType.F32, new float[8]);
            Transfer read = arena.beginRead(batch);
            Transfer.State begun = read.state();
            Check.isTrue(
                    "state of a read that was begun: expected PENDING or DONE, got " + begun,
                    begun == Transfer.State.PENDING || begun == Transfer.State.DONE);
            Check.assertInvalid("a time-out of -1 nanosecond", () -> read.await(Duration.ofNanos(-1)));
            Check.same("await of an hour", true, read.await(Duration.ofHours(1)));
            Check.same("await of no time once the read is done", true, read.await(Duration.ZERO));
            Check.same("state of a read that was awaited", Transfer.State.DONE, read.state());

            Transfer interrupted = arena.beginRead(batch);
            Thread.currentThread().interrupt();
            long count = interrupted.await();
            boolean flag = Thread.interrupted();
            Check.same("result of an await by an interrupted thread", 8L, count);
            Check.same("interrupt flag after it", true, flag);
        }
    }

    /** The caller frees the destination next. A device that completes reads at once never shows a cancelled read. */
    @Test
    default void stochastic_6_10_cancelledReadNoLongerWrites() {
        try (DeviceArena arena = open(ExamplePlan.bytes(100_000))) {
            byte[] bytes = TestData.filled(100_000, 0x42);
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            for (int round = 0; round < 50; round++) {
                byte[] destination = new byte[bytes.length];
                Transfer read = arena.beginRead(Batches.bytes(0, destination));
                boolean cancelled = read.cancel();
                byte[] atOnce = destination.clone();
                if (cancelled) {
                    Check.same("state of a cancelled read", Transfer.State.CANCELLED, read.state());
                    Check.assertRefused(CancellationException.class, "await of a cancelled read", read::await);
                    Check.assertRefused(
                            CancellationException.class,
                            "timed await of a cancelled read",
                            () -> read.await(Duration.ZERO));
                } else {
                    Check.same("state of a read that had ended", Transfer.State.DONE, read.state());
                    Check.same("its result", 100_000L, read.await());
                }
                Check.holds("arena after a cancel", arena, 0, bytes);
                Check.same("destination after a cancel", 0, atOnce, destination);
            }
        }
    }

    /**
     * Composition with an engine's own futures.
     *
     * @throws Exception if the future fails
     */
    @Test
    default void required_6_11_futureCompletesAsAwaitDoes() throws Exception {
        try (DeviceArena arena = openExample()) {
            byte[] unawaited = new byte[16];
            Transfer first = arena.beginRead(Batches.bytes(0, unawaited));
            Check.same(
                    "result of a future whose read is not awaited otherwise",
                    16L,
                    first.toCompletableFuture().get(10, TimeUnit.SECONDS));
            Check.same("destination of that read", 0, TestData.filled(16, 0x55), unawaited);

            byte[] bytes = new byte[16];
            Transfer second = arena.beginRead(Batches.bytes(0, bytes));
            second.toCompletableFuture().cancel(true);
            Check.same("result of a read whose future was cancelled", 16L, second.await());
            Check.same("destination of that read", 0, TestData.filled(16, 0x55), bytes);
        }
    }

    /** Catches waits that never end. Whether a read is still pending at the close is chance. */
    @Test
    default void stochastic_6_12_closeEndsPendingReads() {
        byte[] bytes = TestData.filled(50_000, 0x24);
        for (int round = 0; round < 20; round++) {
            List<Transfer> reads = new ArrayList<>();
            List<byte[]> destinations = new ArrayList<>();
            try (DeviceArena arena = open(ExamplePlan.bytes(bytes.length))) {
                arena.writeBytes(0, MemorySegment.ofArray(bytes));
                for (int i = 0; i < 4; i++) {
                    byte[] destination = new byte[bytes.length];
                    destinations.add(destination);
                    reads.add(arena.beginRead(Batches.bytes(0, destination)));
                }
            }
            for (int i = 0; i < reads.size(); i++) {
                Transfer read = reads.get(i);
                byte[] atOnce = destinations.get(i).clone();
                switch (read.state()) {
                    case DONE -> {
                        Check.same("result of a read that was done at the close", 50_000L, read.await());
                        Check.same("its destination", 0, bytes, destinations.get(i));
                    }
                    case FAILED -> Check.assertClosed("await of a read that the close ended", read::await);
                    default -> Check.same("state of a read after the close", Transfer.State.FAILED, read.state());
                }
                Check.same("destination some time after the close", 0, atOnce, destinations.get(i));
            }
        }
    }

    /** Another thread may write the destination; the error comes before it does. */
    @Test
    default void required_6_13_deferredDestinationsMustBeShared() {
        try (DeviceArena arena = openExample();
                Arena confined = Arena.ofConfined();
                Arena shared = Arena.ofShared()) {
            MemorySegment own = confined.allocate(32, 4);
            MemorySegment sharedMemory = shared.allocate(32, 4);
            Check.assertInvalid(
                    "a deferred read into memory confined to the caller",
                    () -> arena.beginRead(Batch.builder()
                            .bytes(0, sharedMemory)
                            .floats(NODE_1, DType.F32, own)
                            .build()));
            Check.same("first destination of the refused read", 0, new byte[32], sharedMemory.toArray(Batches.BYTE));
            Check.same("second destination of the refused read", 0, new byte[32], own.toArray(Batches.BYTE));
            Check.same(
                    "result of a batch into memory confined to the caller",
                    8L,
                    arena.readBatch(Batches.floats(NODE_1, DType.F32, own)));
        }
    }
}
