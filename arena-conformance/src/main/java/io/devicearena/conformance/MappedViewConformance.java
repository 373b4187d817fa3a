package io.devicearena.conformance;

import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Mapped views of group 5 that end, and several at once.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface MappedViewConformance extends ConformanceTopic {
    /** A reader may keep the segment by mistake; catches one that then reads freed or mapped memory. */
    @Test
    default void required_5_15_mappedViewEndsWithItsReader() {
        MemorySegment[] kept = new MemorySegment[3];
        byte[] bytes = TestData.bytes(5_15, 93);
        try (DeviceArena arena = openExample()) {
            arena.withBytes(0, 93, view -> kept[0] = view);
            Check.assertRefused(
                    UnsupportedOperationException.class,
                    "withBytes with a reader that throws",
                    () -> arena.withBytes(1, 60, view -> {
                        kept[1] = view;
                        throw new UnsupportedOperationException("of the reader");
                    }));
            Race.together(() -> arena.withBytes(2, 8, view -> kept[2] = view));
            arena.writeBytes(0, MemorySegment.ofArray(bytes));
            for (int i = 0; i < kept.length; i++) {
                checkEnded("view " + i, arena, kept[i]);
            }
            Check.holds("arena after its views", arena, 0, bytes);
        }
        longViewsEnd();
        for (int i = 0; i < kept.length; i++) {
            Check.isTrue(
                    "native memory of view " + i + " after close: expected it closed, got it open",
                    !kept[i].isNative() || !kept[i].scope().isAlive());
        }
    }

    /** Views for which a device may have staging of another kind. */
    private void longViewsEnd() {
        long most = Math.min(3 << 20, device().limits().maxArenaBytes());
        try (DeviceArena arena = open(ExamplePlan.bytes(most))) {
            for (long length : new long[] {1, 4, 9, 256, 4096, 5000, 65_536, 70_001, 1 << 20, most}) {
                if (length <= most) {
                    MemorySegment kept = arena.withBytes(most - length, length, view -> view);
                    checkEnded("a view of " + length + " bytes", arena, kept);
                }
            }
        }
    }

    private void checkEnded(String what, DeviceArena arena, MemorySegment kept) {
        boolean ends = !kept.isNative() || !kept.scope().isAlive();
        if (!ends && device().capabilities().contains(Capability.HOST_MEMORY)) {
            long begin = arena.unwrap(MemorySegment.class).orElseThrow().address();
            ends = kept.address() >= begin && kept.address() + kept.byteSize() <= begin + arena.sizeBytes();
        }
        Check.isTrue(
                "native memory of " + what + " after its reader: expected it closed or, with HOST_MEMORY, the"
                        + " arena's own, got other memory that is still open",
                ends);
    }

    /** Catches one piece of staging for all views of an arena or a device. */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // the other reader needs the core
    default void stochastic_5_16_mappedViewsOverlap() {
        int size = 9001;
        byte[] first = TestData.bytes(5_16, size);
        byte[] second = TestData.bytes(5_17, size);
        try (DeviceArena one = open(ExamplePlan.bytes(size));
                DeviceArena other = open(ExamplePlan.bytes(size))) {
            one.writeBytes(0, MemorySegment.ofArray(first));
            other.writeBytes(0, MemorySegment.ofArray(second));
            for (int round = 0; round < 5; round++) {
                one.withBytes(0, size, outer -> {
                    other.withBytes(7, size - 9L, inner -> {
                        checkView("inner view", Arrays.copyOfRange(second, 7, size - 2), inner);
                        checkView("outer view", first, outer);
                        return "";
                    });
                    checkView("outer view after the inner one", first, outer);
                    return "";
                });
            }
            AtomicInteger inside = new AtomicInteger();
            Race.Racer reader = round -> {
                int from = round % 3 * 1000;
                byte[] expected = Arrays.copyOfRange(first, from, from + 4096);
                one.withBytes(from, 4096, view -> {
                    inside.incrementAndGet();
                    for (int i = 0; i < 100 && inside.get() < 2; i++) {
                        Thread.yield();
                    }
                    checkView("view of one of two threads, round " + round, expected, view);
                    return "";
                });
            };
            Race.Racer next = round -> reader.run(round + 1);
            Race.rounds(60, round -> inside.set(0), round -> {}, List.of(reader, next));
        }
    }

    private static void checkView(String what, byte[] expected, MemorySegment view) {
        byte[] read = new byte[Math.toIntExact(view.byteSize())];
        MemorySegment.copy(view, 0, MemorySegment.ofArray(read), 0, read.length);
        Check.same(what, 0, expected, read);
    }
}
