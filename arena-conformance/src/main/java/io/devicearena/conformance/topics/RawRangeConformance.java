package io.devicearena.conformance.topics;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_1;

import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.conformance.calls.ArenaCall;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.conformance.oracle.SparseFile;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Group 4: raw bytes, and mapped views.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface RawRangeConformance extends ConformanceTopic {

    /** Catches checks whose sums overflow, an {@code int} on the way, and a part that begins in another value. */
    @Test
    default void required_4_1_rangesOutsideAreRefused() {
        int[] called = {0};
        try (Refusals refusals = new Refusals(openExample());
                Arena shared = Arena.ofShared()) {
            DeviceArena arena = refusals.arena;
            MemorySegment sparse = SparseFile.map((1L << 32) + 8, shared);
            for (ArenaCall call : ArenaCall.of(ArenaCall.Takes.RANGE, ArenaCall.Takes.PART)) {
                boolean isPart = call.takes() == ArenaCall.Takes.PART;
                long size = isPart ? 32 : arena.sizeBytes();
                for (long[] range : outside(size)) {
                    boolean exists = range[1] >= 0 && range[1] <= sparse.byteSize();
                    MemorySegment part = range[1] >= 0 && range[1] <= size
                            ? refusals.memory(range[1])
                            : sparse.asSlice(0, exists ? range[1] : 0);
                    ArenaCall.With with = new ArenaCall.With(NODE_1, DType.U8, range[0], range[1], part);
                    boolean isNegative = range[0] < 0 || range[1] < 0;
                    Object[] figures = isNegative
                            ? new Object[] {Math.min(range[0], range[1])}
                            : new Object[] {range[0], range[1], size, isPart ? NODE_1 : ""};
                    if (exists || !call.passesMemory()) {
                        refusals.invalid(call.with(with), () -> call.on(arena, with), figures);
                    }
                }
            }
            for (long[] range : outside(arena.sizeBytes())) {
                refusals.invalid("a view out of range", () -> arena.withBytes(range[0], range[1], view -> called[0]++));
                refusals.invalid(
                        "a range with progress",
                        () -> arena.writeBytes(range[0], refusals.memory(128), done -> called[0]++));
            }
            Check.same("readers and progress of refused ranges that were called", 0, called[0]);
        }
    }

    private static List<long[]> outside(long size) {
        long most = Long.MAX_VALUE;
        long[][] small = {{-1, 0}, {-1, 1}, {size, 1}, {1, size}, {size - 3, 4}, {size + 1, 0}, {0, -4}, {size, -1}};
        List<long[]> ranges = new ArrayList<>(List.of(small));
        ranges.addAll(List.of(new long[][] {{most, 0}, {Long.MIN_VALUE, 1}, {4, most - 3}}));
        for (long huge : Check.HUGE) {
            ranges.addAll(List.of(new long[][] {{huge, 8}, {0, huge}}));
        }
        return ranges;
    }

    /** Catches a kept segment that reads freed or mapped memory, and staging that is lost when a reader throws. */
    @Test
    default void required_4_2_mappedViewEndsWithItsReader() {
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
}
