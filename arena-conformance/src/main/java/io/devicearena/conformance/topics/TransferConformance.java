package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.Transfer;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.Iterations;
import io.devicearena.conformance.calls.Polls;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 6: reads and writes that are begun now and awaited later.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface TransferConformance extends ConformanceTopic {
    private static MemorySegment array(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }

    private static Transfer begin(DeviceArena arena, MemorySegment destination) {
        return arena.beginRead(Batches.bytes(0, destination));
    }

    /** Runs a clause on arenas of a few bytes, of some thousand, and of as many as take a while. */
    private void each(BiConsumer<DeviceArena, byte[]> clause) {
        int most = Math.toIntExact(Math.min(2 << 20, device().limits().maxArenaBytes() / 2));
        for (int length : new int[] {9, 300, 70_001, most}) {
            byte[] bytes = TestData.bytes(600L + length, length);
            try (DeviceArena arena = open(ExamplePlan.node1(length))) {
                arena.writeBytes(0, MemorySegment.ofArray(bytes));
                clause.accept(arena, bytes);
            }
        }
    }

    private static void same(String what, byte[] expected, MemorySegment destination) {
        Check.same(what + " of " + expected.length + " bytes", 0, expected, destination.toArray(Batches.BYTE));
    }

    private static long get(CompletableFuture<Long> future) {
        Polls.until(future::isDone);
        return future.join();
    }

    /** Catches limits that overflow when they are counted in nanoseconds, and waits that never end. */
    @Test
    default void required_6_1_waitingIsBoundedAndSaysWhereItStands() {
        each((arena, bytes) -> {
            for (Duration limit : List.of(
                    Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                    Duration.ofMillis(Long.MAX_VALUE),
                    Duration.ofNanos(Long.MAX_VALUE),
                    Duration.ofNanos(Long.MAX_VALUE - 1).plusNanos(2),
                    Duration.ofNanos(Long.MAX_VALUE / 2),
                    Duration.ofNanos(1),
                    Duration.ZERO)) {
                MemorySegment destination = array(bytes.length);
                Transfer write = arena.beginWrite(Batches.bytes(0, bytes));
                for (Transfer one : List.of(write, begin(arena, destination))) {
                    Transfer.State begun = one.state();
                    Check.isTrue(
                            "state of a transfer that was begun: expected PENDING or DONE, got " + begun,
                            begun == Transfer.State.PENDING || begun == Transfer.State.DONE);
                    for (Duration negative : List.of(Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
                        Check.assertInvalid("a limit of " + negative, () -> one.await(negative), negative);
                    }
                    boolean done = one.await(limit);
                    Check.isTrue("await of " + limit + ": expected true, got false", done || limit.toSeconds() == 0);
                    if (done) {
                        Check.same("state after await(" + limit + ")", Transfer.State.DONE, one.state());
                    }
                    one.await();
                    Check.same("await of no time of a transfer that is done", true, one.await(Duration.ZERO));
                    Check.same("state of a transfer that was awaited", Transfer.State.DONE, one.state());
                }
                same("destination after await()", bytes, destination);
                Polls.untilDone(arena.beginWrite(Batches.bytes(0, bytes)));
            }
        });
    }

    /** Catches a read that says it is done before its bytes are there, and one that delivers them again later. */
    @Test
    default void required_6_2_doneReadsHaveDelivered() {
        each((arena, bytes) -> {
            long length = bytes.length;
            for (int round = 0; round < 12; round++) {
                MemorySegment destination = array(length);
                Transfer read = begin(arena, destination);
                String what = "destination of a read that is done, way " + round % 4;
                Duration limit = Duration.ofNanos(round);
                switch (round % 4) {
                    case 0 -> Polls.untilDone(read);
                    case 1 -> Polls.until(() -> read.await(limit));
                    case 2 -> get(read.toCompletableFuture());
                    default -> {
                        Executable await = () -> {
                            Check.same("result on one of several threads", length, read.await());
                            same(what + ", on one of several threads", bytes, destination);
                        };
                        Race.together(await, await, await);
                    }
                }
                same(what, bytes, destination);
                destination.fill((byte) 0x3C); // it is the caller's again
                Check.same("state", Transfer.State.DONE, read.state());
                Check.same("result", length, read.await());
                Check.same("await of no time", true, read.await(Duration.ZERO));
                Check.same("cancel of a read that is done", false, read.cancel());
                Check.same("result of its future", length, get(read.toCompletableFuture()));
                arena.flush();
                same("memory of a read that was done before,", TestData.filled(bytes.length, 0x3C), destination);
            }
        });
    }

    /** Catches a future that callers share, one that is never completed, and a lock that is held while actions run. */
    @Test
    default void required_6_3_futuresAreTheCallersOwn() {
        each((arena, bytes) -> {
            long length = bytes.length;
            Transfer read = begin(arena, array(length));
            read.toCompletableFuture().complete(7L);
            read.toCompletableFuture().cancel(true);
            read.toCompletableFuture().completeExceptionally(new IllegalStateException("of the caller"));
            Check.same("a future beside those that its caller ended", length, get(read.toCompletableFuture()));
            Check.same("result of a read whose futures were ended", length, read.await());
            int count = length > 1 << 20 ? 24 : 100;
            List<CompletableFuture<Long>> many = Stream.generate(
                            () -> begin(arena, array(length)).toCompletableFuture())
                    .limit(count)
                    .toList();
            for (int i = 0; i < count; i++) {
                Check.same("a future of " + count, length, get(many.get(i * 37 % count)));
            }
            MemorySegment destination = array(length);
            Transfer again = begin(arena, destination);
            CompletableFuture<Long> chain = again.toCompletableFuture()
                    .thenApply(done -> {
                        same("destination when an action runs,", bytes, destination);
                        Executable other = () -> { // is not kept out meanwhile
                            Check.same("await during an action", length, again.await());
                            Check.same("state during an action", Transfer.State.DONE, again.state());
                            arena.readBytes(0, array(length));
                        };
                        Race.together(other);
                        return done + begin(arena, array(length)).await();
                    })
                    .thenApply(sum -> sum + arena.readBatch(Batches.bytes(0, array(length))))
                    .thenCombine(begin(arena, array(length)).toCompletableFuture(), Long::sum);
            Check.same("sum of a chain of reads", 4 * length, get(chain));
            Transfer last = begin(arena, destination);
            CompletableFuture<Long> failing = last.toCompletableFuture().thenApply(done -> {
                throw new IllegalStateException("an action of the caller");
            });
            CompletableFuture<Long> closing = last.toCompletableFuture().thenApply(done -> {
                arena.close();
                return done;
            });
            Check.same("result of a future whose action closed the arena", length, get(closing));
            Check.same("isOpen after an action closed the arena", false, arena.isOpen());
            Check.assertRefused(CompletionException.class, "an action that throws", () -> get(failing));
            Check.same("result of the read whose actions threw and closed", length, last.await());
        });
    }

    /** Catches a device that finishes a read into memory which the caller uses for something else. */
    @Test
    default void stochastic_6_4_cancelledReadsLeaveTheirMemoryAlone() {
        int rounds = Math.max(8, Iterations.of(16));
        each((arena, bytes) -> {
            byte[] mark = TestData.filled(bytes.length, 0x3C);
            List<MemorySegment> kept = new ArrayList<>();
            try (Arena memory = Arena.ofShared()) {
                for (int round = 0; round < rounds; round++) {
                    MemorySegment destination = round % 2 == 0 ? memory.allocate(bytes.length, 1) : array(bytes.length);
                    Transfer read = arena.beginRead(Batches.elements(NODE_1, DType.U8, destination));
                    Optional<CompletableFuture<Long>> before =
                            round % 4 > 1 ? Optional.of(read.toCompletableFuture()) : Optional.empty();
                    if (read.cancel()) {
                        destination.fill((byte) 0x3C);
                        kept.add(destination);
                        checkCancelled(read, before.orElseGet(read::toCompletableFuture));
                        arena.flush();
                        Check.holds("arena after a cancel", arena, 0, bytes);
                        same("memory of a cancelled read", mark, destination);
                    } else {
                        Check.same("state of a read that had ended", Transfer.State.DONE, read.state());
                        same("memory of a read that had ended", bytes, destination);
                    }
                }
                Arena freed = Arena.ofShared();
                begin(arena, freed.allocate(bytes.length, 1)).cancel();
                freed.close();
                Check.holds("arena after a cancel and freed memory", arena, 0, bytes);
                kept.forEach(destination -> same("memory of a cancelled read some time later", mark, destination));
            }
            tried(rounds, kept.size());
        });
    }

    private static void checkCancelled(Transfer read, CompletableFuture<Long> future) {
        Class<CancellationException> how = CancellationException.class;
        Check.same("a second cancel", false, read.cancel());
        Check.same("state of a cancelled read", Transfer.State.CANCELLED, read.state());
        Check.assertRefused(how, "await of a cancelled read", read::await);
        Check.assertRefused(how, "timed await of a cancelled read", () -> read.await(Duration.ZERO));
        Check.assertRefused(how, "the future of a cancelled read", () -> get(future));
    }

    /** Catches a crash, an exception that says nothing, and a failure that spreads to other reads. */
    @Test
    default void stochastic_6_5_closedDestinationsFailTheirReadAlone() {
        int rounds = Iterations.of(4);
        each((arena, bytes) -> {
            long length = bytes.length;
            int met = 0;
            for (int round = 0; round < rounds; round++) {
                MemorySegment first = array(length);
                MemorySegment other = array(length);
                Arena memory = Arena.ofShared();
                MemorySegment second = memory.allocate(length, 1);
                Transfer read = arena.beginRead(
                        Batch.builder().bytes(0, first).bytes(0, second).build());
                Transfer next = begin(arena, other);
                memory.close();
                String what = "a read of " + length + " bytes into memory that was closed";
                try {
                    Check.same("result of " + what + " when the read had ended", 2 * length, read.await());
                    Check.same("its state", Transfer.State.DONE, read.state());
                    same("its other destination", bytes, first);
                } catch (IllegalStateException e) {
                    met++;
                    Check.isTrue(
                            what + ": expected a message, got " + e,
                            !String.valueOf(e.getMessage()).isBlank());
                    Check.same("state of " + what, Transfer.State.FAILED, read.state());
                    Check.assertClosed("a second await of " + what, read::await);
                    Check.assertClosed("await with a limit of " + what, () -> read.await(Duration.ZERO));
                }
                Check.same("cancel of " + what, false, read.cancel());
                Check.same("result of the read after it", length, next.await());
                same("destination of the read after it", bytes, other);
                Check.holds("arena after that", arena, 0, bytes);
            }
            tried(rounds, met);
        });
    }

    /** Catches waits that never end, and reads that land after the close. */
    @Test
    default void required_6_6_closeEndsPendingReads() {
        each((arena, bytes) -> {
            Map<Transfer, MemorySegment> reads = new LinkedHashMap<>();
            List<CompletableFuture<Long>> futures = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                MemorySegment destination = array(bytes.length);
                Transfer read = begin(arena, destination);
                reads.put(read, destination);
                if (i % 2 == 0) { // a future may make a device deliver at once
                    futures.add(read.toCompletableFuture());
                }
            }
            arena.close();
            reads.forEach((read, destination) -> {
                byte[] atOnce = destination.toArray(Batches.BYTE);
                if (read.state() == Transfer.State.DONE) {
                    Check.same("result of a read that was done at the close", (long) bytes.length, read.await());
                    same("its destination", bytes, destination);
                } else {
                    Check.same("state of a read after the close", Transfer.State.FAILED, read.state());
                    Check.assertClosed("await of a read that the close ended", read::await);
                }
                Polls.until(read.toCompletableFuture()::isDone);
                same("destination some time after the close", atOnce, destination);
            });
            futures.forEach(future -> Polls.until(future::isDone));
        });
    }

    /** Another thread may write the destination; the error comes before it does. */
    @Test
    default void required_6_7_deferredDestinationsMustBeShared() {
        try (DeviceArena arena = openExample();
                Arena confined = Arena.ofConfined()) {
            MemorySegment own = confined.allocate(32, 4);
            MemorySegment shared = array(32);
            Batch batch = Batch.builder()
                    .bytes(0, shared)
                    .floats(NODE_1, DType.F32, own)
                    .build();
            Check.assertInvalid("a deferred read into memory confined to the caller", () -> arena.beginRead(batch));
            Check.same("first destination of the refused read", 0, new byte[32], shared.toArray(Batches.BYTE));
            Check.same("second destination of the refused read", 0, new byte[32], own.toArray(Batches.BYTE));
            Check.same("result of a batch into memory confined to the caller", 40L, arena.readBatch(batch));
        }
    }
}
