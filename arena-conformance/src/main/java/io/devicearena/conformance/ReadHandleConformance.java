package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.Transfer;
import io.devicearena.conformance.data.LongArena;
import io.devicearena.conformance.data.LongData;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Group 6, third part: what the handles of deferred reads and writes promise.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface ReadHandleConformance extends ConformanceTopic {
    private static MemorySegment array(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    }

    private static Transfer begin(DeviceArena arena, MemorySegment destination) {
        return arena.beginRead(Batches.bytes(0, destination));
    }

    /** An arena of words, with no shadow. */
    private DeviceArena openOfWords(MemorySegment words) {
        DeviceArena arena = open(
                ExamplePlan.node1(words.byteSize()), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF));
        arena.writeBytes(0, words);
        return arena;
    }

    /** Around what devices copy at once, as far as the device has room. */
    private long[] lengths() {
        return new long[] {16, 300, 70_001, Math.min(2 << 20, device().limits().maxArenaBytes() / 2)};
    }

    /** Catches a read that says it is done before its bytes are there, and one that delivers them again later. */
    @Test
    default void required_6_23_doneReadsHaveDelivered() {
        for (long length : lengths()) {
            MemorySegment words = LongData.words(length).asSlice(0, length);
            try (DeviceArena arena = openOfWords(words)) {
                for (int round = 0; round < 12; round++) {
                    MemorySegment destination = array(length);
                    Transfer read = begin(arena, destination);
                    String what = "destination of " + length + " bytes of a read that is done, way " + round % 4;
                    switch (round % 4) {
                        case 0 -> ReadHandles.pollUntilDone(read);
                        case 1 -> {
                            Duration limit = Duration.ofNanos(round);
                            ReadHandles.poll(() -> read.await(limit));
                        }
                        case 2 -> {
                            CompletableFuture<Long> future = read.toCompletableFuture();
                            ReadHandles.poll(future::isDone);
                        }
                        default ->
                            Race.together(
                                    () -> awaitAndCompare(what, read, words, destination),
                                    () -> awaitAndCompare(what, read, words, destination),
                                    () -> awaitAndCompare(what, read, words, destination));
                    }
                    LongArena.same(what, 0, words, destination);
                    destination.fill((byte) 0x3C); // it is the caller's again
                    Check.same("state", Transfer.State.DONE, read.state());
                    Check.same("result", length, read.await());
                    Check.same("await of no time", true, read.await(Duration.ZERO));
                    Check.same("cancel", false, read.cancel());
                    Check.same(
                            "result of its future",
                            length,
                            read.toCompletableFuture().join());
                    arena.flush();
                    MemorySegment mark = array(length).fill((byte) 0x3C);
                    LongArena.same("memory of a read that was done before", 0, mark, destination);
                }
            }
        }
    }

    private static void awaitAndCompare(String what, Transfer read, MemorySegment words, MemorySegment destination) {
        Check.same("result on one of several threads", words.byteSize(), read.await());
        LongArena.same(what + ", on one of several threads", 0, words, destination);
    }

    /**
     * Catches a future that callers share, one that nothing completes, and actions that run while others must wait.
     *
     * @throws Exception if a future fails
     */
    @Test
    default void required_6_24_futuresAreTheCallersOwn() throws Exception {
        for (long length : lengths()) {
            MemorySegment words = LongData.words(length).asSlice(0, length);
            try (DeviceArena arena = openOfWords(words)) {
                Transfer read = begin(arena, array(length));
                CompletableFuture<Long> ended = read.toCompletableFuture();
                ended.complete(7L);
                read.toCompletableFuture().cancel(true);
                read.toCompletableFuture().completeExceptionally(new IllegalStateException("of the caller"));
                CompletableFuture<Long> own = read.toCompletableFuture();
                Check.same("a future beside those that its caller ended", length, own.get(1, TimeUnit.HOURS));
                Check.same("result of the read", length, read.await());
                Check.same(
                        "a future of a read that is done",
                        length,
                        read.toCompletableFuture().get(1, TimeUnit.HOURS));

                List<CompletableFuture<Long>> many = new ArrayList<>();
                int count = length > 1 << 20 ? 24 : 100;
                for (int i = 0; i < count; i++) {
                    many.add(begin(arena, array(length)).toCompletableFuture());
                }
                for (int i = 0; i < count; i++) {
                    int which = i * 37 % count;
                    long result = many.get(which).get(1, TimeUnit.HOURS);
                    Check.same("future " + which + " of " + count, length, result);
                }

                MemorySegment destination = array(length);
                Transfer again = begin(arena, destination);
                CompletableFuture<Boolean> action = again.toCompletableFuture().thenApply(done -> {
                    Race.together(
                            () -> { // others are not kept out while an action runs
                                Check.same("await during an action", length, again.await());
                                Check.same("state during an action", Transfer.State.DONE, again.state());
                                Check.same(
                                        "a read during an action",
                                        length,
                                        begin(arena, array(length)).await());
                                arena.readBytes(0, array(length));
                            });
                    return words.mismatch(destination) < 0;
                });
                Check.same("destination when an action runs", true, action.get(1, TimeUnit.HOURS));
            }
            DeviceArena closed = openOfWords(words);
            CompletableFuture<Long> pending = begin(closed, array(length)).toCompletableFuture();
            closed.close();
            try {
                Check.same("a future whose arena was closed", length, pending.get(1, TimeUnit.HOURS));
            } catch (ExecutionException e) {
                Check.assertClosed("a future whose arena was closed", () -> {
                    throw e.getCause();
                });
            }
        }
    }

    /** Catches a wait that an interrupt ends, and a flag that is lost where a call waits inside. */
    @Test
    default void required_6_25_interruptsEndNoWait() {
        for (long length : lengths()) {
            MemorySegment words = LongData.words(length).asSlice(0, length);
            Race.together(() -> {
                DeviceArena arena = openOfWords(words);
                Thread.currentThread().interrupt();
                HostMemory host = arena.allocateHost(length);
                interrupted("allocateHost");
                for (int round = 0; round < 6; round++) {
                    boolean timed = round % 2 == 0;
                    MemorySegment destination = array(length);
                    Transfer read = begin(arena, destination);
                    if (timed) {
                        Check.same("await with a limit", true, read.await(Duration.ofHours(1)));
                    } else {
                        Check.same("await", length, read.await());
                    }
                    interrupted("a wait for a read of " + length + " bytes");
                    Check.same("state after a wait", Transfer.State.DONE, read.state());
                    LongArena.same("destination of an interrupted wait", 0, words, destination);

                    host.segment().copyFrom(words);
                    Transfer write = arena.beginWrite(Batches.elements(NODE_1, DType.U8, host.segment()));
                    if (timed) {
                        Check.same("await of a write with a limit", true, write.await(Duration.ofHours(1)));
                    } else {
                        write.await();
                    }
                    Check.same("state of a write after an interrupted wait", Transfer.State.DONE, write.state());
                    host.segment().fill((byte) 0xEE);
                    interrupted("a wait for a write of " + length + " bytes");
                    destination.fill((byte) 0);
                    arena.readBytes(0, destination);
                    LongArena.same("arena after an interrupted wait", 0, words, destination);

                    Transfer cancelled = begin(arena, array(length));
                    boolean ended = cancelled.cancel();
                    interrupted("cancel");
                    if (ended) {
                        Check.assertRefused(CancellationException.class, "await after a cancel", cancelled::await);
                    }
                }
                begin(arena, array(length)); // pending at the close
                DeviceArena view = arena.view(arena.plan());
                host.close();
                arena.close();
                view.close();
                interrupted("close");
            });
        }
    }

    private static void interrupted(String what) {
        Check.isTrue(
                what + " on an interrupted thread: expected the interrupt flag to stay set, got it cleared",
                Thread.currentThread().isInterrupted());
    }
}
