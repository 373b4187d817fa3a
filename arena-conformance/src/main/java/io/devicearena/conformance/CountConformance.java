package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DeviceArena;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Many things of one kind at once, of groups 5, 6, 18, 19 and 21, used in a mixed order. Each catches a table, a pool
 * or a ring of a fixed length, whose ninth, seventeenth or forty-first user gets another one's memory.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface CountConformance extends ConformanceTopic {
    /** More than a usual table has, and no multiple of its length. */
    private static int many() {
        return 83;
    }

    /** The i-th of all, in a mixed order: a number that no i else has. */
    private static int mixed(int i) {
        return i * 31 % many();
    }

    /** Lengths in bytes, two of three long enough for staging of their own. */
    private static int length(int i) {
        return switch (i % 6) {
            case 0 -> 1 + i;
            case 1 -> 4096 + i;
            case 2 -> 66_001 + i;
            case 3 -> 333;
            case 4 -> 20_000 - i;
            default -> 130_000 + i;
        };
    }

    /** Catches staging that more views share than it has places. */
    @Test
    default void required_5_19_tensOfMappedViewsAreOpenAtOnce() {
        byte[] first = TestData.bytes(5_191, 200_000);
        byte[] second = TestData.bytes(5_192, 200_000);
        try (DeviceArena one = open(ExamplePlan.bytes(first.length));
                DeviceArena other = open(ExamplePlan.bytes(second.length))) {
            one.writeBytes(0, MemorySegment.ofArray(first));
            other.writeBytes(0, MemorySegment.ofArray(second));
            nest(0, one, first, other, second);
            Check.holds("arena after nested views", one, 0, first);
        }
    }

    /** Opens a view, and the others within it. */
    private static void nest(int depth, DeviceArena one, byte[] ofOne, DeviceArena other, byte[] ofOther) {
        if (depth == many()) {
            return;
        }
        boolean isOne = depth % 7 != 3;
        int length = length(depth);
        int from = depth * 701 % (ofOne.length - length);
        byte[] expected = Arrays.copyOfRange(isOne ? ofOne : ofOther, from, from + length);
        String what = "view " + depth + " within others";
        (isOne ? one : other).withBytes(from, length, view -> {
            Check.same(what, from, expected, view.toArray(Batches.BYTE));
            nest(depth + 1, one, ofOne, other, ofOther);
            Check.same(what + ", after those within it", from, expected, view.toArray(Batches.BYTE));
            return "";
        });
    }

    /** Catches staging that is used again while a read is in flight. */
    @Test
    default void required_6_22_tensOfDeferredReadsAreInFlight() {
        int size = 131_000;
        int rounds = 2;
        try (DeviceArena arena = open(ExamplePlan.node1(size))) {
            List<Transfer> reads = new ArrayList<>();
            List<byte[]> expected = new ArrayList<>();
            List<byte[]> destinations = new ArrayList<>();
            for (int i = 0; i < rounds * many(); i++) {
                int length = length(i % many());
                int from = (size - length) / 2;
                byte[] bytes = TestData.bytes(6_220L + i, length);
                arena.writeBytes(from, MemorySegment.ofArray(bytes));
                byte[] destination = new byte[length];
                reads.add(arena.beginRead(Batches.bytes(from, destination)));
                expected.add(bytes);
                destinations.add(destination);
            }
            for (int i = 0; i < reads.size(); i++) {
                int which = mixed(i % many()) + i / many() * many();
                Transfer read = reads.get(which);
                String what = "read " + which + " of " + reads.size();
                switch (i % 5) {
                    case 0 -> Check.same("await of " + what, true, read.await(Duration.ofMinutes(1)));
                    case 1 ->
                        Check.same(
                                "future of " + what,
                                (long) destinations.get(which).length,
                                read.toCompletableFuture().join());
                    case 2 -> ReadHandles.pollUntilDone(read);
                    default -> {} // awaited below alone
                }
                Check.same("result of " + what, (long) destinations.get(which).length, read.await());
                Check.same(what, 0, expected.get(which), destinations.get(which));
            }
            for (int i = 0; i < reads.size(); i++) {
                Check.same("read " + i + " after all others", 0, expected.get(i), destinations.get(i));
            }
        }
    }

    /** Catches groups of regions of which the last is left out when it is full, and regions that are sorted. */
    @Test
    default void required_18_12_batchesOfEveryNumberOfRegionsAreWrittenAndRead() {
        List<Integer> counts = new ArrayList<>(List.of(1, 2, 3, 8, 9, 100, 15, 17, 31, 33, 63, 65));
        for (int power = 16; power <= 4096; power *= 2) {
            counts.add(power);
        }
        byte[] model = TestData.bytes(1_811, 40_000);
        try (DeviceArena arena = open(ExamplePlan.bytes(model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            int turn = 0;
            for (int count : counts) {
                for (boolean deferred : new boolean[] {false, true}) {
                    byte[] data = TestData.bytes(1_812L + count, 9 * count);
                    Batch.Builder writes = Batch.builder();
                    int step = turn++ % 2 == 0 ? 9 : 3; // neighbours with a gap; each overlaps the next
                    for (int i = 0; i < count; i++) {
                        int length = 1 + i % 8;
                        int at = step * (i * 7919 % count); // in no order: a later region overwrites an earlier one
                        writes.bytes(at, MemorySegment.ofArray(data).asSlice(9L * i, length));
                        System.arraycopy(data, 9 * i, model, at, length);
                    }
                    if (deferred) {
                        arena.beginWrite(writes.build());
                    } else {
                        arena.writeBatch(writes.build());
                    }
                    String what = count + " regions" + (deferred ? ", deferred" : "");
                    Check.holds("arena after a batch of " + what, arena, 0, model);
                    byte[] read = TestData.filled(9 * count, 0x3C);
                    byte[] expected = read.clone();
                    Batch.Builder reads = Batch.builder();
                    long sum = 0;
                    for (int i = 0; i < count; i++) {
                        int length = 1 + i % 8;
                        int at = i * 7919 % (model.length - 8);
                        reads.bytes(at, MemorySegment.ofArray(read).asSlice(9L * i, length));
                        System.arraycopy(model, at, expected, 9 * i, length);
                        sum += length;
                    }
                    Check.same(
                            "result of a read of " + what,
                            sum,
                            deferred ? arena.beginRead(reads.build()).await() : arena.readBatch(reads.build()));
                    Check.same("destinations of a read of " + what, 0, expected, read);
                }
            }
        }
    }

    /** Catches a batch that is prepared when it is built or written first, with what another one needs. */
    @Test
    default void required_18_13_tensOfBatchesAreHeldAtOnce() {
        int room = 400;
        byte[] model = new byte[many() * room];
        List<byte[]> sources = new ArrayList<>();
        List<Batch> batches = new ArrayList<>();
        for (int i = 0; i < many(); i++) {
            byte[] source = new byte[1 + i * 4];
            Batch.Builder batch = Batch.builder();
            int regions = 1 + i % 9;
            for (int region = 0; region < regions; region++) {
                int from = source.length * region / regions;
                int to = source.length * (region + 1) / regions;
                batch.bytes(
                        (long) i * room + from, MemorySegment.ofArray(source).asSlice(from, (long) to - from));
            }
            sources.add(source);
            batches.add(batch.build());
        }
        try (DeviceArena arena = open(ExamplePlan.bytes(model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (int round = 0; round < 3; round++) {
                List<Transfer> pending = new ArrayList<>();
                for (int i = 0; i < many(); i++) {
                    int which = mixed(i);
                    byte[] source = sources.get(which);
                    System.arraycopy(
                            TestData.bytes(1_813L + which * 3L + round, source.length), 0, source, 0, source.length);
                    System.arraycopy(source, 0, model, which * room, source.length);
                    if ((i + round) % 2 == 0) {
                        arena.writeBatch(batches.get(which));
                    } else {
                        pending.add(arena.beginWrite(batches.get(which)));
                    }
                }
                Check.holds("arena after " + many() + " batches, round " + round, arena, 0, model);
                pending.forEach(Transfer::await);
            }
        }
    }

    /** Catches lengths and uses of memory that are kept in a table of a fixed length. */
    @Test
    default void required_19_21_tensOfViewsAreOpenAtOnce() {
        int room = 64;
        MemoryPlan plan = new MemoryPlan(
                (long) many() * room,
                Map.of(NODE_1, new BufferSlot(0, room), NODE_2, new BufferSlot(room, room)),
                List.of(NODE_1, NODE_2));
        byte[] model = TestData.bytes(1_921, many() * room);
        List<DeviceArena> views = new ArrayList<>();
        DeviceArena arena = open(plan);
        try {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (int i = 0; i < many(); i++) {
                views.add((i % 3 == 2 ? views.get(i / 2) : arena).view(plan));
                views.get(i).setActualLength(NODE_1, i % room);
            }
            for (int i = 0; i < many(); i++) {
                DeviceArena view = views.get(mixed(i));
                byte[] bytes = TestData.bytes(1_922L + i, room);
                view.writeBytes((long) i * room, MemorySegment.ofArray(bytes));
                System.arraycopy(bytes, 0, model, i * room, room);
                Check.same("length in view " + mixed(i), mixed(i) % room, (int) view.lengthBytes(NODE_1));
                Check.same("other length in view " + mixed(i), (long) room, view.lengthBytes(NODE_2));
            }
            for (int i = 0; i < many(); i++) {
                int which = mixed(i);
                if (i == many() / 2) {
                    arena.close(); // the views have its memory
                }
                DeviceArena view = views.get(which);
                Check.holds("view " + which + " after " + i + " others were closed", view, 0, model);
                Check.same("its length", which % room, (int) view.lengthBytes(NODE_1));
                view.close();
            }
        } finally {
            views.forEach(DeviceArena::close);
            arena.close();
        }
    }

    /** Catches host memory that two share, or that is closed with another one. */
    @Test
    default void required_21_12_tensOfHostMemoriesAreOpenAtOnce() {
        byte[] model = TestData.bytes(2_112, 131_000);
        List<HostMemory> hosts = new ArrayList<>();
        try (DeviceArena arena = open(ExamplePlan.bytes(model.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (int i = 0; i < many(); i++) {
                hosts.add(arena.allocateHost(length(i)));
                MemorySegment segment = hosts.get(i).segment();
                Check.same("new host memory " + i, 0, new byte[length(i)], segment.toArray(Batches.BYTE));
                segment.copyFrom(MemorySegment.ofArray(ofHost(i)));
            }
            for (int i = 0; i < many(); i++) {
                int which = mixed(i);
                HostMemory host = hosts.get(which);
                Check.same(
                        "host memory " + which, 0, ofHost(which), host.segment().toArray(Batches.BYTE));
                arena.writeBytes(i, host.segment());
                System.arraycopy(ofHost(which), 0, model, i, length(which));
            }
            Check.holds("arena after writes from " + many() + " host memories", arena, 0, model);
            for (int i = 0; i < many(); i += 3) {
                hosts.get(mixed(i)).close();
            }
            for (int i = 0; i < many(); i++) {
                HostMemory host = hosts.get(mixed(i));
                Check.same("isOpen of host memory " + mixed(i), i % 3 != 0, host.isOpen());
                if (host.isOpen()) {
                    byte[] bytes = host.segment().toArray(Batches.BYTE);
                    Check.same("host memory after others were closed", 0, ofHost(mixed(i)), bytes);
                    arena.readBytes(0, host.segment());
                    bytes = host.segment().toArray(Batches.BYTE);
                    Check.same("host memory after a read into it", 0, Arrays.copyOf(model, bytes.length), bytes);
                }
            }
        }
    }

    private static byte[] ofHost(int i) {
        return TestData.bytes(2_113L + i, length(i));
    }

    /** Catches a write that ends with another one, and sources that are read late when many writes are under way. */
    @Test
    default void required_21_13_tensOfDeferredWritesAreInFlight() {
        byte[] model = new byte[150_000];
        try (DeviceArena arena = open(ExamplePlan.bytes(model.length), ArenaOptions.defaults());
                HostMemory host = arena.allocateHost((long) many() * 2000)) {
            List<Transfer> pending = new ArrayList<>();
            for (int i = 0; i < many(); i++) {
                boolean pinned = i % 2 == 0;
                int length = pinned ? 2000 - i : length(i);
                byte[] bytes = TestData.bytes(2_113L + i, length);
                MemorySegment source =
                        pinned ? host.segment().asSlice(2000L * i, length) : MemorySegment.ofArray(new byte[length]);
                source.copyFrom(MemorySegment.ofArray(bytes));
                int at = i * 4801 % (model.length - length);
                pending.add(arena.beginWrite(Batches.bytes(at, source)));
                if (!pinned) {
                    source.fill((byte) 0xEE); // memory of the caller is free at once
                }
                System.arraycopy(bytes, 0, model, at, length);
            }
            Collections.swap(pending, 0, 1);
            for (int i = 0; i < many(); i++) {
                Transfer write = pending.get(mixed(i));
                switch (i % 3) {
                    case 0 -> write.await();
                    case 1 -> Check.same("await of a write", true, write.await(Duration.ofMinutes(1)));
                    default -> ReadHandles.pollUntilDone(write);
                }
                Check.same("state of write " + mixed(i), Transfer.State.DONE, write.state());
            }
            host.segment().fill((byte) 0xEE);
            Check.holds("arena after " + many() + " deferred writes", arena, 0, model);
        }
    }
}
