package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Group 5, continued: memory of the caller, of every kind and of small and middle lengths, by every way in and out.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface CallerMemoryConformance extends ConformanceTopic {
    /** Lengths in bytes, multiples of 4: below and above what devices copy into a command, a page and a piece. */
    private static int[] lengths() {
        return new int[] {4, 20, 60, 300, 1000, 3000, 5000, 30_004, 100_004, 300_000};
    }

    /** Where the value begins: at an odd byte, or with the arena if the rest of a segment is too short for it. */
    private long at(int length) {
        long odd = 5;
        return device().limits().maxSegmentBytes() >= length + odd ? odd : 0;
    }

    /** An arena of one value, with some bytes behind it. */
    private DeviceArena openFor(int length) {
        MemoryPlan plan = new MemoryPlan(
                at(length) + length + 7, Map.of(NODE_1, new BufferSlot(at(length), length)), List.of(NODE_1));
        return open(plan);
    }

    /** Catches a short cut for one kind of memory, which reads it when the call has returned. */
    @Test
    default void required_5_17_sourcesOfEveryKindMayChange() {
        for (int length : lengths()) {
            try (DeviceArena arena = openFor(length);
                    Arena memory = Arena.ofConfined()) {
                int turn = length / 4;
                byte[] model = new byte[Math.toIntExact(arena.sizeBytes())];
                for (Segments.Form form : Segments.ofEveryKind(memory, length, turn)) {
                    for (MemoryWay way : MemoryWay.writes(at(length))) {
                        float[] floats = TestData.exact(way.dtype(), length / Float.BYTES + turn % 50);
                        floats = Arrays.copyOfRange(floats, turn % 50, floats.length);
                        form.part().copyFrom(MemorySegment.ofArray(floats));
                        MemorySegment source =
                                turn++ % 2 == 0 ? form.part() : form.part().asReadOnly();
                        way.move().move(arena, source);
                        form.part().fill((byte) 0xEE);
                        byte[] encoded = TestData.encoded(way.dtype(), floats);
                        System.arraycopy(encoded, 0, model, Math.toIntExact(at(length)), encoded.length);
                        String what = way.name() + " of " + length + " bytes from "
                                + (source.isReadOnly() ? "read-only " : "") + form.kind();
                        Check.holds("arena after " + what, arena, 0, model);
                    }
                    turn++; // the next kind of memory is read-only where this one is not
                }
            }
        }
    }

    /** Catches a short cut for one kind of memory, which ends early or changes the bytes beside it. */
    @Test
    default void required_5_18_destinationsOfEveryKindAreFilled() {
        for (int length : lengths()) {
            try (DeviceArena arena = openFor(length);
                    Arena memory = Arena.ofShared()) {
                int turn = length / 4;
                for (Segments.Form form : Segments.ofEveryKind(memory, length, turn)) {
                    for (MemoryWay way : MemoryWay.reads(at(length))) {
                        turn++;
                        float[] floats = TestData.exact(way.dtype(), length / Float.BYTES + turn % 50);
                        floats = Arrays.copyOfRange(floats, turn % 50, floats.length);
                        arena.writeBytes(at(length), MemorySegment.ofArray(TestData.encoded(way.dtype(), floats)));
                        form.whole().fill((byte) 0x3C);
                        byte[] before = form.wholeBytes();
                        way.move().move(arena, form.part());
                        Check.same(
                                way.name() + " of " + length + " bytes into " + form.kind(),
                                0,
                                form.wholeWith(before, TestData.encoded(DType.F32, floats)),
                                form.wholeBytes());
                    }
                }
            }
        }
    }
}
