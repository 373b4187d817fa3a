package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.Transfer;
import io.devicearena.conformance.data.LongArena;
import io.devicearena.conformance.data.LongData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * Group 6, continued: where and when deferred reads land.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface DeferredReadConformance extends ConformanceTopic {
    private DeviceArena openOfValue(long size) {
        return open(ExamplePlan.node1(size), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF));
    }

    /** Lengths in bytes that the device has room for, twice. */
    private long[] lengths(long... lengths) {
        long most = device().limits().maxArenaBytes() / 2;
        return Arrays.stream(lengths).filter(length -> length <= most).toArray();
    }

    private static Batch of(long offset, MemorySegment destination) {
        return Batches.bytes(offset, destination);
    }

    private static MemorySegment marked(long bytes) {
        return MemorySegment.ofArray(TestData.filled(Math.toIntExact(bytes), 0x3C));
    }

    /** Catches a read that fills its destination, whatever the length of the value is. */
    @Test
    default void required_6_15_deferredReadsEndWithTheirValue() {
        for (long slot : lengths(64, 70_000, (1 << 20) + 8)) {
            try (DeviceArena arena = openOfValue(slot);
                    Arena memory = Arena.ofShared()) {
                MemorySegment floats = memory.allocate(2 * slot + 64, 8);
                for (DType dtype : DType.values()) {
                    DType encoding = dtype.isHostFloat() ? dtype : DType.F32;
                    MemorySegment encoded = LongData.encoded(encoding, 4, Math.toIntExact(slot / encoding.bytes()))
                            .asSlice(0, slot);
                    arena.writeBytes(0, encoded);
                    for (long length : new long[] {slot, slot - 1, slot / 2 + 3, 9, 0}) {
                        MemorySegment value = encoded.asSlice(0, length / dtype.bytes() * dtype.bytes());
                        readsEnd(arena, dtype, slot, length, value, floats, true);
                        readsEnd(arena, dtype, slot, length, value, floats, false);
                    }
                    if (slot > 70_000 && !dtype.isHostFloat()) {
                        break;
                    }
                }
            }
        }
    }

    /** Reads a value with an actual length, as elements and as floats, into destinations that are longer. */
    private static void readsEnd(
            DeviceArena arena,
            DType dtype,
            long slot,
            long length,
            MemorySegment value,
            MemorySegment floats,
            boolean deferred) {
        long elements = value.byteSize() / dtype.bytes();
        String what = (deferred ? "deferred read of " : "batch of ") + elements + " elements of " + dtype.label();
        floats.fill((byte) 0x3C);
        MemorySegment raw = marked(slot + 64);
        Batch.Builder batch = Batch.builder().elements(NODE_1, dtype, raw);
        if (dtype.isHostFloat()) {
            batch.floats(NODE_1, dtype, floats);
        }
        arena.setActualLength(NODE_1, length);
        long count;
        if (deferred) {
            Transfer read = arena.beginRead(batch.build());
            arena.setActualLength(NODE_1, slot); // too late for this read
            count = read.await();
        } else {
            count = arena.readBatch(batch.build());
        }
        Check.same(what, dtype.isHostFloat() ? 2 * elements : elements, count);
        MemorySegment expected = marked(slot + 64);
        MemorySegment.copy(value, 0, expected, 0, value.byteSize());
        LongArena.same(what + ", as they are", 0, expected, raw);
        if (dtype.isHostFloat()) {
            MemorySegment marks = marked(2 * slot + 64);
            float[] host = LongData.floats(dtype, value);
            MemorySegment.copy(MemorySegment.ofArray(host), 0, marks, 0, elements * Float.BYTES);
            LongArena.same(what + ", as floats", 0, marks, floats);
        }
    }

    /** Catches copies in words, which leave out odd bytes or take those behind the destination too. */
    @Test
    default void required_6_16_deferredReadsFillMemoryOfEverySize() {
        int most = 300;
        MemorySegment bytes = LongData.words(4096).asSlice(0, 4096);
        try (DeviceArena arena = openOfValue(bytes.byteSize());
                Arena memory = Arena.ofShared()) {
            arena.writeBytes(0, bytes);
            MemorySegment direct = memory.allocate(most + 32, 8);
            MemorySegment heap = MemorySegment.ofArray(new byte[most + 32]);
            MemorySegment all = memory.allocate((most + 1L) * (most + 8), 8).fill((byte) 0x3C);
            MemorySegment expectedOfAll = marked(all.byteSize());
            Batch.Builder batch = Batch.builder();
            long end = 0;
            for (int size = 0; size <= most; size++) {
                for (MemorySegment whole : List.of(direct, heap)) {
                    whole.fill((byte) 0x3C);
                    long offset = size * 11L;
                    long from = 8L + size % 5;
                    Transfer read = arena.beginRead(of(offset, whole.asSlice(from, size)));
                    String what = size + " bytes of " + (whole.isNative() ? "native memory" : "an array");
                    Check.same("result of a deferred read into " + what, (long) size, read.await());
                    MemorySegment expected = marked(whole.byteSize());
                    MemorySegment.copy(bytes, offset, expected, from, size);
                    LongArena.same("memory around a deferred read into " + what, 0, expected, whole);
                }
                batch.bytes(size * 7L, all.asSlice(end, size));
                MemorySegment.copy(bytes, size * 7L, expectedOfAll, end, size);
                end += size + size % 4;
            }
            Check.same(
                    "result of 301 regions",
                    most * (most + 1L) / 2,
                    arena.beginRead(batch.build()).await());
            LongArena.same("destinations of 301 regions", 0, expectedOfAll, all);
        }
    }

    /** Every way to change a range after its read has begun. */
    private static Map<String, Consumer<MemorySegment>> changes(DeviceArena arena, DeviceArena view, long length) {
        Map<String, Consumer<MemorySegment>> changes = new LinkedHashMap<>();
        changes.put("writeBytes", bytes -> arena.writeBytes(length, bytes));
        changes.put("writeBytes with progress", bytes -> arena.writeBytes(length, bytes, written -> {}));
        changes.put("writeValueBytes", bytes -> arena.writeValueBytes(NODE_1, length, bytes));
        changes.put("writeBatch", bytes -> arena.writeBatch(Batches.bytes(length, bytes)));
        changes.put(
                "beginWrite",
                bytes -> arena.beginWrite(Batches.bytes(length, bytes)).await());
        changes.put("a write of a view", bytes -> view.writeBytes(length, bytes));
        if (length % Float.BYTES == 0) {
            changes.put("writeInputF32", bytes -> {
                arena.writeInputF32(NODE_1, DType.F32, bytes);
                arena.copyBytes(0, length, length);
            });
            changes.put("writeBatch of floats and elements", bytes -> {
                arena.writeBatch(Batch.builder()
                        .floats(NODE_1, DType.F32, bytes)
                        .elements(NODE_1, DType.U8, bytes)
                        .build());
                arena.copyBytes(0, length, length);
            });
        }
        changes.put("beginWrite of host memory", bytes -> {
            try (HostMemory host = arena.allocateHost(length)) {
                host.segment().copyFrom(bytes);
                arena.beginWrite(Batches.bytes(length, host.segment())).await();
            }
        });
        changes.put("fillBytes", bytes -> {
            arena.fillBytes(length, length, (byte) 0x99);
            bytes.fill((byte) 0x99);
        });
        return changes;
    }

    /** Catches a copy that is made late, or behind another write in the device's own order. */
    @Test
    default void required_6_17_noLaterWriteReachesADeferredRead() {
        for (long length : lengths(9, 300, 20_000, 65_537, (1 << 20) + 3, 4 << 20)) {
            try (DeviceArena arena = openOfValue(2 * length);
                    DeviceArena view = arena.view(arena.plan());
                    Arena memory = Arena.ofShared()) {
                MemorySegment old = marked(length);
                arena.writeBytes(length, old);
                MemorySegment direct = memory.allocate(length, 1);
                MemorySegment heap = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
                int[] round = new int[1];
                changes(arena, view, length).forEach((name, change) -> {
                    MemorySegment destination = round[0] % 2 == 0 ? direct : heap;
                    round[0]++;
                    MemorySegment bytes = LongData.words(2 * length + 64).asSlice(4L * round[0], length);
                    MemorySegment next = MemorySegment.ofArray(bytes.toArray(Batches.BYTE));
                    Transfer read = arena.beginRead(
                            round[0] % 3 == 1 ? inPieces(length, destination) : of(length, destination));
                    change.accept(next);
                    Check.same("result of a read begun before " + name, length, read.await());
                    LongArena.same(length + " bytes of a read begun before " + name, length, old, destination);
                    old.copyFrom(next);
                });
                manyPending(arena, length);
            }
        }
    }

    /** The range in 20 regions. */
    private static Batch inPieces(long offset, MemorySegment destination) {
        Batch.Builder batch = Batch.builder();
        long length = destination.byteSize();
        for (int piece = 0; piece < 20; piece++) {
            long from = length * piece / 20;
            batch.bytes(offset + from, destination.asSlice(from, length * (piece + 1) / 20 - from));
        }
        return batch.build();
    }

    /** Several reads of one range, with a write between any two; they are awaited in another order. */
    private static void manyPending(DeviceArena arena, long length) {
        List<Transfer> reads = new ArrayList<>();
        List<MemorySegment> destinations = new ArrayList<>();
        int count = length > 1 << 20 ? 3 : 7;
        MemorySegment words = LongData.words(2 * length + 64);
        for (int i = 0; i < count; i++) {
            arena.writeBytes(0, words.asSlice(4L * i, length));
            destinations.add(MemorySegment.ofArray(new byte[Math.toIntExact(length)]));
            reads.add(arena.beginRead(of(0, destinations.getLast())));
        }
        MemorySegment now = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
        for (int i = 0; i < count; i++) {
            int one = (i * 2 + 1) % count;
            arena.readBytes(0, now);
            Check.same("result of read " + one, length, reads.get(one).await());
            LongArena.same(
                    length + " bytes of read " + one + " of " + count,
                    0,
                    words.asSlice(4L * one, length),
                    destinations.get(one));
            LongArena.same("a read between awaits", 0, words.asSlice(4L * (count - 1), length), now);
        }
    }

    /** Catches a device that finishes a read into memory which the caller uses for something else. */
    @Test
    default void stochastic_6_18_cancelledReadsLeaveTheirMemoryAlone() {
        for (long length : lengths(1, 300, 65_537, 1 << 20, 8 << 20)) {
            List<MemorySegment> cancelled = new ArrayList<>();
            try (DeviceArena arena = openOfValue(2 * length);
                    Arena memory = Arena.ofShared()) {
                MemorySegment bytes = LongData.words(length).asSlice(0, length);
                arena.writeBytes(0, bytes);
                MemorySegment direct = memory.allocate(length, 1);
                MemorySegment heap = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
                MemorySegment mark = marked(length);
                for (int round = 0; round < 8; round++) {
                    MemorySegment destination = round % 2 == 0 ? direct : heap;
                    if (round > 3) { // looked at again when the arena is closed
                        destination = heapOf(length);
                        cancelled.add(destination);
                    }
                    Transfer read = arena.beginRead(Batches.elements(NODE_1, DType.I8, destination));
                    CompletableFuture<Long> future = round > 1 ? read.toCompletableFuture() : new CompletableFuture<>();
                    String what = "a cancelled read of " + length + " bytes";
                    if (read.cancel()) {
                        destination.fill((byte) 0x3C);
                        Check.same("a second cancel", false, read.cancel());
                        if (round > 1) {
                            Check.assertRefused(
                                    CancellationException.class,
                                    "the future of a cancelled read",
                                    () -> future.get(1, TimeUnit.MINUTES));
                        }
                        arena.flush();
                        LongArena.same("arena after " + what, 0, bytes, read(arena, length));
                        Check.same(
                                "a read after it",
                                length,
                                arena.beginRead(of(0, heapOf(length))).await());
                        Check.assertRefused(CancellationException.class, "await of a cancelled read", read::await);
                        Check.same("its state", Transfer.State.CANCELLED, read.state());
                        LongArena.same("memory of " + what, 0, mark, destination);
                    } else {
                        LongArena.same("memory of a read that had ended", 0, bytes, destination);
                    }
                }
                cancelled.removeIf(destination -> bytes.mismatch(destination) < 0); // of reads that had ended
                Arena freed = Arena.ofShared();
                Transfer last = arena.beginRead(of(length, freed.allocate(length, 1)));
                last.cancel();
                freed.close();
                Check.holds("arena after a cancel and freed memory", arena, 0, bytes.toArray(Batches.BYTE));
            }
            for (MemorySegment destination : cancelled) {
                LongArena.same("memory of a cancelled read some time later", 0, marked(length), destination);
            }
        }
    }

    private static MemorySegment heapOf(long length) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
    }

    /** Catches a crash, an exception that says nothing, and a failure that spreads to other reads. */
    @Test
    default void stochastic_6_19_closedDestinationsFailTheirReadAlone() {
        for (long length : lengths(5, 300, 65_537, 2 << 20)) {
            try (DeviceArena arena = openOfValue(length)) {
                MemorySegment bytes = LongData.words(length).asSlice(0, length);
                arena.writeBytes(0, bytes);
                for (int round = 0; round < 4; round++) {
                    MemorySegment first = heapOf(length);
                    MemorySegment other = heapOf(length);
                    Arena memory = Arena.ofShared();
                    Transfer read = arena.beginRead(Batch.builder()
                            .bytes(0, first)
                            .bytes(0, memory.allocate(length, 1))
                            .build());
                    Transfer next = arena.beginRead(of(0, other));
                    memory.close();
                    String what = "a read of " + length + " bytes into memory that was closed";
                    try {
                        long count = round % 2 == 0
                                ? read.await()
                                : read.toCompletableFuture().get(1, TimeUnit.MINUTES);
                        Check.same("result of " + what + " when the read had ended", 2 * length, count);
                        Check.same("its state", Transfer.State.DONE, read.state());
                        LongArena.same("its other destination", 0, bytes, first);
                    } catch (IllegalStateException e) {
                        closed(what, read, e);
                    } catch (ExecutionException e) {
                        closed(what, read, Check.assertRefused(IllegalStateException.class, what, () -> {
                            throw e.getCause();
                        }));
                    } catch (Exception e) {
                        throw new AssertionError(what + ": expected IllegalStateException, got " + e, e);
                    }
                    Check.same("cancel of " + what, false, read.cancel());
                    Check.same("result of the read after it", length, next.await());
                    LongArena.same("the read after " + what, 0, bytes, other);
                    LongArena.same("a later read", 0, bytes, read(arena, length));
                }
            }
        }
    }

    private static MemorySegment read(DeviceArena arena, long length) {
        MemorySegment bytes = heapOf(length);
        arena.readBytes(0, bytes);
        return bytes;
    }

    private static void closed(String what, Transfer read, IllegalStateException thrown) {
        Check.isTrue(
                what + ": expected a message, got " + thrown,
                thrown.getMessage() != null && !thrown.getMessage().isBlank());
        Check.same("state of " + what, Transfer.State.FAILED, read.state());
        Check.assertClosed("a second await of " + what, read::await);
        Check.assertClosed("await with a limit of " + what, () -> read.await(Duration.ZERO));
    }

    /**
     * Catches a lock that is held while the actions of a future run.
     *
     * @throws Exception if a future fails
     */
    @Test
    default void required_6_20_actionsOfAFutureMayReadAgain() throws Exception {
        for (long length : lengths(16, 70_001, 1 << 20)) {
            MemorySegment bytes = LongData.words(length).asSlice(0, length);
            List<MemorySegment> read = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                read.add(heapOf(length));
            }
            try (DeviceArena arena = openOfValue(length)) {
                arena.writeBytes(0, bytes);
                CompletableFuture<Long> chain = arena.beginRead(of(0, read.get(0)))
                        .toCompletableFuture()
                        .thenApply(count ->
                                count + arena.beginRead(of(0, read.get(1))).await())
                        .thenApply(count -> {
                            arena.readBytes(0, read.get(2));
                            return count + arena.readBatch(of(0, read.get(3)));
                        })
                        .thenCompose(count -> arena.beginRead(of(0, read.get(4)))
                                .toCompletableFuture()
                                .thenCombine(
                                        arena.beginRead(of(0, read.get(5))).toCompletableFuture(),
                                        (one, two) -> count + one + two));
                Check.same("sum of a chain of reads", 5 * length, chain.get(1, TimeUnit.MINUTES));
                for (MemorySegment destination : read) {
                    LongArena.same("destination of a chain of reads", 0, bytes, destination);
                }
                Transfer last = arena.beginRead(of(0, read.get(0)));
                CompletableFuture<Long> failing = last.toCompletableFuture().thenApply(count -> {
                    throw new IllegalStateException("an action of the caller");
                });
                CompletableFuture<Boolean> closing =
                        last.toCompletableFuture().thenRun(arena::close).thenApply(done -> arena.isOpen());
                Check.same("isOpen after an action closed the arena", false, closing.get(1, TimeUnit.MINUTES));
                Check.assertRefused(
                        ExecutionException.class, "an action that throws", () -> failing.get(1, TimeUnit.MINUTES));
                Check.same("result of the read whose actions threw and closed", length, last.await());
            }
        }
    }

    /** Catches limits that overflow to the past when they are added to a clock, or counted in nanoseconds. */
    @Test
    default void required_6_21_limitsOfAnyLengthAreHeld() {
        List<Duration> limits = List.of(
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofMillis(Long.MAX_VALUE),
                Duration.ofNanos(Long.MAX_VALUE),
                Duration.ofNanos(Long.MAX_VALUE - 1).plusNanos(2),
                Duration.ofNanos(Long.MAX_VALUE / 2),
                Duration.ofNanos(1),
                Duration.ZERO);
        for (long length : lengths(16, 2 << 20)) {
            try (DeviceArena arena = openOfValue(length)) {
                MemorySegment bytes = LongData.words(length).asSlice(0, length);
                for (Duration limit : limits) {
                    Transfer write = arena.beginWrite(Batches.bytes(0, bytes));
                    MemorySegment destination = heapOf(length);
                    Transfer read = arena.beginRead(of(0, destination));
                    for (Duration negative : List.of(Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE))) {
                        Check.assertInvalid("a limit of " + negative, () -> read.await(negative));
                        Check.assertInvalid("a limit of " + negative + " of a write", () -> write.await(negative));
                    }
                    boolean done = read.await(limit);
                    boolean isShort = limit.compareTo(Duration.ofSeconds(1)) < 0;
                    Check.isTrue("await of " + limit + ": expected true, got false", done || isShort);
                    if (done) {
                        Check.same("state after await(" + limit + ")", Transfer.State.DONE, read.state());
                        LongArena.same("destination after await(" + limit + ")", 0, bytes, destination);
                    }
                    Check.same("result after await(" + limit + ")", length, read.await());
                    LongArena.same("destination after await()", 0, bytes, destination);
                    Check.isTrue(
                            "await of a write for " + limit + ": expected true, got false",
                            write.await(limit) || isShort);
                    write.await();
                    Check.same("await of no time of a write that is done", true, write.await(Duration.ZERO));
                }
            }
        }
    }
}
