package io.devicearena.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import io.devicearena.cuda.testing.TestDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The source of the kernel, compiled for the host, beside the casts of Java; bits are compared. */
class KernelsOnHostTest {
    private static final int HALVES = 1 << 16;
    /** What the jobs of da_copy_ranges take. */
    private static final long JOBS_BYTES = 32 * 32 + 1024 + 8;

    @Test
    void floatsAboutEachNarrowValueAndAboutTheTiesAreRoundedAsJavaDoes() {
        int half = 1 << 12; // of the last bit of an f16
        int[] about = {0, 1, -1, half, half - 1, half + 1};
        try (Arena arena = Arena.ofConfined()) {
            int n = HALVES * about.length;
            MemorySegment floats = arena.allocate(4L * n, 16);
            for (int i = 0; i < n; i++) {
                float value = TypedCasts.fromF16((short) (i / about.length));
                floats.set(JAVA_INT_UNALIGNED, 4L * i, Float.floatToRawIntBits(value) + about[i % about.length]);
            }
            assertMirroredAsJavaCasts(floats, n, arena);
        }
    }

    @Test
    void subnormalsNansAndAnyBitsAreRoundedAsJavaDoes() {
        int n = 1 << 20;
        SplittableRandom random = new SplittableRandom(44);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment floats = arena.allocate(4L * n, 16);
            for (int i = 0; i < n; i++) {
                int bits = random.nextInt();
                int exponent = switch (i % 4) {
                    case 0 -> 0;
                    case 1 -> 0xFF;
                    case 2 -> 127 - 26 + random.nextInt(14); // subnormal as f16
                    default -> bits >>> 23 & 0xFF;
                };
                floats.set(JAVA_INT_UNALIGNED, 4L * i, (bits & 0x807FFFFF) | (exponent << 23));
            }
            assertMirroredAsJavaCasts(floats, n, arena);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void aBatchOfRangesIsCopiedAndMirrored(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20; i++) {
            try (Arena arena = Arena.ofConfined()) {
                int jobs = 1 + random.nextInt(32);
                MemorySegment parameters = arena.allocate(JOBS_BYTES, 8);
                Runnable check = () -> {};
                for (int job = 0; job < jobs; job++) {
                    check = job(parameters.asSlice(32L * job, 32), arena, random, check);
                }
                int blocks = 1 + random.nextInt(3);
                MemorySegment signals = arena.allocate(4L * blocks * jobs + 4, 8);
                boolean signalling = random.nextBoolean();
                parameters.set(JAVA_LONG, JOBS_BYTES - 8, signalling ? signals.address() : 0);
                TestDriver.run("da_copy_ranges", parameters, blocks, jobs, 64);
                check.run();
                for (int block = 0; block <= blocks * jobs; block++) {
                    assertThat(signals.getAtIndex(JAVA_INT, block))
                            .isEqualTo(signalling && block < blocks * jobs ? 1 : 0);
                }
            }
        }
    }

    @Test
    void bytesOfTheLaunchItselfAreCopiedAndMirrored() {
        try (Arena arena = Arena.ofConfined()) {
            for (int n = 0; n <= 256; n++) {
                for (long at = 0; at + 4L * n <= 1024; at += 64) {
                    MemorySegment parameters = arena.allocate(JOBS_BYTES, 16);
                    MemorySegment floats = parameters.asSlice(32 * 32 + at, 4L * n);
                    for (int i = 0; i < n; i++) {
                        floats.setAtIndex(JAVA_FLOAT, i, i * 1.1f - 30);
                    }
                    MemorySegment to = arena.allocate(4L * n + 1, 16);
                    MemorySegment halves = arena.allocate(2L * n + 1, 16);
                    parameters.copyFrom(MemorySegment.ofArray(new long[] {at, to.address(), halves.address(), 4L * n}));
                    TestDriver.run("da_copy_ranges", parameters, 1, 1, 64);
                    assertThat(to.asSlice(0, 4L * n).mismatch(floats)).isEqualTo(-1);
                    assertThat(halves.asSlice(0, 2L * n).mismatch(narrowed(floats, n, arena)))
                            .isEqualTo(-1);
                }
            }
        }
    }

    /** Writes a job of any kind; returns what checks its bytes, and those of the jobs before it. */
    private static Runnable job(MemorySegment job, Arena arena, SplittableRandom random, Runnable before) {
        boolean mirrored = random.nextBoolean();
        boolean copied = !mirrored || random.nextBoolean();
        int n = random.nextInt(400);
        long bytes = mirrored ? 4L * n : random.nextInt(1500);
        boolean padded = mirrored && n % 2 == 1;
        Room from = Room.of(arena, random, bytes);
        Room to = Room.of(arena, random, bytes);
        Room mirror = Room.of(arena, random, 2L * n + (padded ? 2 : 0), 2);
        job.set(JAVA_LONG, 0, from.range().address());
        job.set(JAVA_LONG, 8, copied ? to.range().address() : 0);
        job.set(JAVA_LONG, 16, mirrored ? mirror.range().address() | (padded ? 1 : 0) : 0);
        job.set(JAVA_LONG, 24, bytes);
        MemorySegment halves = arena.allocate(mirror.bytes());
        if (mirrored) {
            halves.copyFrom(narrowed(from.range(), n, arena));
        }
        Room wantedTo = copied ? to.with(from.range(), arena) : to.with(to.range(), arena);
        Room wantedMirror = mirrored ? mirror.with(halves, arena) : mirror.with(mirror.range(), arena);
        return () -> {
            before.run();
            to.assertSame(wantedTo);
            mirror.assertSame(wantedMirror);
        };
    }

    private static void assertMirroredAsJavaCasts(MemorySegment floats, int n, Arena arena) {
        MemorySegment halves = arena.allocate(2L * n, 16);
        MemorySegment job = arena.allocate(JOBS_BYTES, 8);
        job.copyFrom(MemorySegment.ofArray(new long[] {floats.address(), 0, halves.address(), 4L * n}));
        TestDriver.run("da_copy_ranges", job, 3, 1, 64);
        assertThat(halves.mismatch(narrowed(floats, n, arena))).isEqualTo(-1);
    }

    private static MemorySegment narrowed(MemorySegment floats, int n, Arena arena) {
        MemorySegment halves = arena.allocate(2L * n);
        TypedCasts.writeTypedFromF32(halves, DType.F16, floats, n);
        return halves;
    }

    /** A range at any address, within memory that a kernel must not touch. */
    private record Room(MemorySegment all, long at, long bytes) {
        static Room of(Arena arena, SplittableRandom random, long bytes) {
            return of(arena, random, bytes, 1);
        }

        static Room of(Arena arena, SplittableRandom random, long bytes, int alignment) {
            MemorySegment all = arena.allocate(bytes + 64, 16);
            for (long i = 0; i < all.byteSize(); i++) {
                all.set(JAVA_BYTE, i, (byte) random.nextInt());
            }
            return new Room(all, random.nextBoolean() ? 16 : random.nextInt(32 / alignment) * alignment, bytes);
        }

        MemorySegment range() {
            return all.asSlice(at, bytes);
        }

        /** The same memory with other bytes in the range. */
        Room with(MemorySegment other, Arena arena) {
            Room copy = new Room(arena.allocate(all.byteSize()), at, bytes);
            copy.all.copyFrom(all);
            copy.range().copyFrom(other);
            return copy;
        }

        void assertSame(Room wanted) {
            assertThat(all.mismatch(wanted.all)).isEqualTo(-1);
        }
    }
}
