package io.devicearena.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import io.devicearena.cuda.testing.TestDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources of the kernels, compiled for the host, beside the casts of Java; bits are compared. */
class KernelsOnHostTest {
    private static final int HALVES = 1 << 16;
    /** What the jobs of da_copy_ranges take. */
    private static final long JOBS_BYTES = 1024;

    @ParameterizedTest(name = "{0}")
    @CsvSource({"da_f16_to_f32, F16", "da_bf16_to_f32, BF16"})
    void everyNarrowValueIsWidenedAsJavaDoes(String kernel, DType dtype) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment halves = arena.allocate(2L * HALVES, 16);
            for (int i = 0; i < HALVES; i++) {
                halves.set(JAVA_SHORT_UNALIGNED, 2L * i, (short) i);
            }
            MemorySegment floats = arena.allocate(4L * HALVES, 16);
            cast(kernel, halves, floats, HALVES);
            MemorySegment expected = arena.allocate(4L * HALVES, 16);
            TypedCasts.readTypedToF32(halves, dtype, expected);
            assertThat(floats.mismatch(expected)).isEqualTo(-1);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"da_f32_to_f16, F16, 13", "da_f32_to_bf16, BF16, 16"})
    void floatsAboutEachNarrowValueAndAboutTheTiesAreRoundedAsJavaDoes(String kernel, DType dtype, int lostBits) {
        int half = 1 << (lostBits - 1);
        int[] about = {0, 1, -1, half, half - 1, half + 1};
        try (Arena arena = Arena.ofConfined()) {
            int n = HALVES * about.length;
            MemorySegment floats = arena.allocate(4L * n, 16);
            for (int i = 0; i < n; i++) {
                short narrow = (short) (i / about.length);
                float value = dtype == DType.F16 ? TypedCasts.fromF16(narrow) : TypedCasts.fromBf16(narrow);
                floats.set(JAVA_INT_UNALIGNED, 4L * i, Float.floatToRawIntBits(value) + about[i % about.length]);
            }
            assertNarrowedAsJavaDoes(kernel, dtype, floats, n, arena);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"da_f32_to_f16, F16", "da_f32_to_bf16, BF16"})
    void subnormalsNansAndAnyBitsAreRoundedAsJavaDoes(String kernel, DType dtype) {
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
            assertNarrowedAsJavaDoes(kernel, dtype, floats, n, arena);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void castsWorkAtAnyAddressAndTouchNothingElse(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 50; i++) {
            int n = random.nextInt(700);
            boolean f16 = random.nextBoolean();
            DType dtype = f16 ? DType.F16 : DType.BF16;
            try (Arena arena = Arena.ofConfined()) {
                Room floats = Room.of(arena, random, 4L * n);
                Room halves = Room.of(arena, random, 2L * n);
                halves.assertOnlyWritten(
                        narrowed(dtype, floats.range(), n, arena),
                        () -> cast(f16 ? "da_f32_to_f16" : "da_f32_to_bf16", floats.range(), halves.range(), n));
                MemorySegment widened = arena.allocate(4L * n);
                TypedCasts.readTypedToF32(halves.range(), dtype, widened);
                floats.assertOnlyWritten(
                        widened,
                        () -> cast(f16 ? "da_f16_to_f32" : "da_bf16_to_f32", halves.range(), floats.range(), n));
            }
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
                TestDriver.run("da_copy_ranges", parameters, 1 + random.nextInt(3), jobs, 64);
                check.run();
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
            halves.copyFrom(narrowed(DType.F16, from.range(), n, arena));
        }
        Room wantedTo = copied ? to.with(from.range(), arena) : to.with(to.range(), arena);
        Room wantedMirror = mirrored ? mirror.with(halves, arena) : mirror.with(mirror.range(), arena);
        return () -> {
            before.run();
            to.assertSame(wantedTo);
            mirror.assertSame(wantedMirror);
        };
    }

    private static void assertNarrowedAsJavaDoes(String kernel, DType dtype, MemorySegment floats, int n, Arena arena) {
        MemorySegment halves = arena.allocate(2L * n, 16);
        cast(kernel, floats, halves, n);
        assertThat(halves.mismatch(narrowed(dtype, floats, n, arena))).isEqualTo(-1);
    }

    private static MemorySegment narrowed(DType dtype, MemorySegment floats, int n, Arena arena) {
        MemorySegment halves = arena.allocate(2L * n);
        TypedCasts.writeTypedFromF32(halves, dtype, floats, n);
        return halves;
    }

    private static void cast(String kernel, MemorySegment src, MemorySegment dst, long n) {
        try (Arena arena = Arena.ofConfined()) {
            TestDriver.run(kernel, arena.allocateFrom(JAVA_LONG, src.address(), dst.address(), n), 3, 1, 64);
        }
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

        void assertOnlyWritten(MemorySegment wanted, Runnable kernel) {
            try (Arena arena = Arena.ofConfined()) {
                Room expected = with(wanted, arena);
                kernel.run();
                assertSame(expected);
            }
        }
    }
}
