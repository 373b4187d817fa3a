package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.Polls;
import io.devicearena.conformance.calls.Segments;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Group 4: raw bytes, and mapped views.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface RawRangeConformance extends ConformanceTopic {
    /** Catches neighbours overwritten, last bytes out of reach, and an empty copy that is refused. */
    @Test
    default void required_4_1_rangesOfAnyOffsetAndLengthAreExact() {
        byte[] pattern = TestData.bytes(520, 64);
        byte[] data = TestData.bytes(521, 17);
        try (DeviceArena arena = open(ExamplePlan.bytes(pattern.length))) {
            for (int offset = 0; offset <= 17; offset++) {
                for (int length = 0; length <= 17; length++) {
                    arena.writeBytes(0, MemorySegment.ofArray(pattern));
                    byte[] destination = TestData.filled(32, 0x3C);
                    byte[] read = destination.clone();
                    System.arraycopy(pattern, offset, read, 7, length);
                    arena.readBytes(offset, MemorySegment.ofArray(destination).asSlice(7, length));
                    Check.same("destination of " + length + " bytes from " + offset, 0, read, destination);
                    arena.writeBytes(offset, MemorySegment.ofArray(data).asSlice(0, length));
                    byte[] expected = pattern.clone();
                    System.arraycopy(data, 0, expected, offset, length);
                    Check.holds("arena after " + length + " bytes at " + offset, arena, 0, expected);
                }
            }
            for (long offset = 0; offset <= arena.sizeBytes(); offset++) {
                for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.RANGE)) {
                    if (!call.name().startsWith("copyBytes")) {
                        call.on(arena, ArenaCall.With.memory(DType.U8, offset, Segments.of()));
                    }
                }
                arena.copyBytes(offset, offset, 0);
            }
        }
    }

    /** Catches checks that add offset and length and overflow. */
    @Test
    default void required_4_2_rangesOutsideTheArenaAreRefused() {
        try (DeviceArena arena = openExample()) {
            long size = arena.sizeBytes();
            long[][] ranges = {
                {-1, 0},
                {-1, 1},
                {size, 1},
                {1, size},
                {size + 1, 0},
                {0, -4},
                {size, -1},
                {Long.MAX_VALUE, 0},
                {Long.MAX_VALUE, 1},
                {Long.MIN_VALUE, 1},
                {4, Long.MAX_VALUE - 3}
            };
            byte[] memory = TestData.filled(128, 0x3C);
            for (long[] range : ranges) {
                boolean fits = range[1] >= 0 && range[1] <= memory.length;
                MemorySegment part = MemorySegment.ofArray(memory).asSlice(0, fits ? range[1] : 0);
                ArenaCall.With with = new ArenaCall.With(NODE_1, DType.U8, range[0], range[1], part);
                for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.RANGE)) {
                    if (fits || !call.passesMemory()) {
                        Check.assertInvalid(call.with(with) + ", of " + size, () -> call.on(arena, with));
                    }
                }
                int[] called = {0};
                Check.assertRefused(IllegalArgumentException.class, "a range with progress", () -> {
                    arena.withBytes(range[0], range[1], view -> called[0]++);
                });
                if (fits) {
                    Check.assertRefused(IllegalArgumentException.class, "a range with progress", () -> {
                        arena.writeBytes(range[0], part, done -> called[0]++);
                    });
                }
                Check.same("readers and progress of refused ranges that were called", 0, called[0]);
            }
            Check.same("memory of refused ranges", 0, TestData.filled(128, 0x3C), memory);
            Check.holds("arena after ranges that were refused", arena, 0, ExamplePlan.filled());
        }
    }

    /** Catches fills of whole words, and a copy that reads what it wrote. */
    @Test
    default void required_4_3_fillsAndCopiesAreOfTheBytesBefore() {
        int size = Math.toIntExact(Math.min((1 << 18) + 13, device().limits().maxArenaBytes()));
        byte[] model = TestData.bytes(43, size);
        int[][] ranges = {
            {0, 1, 0}, {3, 6, 4}, {8, 0, 99}, {1, 2, size - 2}, {3, 0, size - 3}, {5, 5, 99}, {0, 4097, 65_537}
        };
        try (DeviceArena arena = open(ExamplePlan.bytes(size))) {
            arena.writeBytes(0, MemorySegment.ofArray(model));
            for (int[] range : ranges) {
                int length = Math.min(range[2], size - range[1]);
                arena.copyBytes(range[0], range[1], length);
                System.arraycopy(model, range[0], model, range[1], length);
                Check.holds("arena after a copy from " + range[0] + " to " + range[1], arena, 0, model);
                int part = length % 61;
                arena.fillBytes(range[1], part, (byte) -length);
                Arrays.fill(model, range[1], range[1] + part, (byte) -length);
                Check.holds("arena after a fill of " + part + " bytes at " + range[1], arena, 0, model);
            }
        }
    }

    /** Feeds a progress bar and cancels an upload; catches figures of chunks, and ones that come before the bytes. */
    @Test
    default void required_4_4_progressAscendsToTheLength() {
        int length = Math.toIntExact(Math.min(40L << 20, device().limits().maxArenaBytes()));
        try (DeviceArena arena = open(ExamplePlan.bytes(length));
                Arena memory = Arena.ofConfined()) {
            MemorySegment source = memory.allocate(length);
            for (int bytes : new int[] {0, 1, 3, 4097, length}) {
                source.fill((byte) bytes);
                Thread caller = Thread.currentThread();
                long[] before = {0};
                arena.writeBytes(length - bytes, source.asSlice(0, bytes), done -> {
                    Check.same("thread that progress is called on", caller, Thread.currentThread());
                    Check.isTrue(
                            "progress of " + bytes + " bytes: expected more than " + before[0] + ", got " + done,
                            done > before[0]);
                    before[0] = done;
                });
                Check.same("the last progress of " + bytes + " bytes", (long) bytes, before[0]);
                int shown = Math.min(bytes, 5000);
                Check.holds("the last bytes", arena, length - shown, TestData.filled(shown, bytes));
            }
        }
        try (DeviceArena arena = openExample()) {
            IllegalStateException stop = new IllegalStateException("the caller has had enough");
            int[] reported = new int[1];
            Check.same(
                    "what a write throws whose progress throws",
                    stop,
                    Check.assertRefused(
                            IllegalStateException.class,
                            "a write whose progress throws",
                            () -> arena.writeBytes(5, MemorySegment.ofArray(TestData.filled(50, 0x77)), done -> {
                                reported[0] = Math.toIntExact(done);
                                throw stop;
                            })));
            Check.holds(
                    "the " + reported[0] + " bytes that were reported", arena, 5, TestData.filled(reported[0], 0x77));
            Check.holds("bytes after the range", arena, 55, TestData.filled(38, 0x55));
        }
    }

    /** Catches a view of earlier bytes, and device memory that a reader can write to. */
    @Test
    default void required_4_5_mappedViewShowsTheArenasBytes() {
        try (DeviceArena arena = open(ExamplePlan.bytes(9001))) {
            for (int round = 0; round < 8; round++) {
                byte[] bytes = TestData.bytes(511L + round, 9001);
                arena.writeBytes(0, MemorySegment.ofArray(bytes));
                for (int[] range :
                        new int[][] {{0, 9001}, {0, 4}, {7, 1}, {13, 300}, {4096, 4096}, {9000, 1}, {9, 0}}) {
                    byte[] viewed = arena.withBytes(range[0], range[1], view -> {
                        Check.same("whether a mapped view is read-only", true, view.isReadOnly());
                        return view.toArray(Batches.BYTE);
                    });
                    byte[] expected = Arrays.copyOfRange(bytes, range[0], range[0] + range[1]);
                    Check.same("mapped view, round " + round, range[0], expected, viewed);
                }
            }
        }
        try (DeviceArena arena = openExample()) {
            for (int length : new int[] {0, 1, 93}) {
                boolean readOnly = arena.withBytes(93L - length, length, MemorySegment::isReadOnly);
                Check.isTrue(
                        "a mapped view of " + length + " bytes: expected read-only memory, got writable", readOnly);
            }
        }
    }

    /** Catches a kept segment that reads freed or mapped memory, and staging that is lost when a reader throws. */
    @Test
    default void required_4_6_mappedViewEndsWithItsReader() {
        int size = Math.toIntExact(Math.min(3 << 20, device().limits().maxArenaBytes()));
        List<MemorySegment> kept = new ArrayList<>();
        try (DeviceArena arena = open(ExamplePlan.bytes(size))) {
            for (int length : new int[] {1, 9, 256, 5000, 70_001, size}) {
                if (length <= size) {
                    kept.add(arena.withBytes(size - length, length, view -> view));
                }
            }
            IllegalStateException thrown = new IllegalStateException("of the reader");
            for (int i = 0; i < 300; i++) {
                int length = i % 100 == 0 ? size : 1 + i * 31 % Math.min(size, 5000);
                IllegalStateException got = Check.assertRefused(
                        IllegalStateException.class,
                        "withBytes with a reader that throws",
                        () -> arena.withBytes(size - length, length, view -> {
                            kept.add(view);
                            throw thrown;
                        }));
                Check.same("what withBytes throws when reader " + i + " throws", thrown, got);
            }
            Race.together(() -> kept.add(arena.withBytes(0, 1, view -> view)));
            kept.forEach(view -> checkEnded(arena, view));
            byte[] bytes = TestData.bytes(46, 9);
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            Check.holds("arena after its views", arena, 0, bytes);
        }
        kept.forEach(view -> Check.isTrue(
                "native memory of a view after close: expected it closed, got it open",
                !view.isNative() || !view.scope().isAlive()));
    }

    private void checkEnded(DeviceArena arena, MemorySegment kept) {
        boolean ends = !kept.isNative() || !kept.scope().isAlive();
        if (!ends && device().capabilities().contains(Capability.HOST_MEMORY)) {
            long begin = arena.unwrap(MemorySegment.class).orElseThrow().address();
            ends = kept.address() >= begin && kept.address() + kept.byteSize() <= begin + arena.sizeBytes();
        }
        Check.isTrue(
                "native memory of a view of " + kept.byteSize() + " bytes after its reader: expected it closed or, with"
                        + " HOST_MEMORY, the arena's own, got other memory that is still open",
                ends);
    }

    /** Catches staging that views of one arena or several share, with writes between and on several threads. */
    @Test
    default void required_4_7_mappedViewsOverlap() {
        int size = 9001;
        try (DeviceArena one = open(ExamplePlan.bytes(size));
                DeviceArena other = open(ExamplePlan.bytes(size))) {
            one.writeBytes(0, MemorySegment.ofArray(TestData.bytes(471, size)));
            other.writeBytes(0, MemorySegment.ofArray(TestData.bytes(472, size)));
            nest(List.of(one, other), 100);
            CountDownLatch inside = new CountDownLatch(2);
            Executable reader = () -> one.withBytes(7, 4096, view -> {
                Polls.meet(inside);
                Check.same("view of one of two threads", 7, Check.bytes(one, 7, 4096), view.toArray(Batches.BYTE));
                return "";
            });
            Race.together(reader, reader);
        }
    }

    /**
     * Opens views within each other's readers, writes between, and looks at each again when the inner ones are over.
     */
    private static void nest(List<DeviceArena> arenas, int depth) {
        if (depth > 0) {
            DeviceArena arena = arenas.get(depth % 2);
            int from = depth * 83;
            boolean own = arena.unwrap(MemorySegment.class).isPresent(); // shows later writes too
            byte[] expected = Check.bytes(arena, from, 61 + depth);
            arena.withBytes(from, expected.length, view -> {
                Check.same("a view within others", from, expected, view.toArray(Batches.BYTE));
                if (!own) {
                    arena.writeBytes(from, MemorySegment.ofArray(TestData.bytes(depth, 9)));
                }
                nest(arenas, depth - 1);
                Check.same("a view when those within it are over", from, expected, view.toArray(Batches.BYTE));
                return "";
            });
        }
    }
}
