package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;

import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Group 5: raw bytes, with progress and as mapped views.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface RawRangeConformance extends ConformanceTopic {
    /** Packed and quantised weights travel this way, and every bit counts. */
    @Test
    default void required_5_1_rawBytesComeBack() {
        byte[] bytes = TestData.bytes(51, 100_003);
        try (DeviceArena arena = open(ExamplePlan.bytes(bytes.length));
                Arena memory = Arena.ofConfined()) {
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            Check.holds("the whole arena", arena, 0, bytes);
            Check.holds("its middle", arena, 33_333, Arrays.copyOfRange(bytes, 33_333, 77_777));
            byte[] part = TestData.bytes(52, 61);
            for (Segments.Form form : Segments.ofEveryKind(memory, part.length)) {
                form.part().copyFrom(MemorySegment.ofArray(part));
                for (MemorySegment source :
                        new MemorySegment[] {form.part(), form.part().asReadOnly()}) {
                    arena.writeBytes(4096, MemorySegment.ofArray(new byte[part.length]));
                    arena.writeBytes(4096, source);
                    String what = "61 bytes from " + (source.isReadOnly() ? "read-only " : "") + form.kind();
                    Check.holds(what, arena, 4096, part);
                }
                form.whole().fill((byte) 0x3C);
                byte[] before = form.wholeBytes();
                arena.readBytes(4096, form.part());
                Check.same("61 bytes into " + form.kind(), 0, form.wholeWith(before, part), form.wholeBytes());
            }
        }
    }

    /** Many devices copy in units of 4 bytes; catches neighbours overwritten by an odd offset or length. */
    @Test
    default void required_5_2_writesOfAnyOffsetAndLengthLeaveNeighboursAlone() {
        byte[] pattern = TestData.bytes(520, 64);
        byte[] data = TestData.bytes(521, 17);
        try (DeviceArena arena = open(ExamplePlan.bytes(pattern.length))) {
            for (int offset = 0; offset <= 17; offset++) {
                for (int length = 0; length <= 17; length++) {
                    arena.writeBytes(0, MemorySegment.ofArray(pattern));
                    arena.writeBytes(offset, MemorySegment.ofArray(data).asSlice(0, length));
                    byte[] expected = pattern.clone();
                    System.arraycopy(data, 0, expected, offset, length);
                    Check.holds("arena after " + length + " bytes at " + offset, arena, 0, expected);
                }
            }
        }
    }

    /** The same units of 4 bytes, in the other direction. */
    @Test
    default void required_5_3_readsOfAnyOffsetAndLengthAreExact() {
        byte[] pattern = TestData.bytes(53, 64);
        try (DeviceArena arena = open(ExamplePlan.bytes(pattern.length))) {
            arena.writeBytes(0, MemorySegment.ofArray(pattern));
            for (int offset = 0; offset <= 17; offset++) {
                for (int length = 0; length <= 17; length++) {
                    byte[] destination = TestData.filled(32, 0x3C);
                    byte[] expected = destination.clone();
                    System.arraycopy(pattern, offset, expected, 7, length);
                    arena.readBytes(offset, MemorySegment.ofArray(destination).asSlice(7, length));
                    Check.same("destination of " + length + " bytes from " + offset, 0, expected, destination);
                }
            }
        }
    }

    /** A loop over tensors may meet an empty one; catches devices that refuse an empty copy. */
    @Test
    default void required_5_4_zeroLengthDoesNothing() {
        try (DeviceArena arena = openExample()) {
            for (long offset = 0; offset <= arena.sizeBytes(); offset++) {
                arena.writeBytes(offset, Segments.of());
                arena.readBytes(offset, Segments.of());
            }
            Check.holds("arena after empty ranges", arena, 0, ExamplePlan.filled());
        }
    }

    /** Catches a copy rounded up to 4 bytes that no longer fits at the end. */
    @Test
    default void required_5_5_theLastBytesCanBeReached() {
        try (DeviceArena arena = open(ExamplePlan.plan())) {
            byte[] expected = TestData.filled(77, 0x55);
            arena.writeBytes(0, MemorySegment.ofArray(expected));
            for (int length = 1; length <= 5; length++) {
                byte[] data = TestData.filled(length, length);
                arena.writeBytes(77 - length, MemorySegment.ofArray(data));
                Check.holds("the last " + length + " bytes", arena, 77 - length, data);
                System.arraycopy(data, 0, expected, 77 - length, length);
                Check.holds("arena after a write of its last " + length + " bytes", arena, 0, expected);
            }
        }
    }

    /** One range of bytes, two ways to see it. */
    @Test
    default void required_5_6_rawRangesKnowNoSlots() {
        try (DeviceArena arena = openExample()) {
            arena.setActualLength(NODE_1, 0);
            byte[] all = TestData.bytes(56, 93);
            arena.writeBytes(0, MemorySegment.ofArray(all));
            Check.holds("plan and scratch in one range", arena, 0, all);
            byte[] across = TestData.bytes(57, 33);
            arena.writeBytes(15, MemorySegment.ofArray(across));
            Check.holds("a range across two slots", arena, 15, across);

            arena.setActualLength(NODE_1, 32);
            float[] data = TestData.exact(DType.F32, 8);
            arena.writeBytes(0, MemorySegment.ofArray(TestData.encoded(DType.F32, data)));
            Check.same("node 1 after a raw write", data, arena.readOutputF32(NODE_1, DType.F32, 8));
            arena.writeInputF32(NODE_2, DType.F16, data);
            Check.holds("bytes of node 2 after a typed write", arena, 32, TestData.encoded(DType.F16, data));
        }
    }

    /** Catches checks that add offset and length and overflow. */
    @Test
    default void required_5_7_rangesOutsideTheArenaAreRefused() {
        try (DeviceArena arena = openExample()) {
            long size = arena.sizeBytes();
            long[][] ranges = {
                {-1, 0},
                {-1, 1},
                {size, 1},
                {1, size},
                {size + 1, 0},
                {Long.MAX_VALUE, 0},
                {Long.MAX_VALUE, 1},
                {Long.MIN_VALUE, 1}
            };
            for (long[] range : ranges) {
                byte[] memory = TestData.filled(Math.toIntExact(range[1]), 0x3C);
                String what = "a range of " + range[1] + " bytes from offset " + range[0] + " on, of " + size;
                Check.assertInvalid(
                        what + ", written", () -> arena.writeBytes(range[0], MemorySegment.ofArray(memory)));
                Check.assertInvalid(what + ", read", () -> arena.readBytes(range[0], MemorySegment.ofArray(memory)));
                Check.same(what + ", destination", 0, TestData.filled(memory.length, 0x3C), memory);
            }
            Check.holds("arena after ranges that were refused", arena, 0, ExamplePlan.filled());
        }
    }

    /** Catches an upload in chunks that misplaces them. */
    @Test
    default void required_5_8_writesWithProgressWriteTheSameBytes() {
        try (DeviceArena arena = openExample()) {
            byte[] data = TestData.bytes(58, 51);
            arena.writeBytes(17, MemorySegment.ofArray(data), done -> {});
            Check.holds("arena after a write with progress", arena, 0, ExamplePlan.filledWith(17, data));
            for (long[] range : new long[][] {{-1, 1}, {93, 1}, {Long.MAX_VALUE, 1}}) {
                List<Long> reported = new ArrayList<>();
                Check.assertInvalid(
                        "a write with progress of " + range[1] + " bytes at " + range[0],
                        () -> arena.writeBytes(range[0], Segments.of((byte) 1), reported::add));
                Check.same("progress of a refused write", List.of(), reported);
            }
        }
    }

    /** Feeds a progress bar; catches figures of single chunks instead of their sum, and a duplicate final report. */
    @Test
    default void required_5_9_progressAscendsToTheLength() {
        int length = Math.toIntExact(Math.min(40L << 20, device().limits().maxArenaBytes()));
        try (DeviceArena arena = open(ExamplePlan.bytes(length));
                Arena memory = Arena.ofConfined()) {
            MemorySegment source = memory.allocate(length);
            source.fill((byte) 0x5A);
            for (int bytes : new int[] {1, 3, 4097, length}) {
                List<Long> reported = new ArrayList<>();
                Thread caller = Thread.currentThread();
                arena.writeBytes(0, source.asSlice(0, bytes), done -> {
                    Check.same("thread that progress is called on", caller, Thread.currentThread());
                    reported.add(done);
                });
                long before = 0;
                for (long done : reported) {
                    Check.isTrue(
                            "progress of " + bytes + " bytes: expected it to ascend, got " + reported, done > before);
                    before = done;
                }
                Check.same("the last progress of " + bytes + " bytes", (long) bytes, before);
            }
            List<Long> reported = new ArrayList<>();
            arena.writeBytes(length, Segments.of(), reported::add);
            Check.same("progress of an empty range", List.of(), reported);
            Check.holds("the last byte", arena, length - 1L, TestData.filled(1, 0x5A));
        }
    }

    /** This is how a caller cancels an upload; catches progress that is reported before the bytes are written. */
    @Test
    default void required_5_10_progressThatThrowsEndsTheWrite() {
        try (DeviceArena arena = openExample()) {
            IllegalStateException stop = new IllegalStateException("the caller has had enough");
            long[] reported = new long[1];
            Check.same(
                    "what a write throws whose progress throws",
                    stop,
                    Check.assertRefused(
                            IllegalStateException.class,
                            "a write whose progress throws",
                            () -> arena.writeBytes(5, MemorySegment.ofArray(TestData.filled(50, 0x77)), done -> {
                                reported[0] = done;
                                throw stop;
                            })));
            int done = Math.toIntExact(reported[0]);
            Check.holds("the " + done + " bytes that were reported", arena, 5, TestData.filled(done, 0x77));
            Check.holds("bytes after the range", arena, 55, TestData.filled(38, 0x55));
        }
    }

    /** Catches a mapped view of earlier bytes. */
    @Test
    default void required_5_11_mappedViewShowsTheArenasBytes() {
        SplittableRandom random = TestData.random(511);
        try (DeviceArena arena = open(ExamplePlan.bytes(9001))) {
            for (int round = 0; round < 20; round++) {
                byte[] bytes = TestData.bytes(random, 9001);
                arena.writeBytes(0, MemorySegment.ofArray(bytes));
                for (int[] range : new int[][] {{0, 9001}, {0, 4}, {7, 1}, {13, 300}, {4096, 4096}, {9000, 1}}) {
                    byte[] viewed = arena.withBytes(range[0], range[1], segment -> {
                        byte[] copy = new byte[Math.toIntExact(segment.byteSize())];
                        MemorySegment.copy(segment, 0, MemorySegment.ofArray(copy), 0, copy.length);
                        return copy;
                    });
                    Check.same(
                            "mapped view, round " + round,
                            range[0],
                            Arrays.copyOfRange(bytes, range[0], range[0] + range[1]),
                            viewed);
                }
            }
        }
    }

    /** Catches device memory that a reader can write to, and padding that is visible to it. */
    @Test
    default void required_5_12_mappedViewIsReadOnly() {
        try (DeviceArena arena = openExample()) {
            for (int length : new int[] {0, 1, 93}) {
                boolean readOnly = arena.withBytes(93L - length, length, segment -> {
                    Check.same("size of a mapped view", (long) length, segment.byteSize());
                    return segment.isReadOnly();
                });
                Check.isTrue(
                        "a mapped view of " + length + " bytes: expected read-only memory, got writable", readOnly);
            }
        }
    }

    /** Catches staging leaked when the reader throws, and wrapped exceptions. */
    @Test
    default void required_5_13_mappedViewRefusesAndRethrows() {
        try (DeviceArena arena = openExample()) {
            IllegalStateException thrown = new IllegalStateException("of the reader");
            Check.same(
                    "what withBytes throws when its reader throws",
                    thrown,
                    Check.assertRefused(
                            IllegalStateException.class,
                            "withBytes with a reader that throws",
                            () -> arena.withBytes(0, 8, segment -> {
                                throw thrown;
                            })));
            for (long[] range : new long[][] {{-1, 1}, {93, 1}, {0, 94}, {94, 0}, {0, -1}, {Long.MAX_VALUE, 1}}) {
                boolean[] called = new boolean[1];
                Check.assertInvalid(
                        "a mapped view of " + range[1] + " bytes from offset " + range[0] + " on",
                        () -> arena.withBytes(range[0], range[1], segment -> called[0] = true));
                Check.isTrue("the reader of a refused mapped view: expected no call, got one", !called[0]);
            }
            Check.holds("arena after mapped views", arena, 0, ExamplePlan.filled());
        }
    }
}
