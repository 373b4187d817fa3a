package io.devicearena.bench;

import io.devicearena.DType;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Casts of 16 Mi elements, and a plain copy of the same floats in the same memory for comparison.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CastBenchmark {
    /**
     * The types of source and target.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Direction {
        F32_TO_F16(DType.F16),
        F16_TO_F32(DType.F16),
        F32_TO_BF16(DType.BF16),
        BF16_TO_F32(DType.BF16);

        private final DType narrow;

        Direction(DType narrow) {
            this.narrow = narrow;
        }

        private boolean isDown() {
            return this == F32_TO_F16 || this == F32_TO_BF16;
        }
    }

    /**
     * Where the floats are; the narrow side is always native memory, like an arena.
     *
     * <p><b>Threads:</b> immutable.
     */
    public enum Memory {
        ARRAY,
        NATIVE
    }

    private static final int ELEMENTS = 1 << 24;

    /** The f32 bytes of one call. */
    static final long BYTES = 4L * ELEMENTS;

    /** The direction. */
    @Param
    public Direction direction = Direction.F32_TO_F16;

    /** The memory of the floats. */
    @Param
    public Memory memory = Memory.ARRAY;

    private final Arena arena = Arena.ofShared();
    private final float[] array = new float[ELEMENTS];
    private final MemorySegment floats = arena.allocate(4L * ELEMENTS, 64);
    private final MemorySegment copy = arena.allocate(4L * ELEMENTS, 64);
    private final MemorySegment narrow = arena.allocate(2L * ELEMENTS, 64);

    /** Fills both sides with finite numbers. */
    @Setup(Level.Trial)
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < ELEMENTS; i++) {
            array[i] = (float) random.nextDouble(-100, 100);
        }
        MemorySegment.copy(array, 0, floats, ValueLayout.JAVA_FLOAT, 0, ELEMENTS);
        TypedCasts.write(narrow, 0, direction.narrow, array, 0, ELEMENTS);
    }

    /** Frees the memory. */
    @TearDown(Level.Trial)
    public void free() {
        arena.close();
    }

    /** Casts as the parameters say. */
    @Benchmark
    public void cast() {
        if (memory == Memory.ARRAY) {
            if (direction.isDown()) {
                TypedCasts.write(narrow, 0, direction.narrow, array, 0, ELEMENTS);
            } else {
                TypedCasts.read(narrow, 0, direction.narrow, array, 0, ELEMENTS);
            }
        } else if (direction.isDown()) {
            TypedCasts.write(narrow, 0, direction.narrow, floats, 0, ELEMENTS);
        } else {
            TypedCasts.read(narrow, 0, direction.narrow, floats, 0, ELEMENTS);
        }
    }

    /** The comparison: copies the same floats unchanged. */
    @Benchmark
    public void memorySegmentCopy() {
        if (memory == Memory.NATIVE) {
            MemorySegment.copy(floats, 0, copy, 0, 4L * ELEMENTS);
        } else if (direction.isDown()) {
            MemorySegment.copy(array, 0, copy, ValueLayout.JAVA_FLOAT, 0, ELEMENTS);
        } else {
            MemorySegment.copy(copy, ValueLayout.JAVA_FLOAT, 0, array, 0, ELEMENTS);
        }
    }
}
