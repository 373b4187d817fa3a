package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;
import static io.devicearena.conformance.ExamplePlan.NODE_2;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.ToLongFunction;

/** Every read that ends at a value's actual length. Each is called for node 1, which holds 8 F32. */
enum LengthRead {
    /** Into a new array. */
    NEW_ARRAY((arena, data) -> {
        float[] read = arena.readOutputF32(NODE_1, DType.F32, 9);
        return List.of(whole(read, read.length, data));
    }),
    /** Into an array of the caller. */
    ARRAY((arena, data) -> {
        float[] read = marked();
        return List.of(whole(read, arena.readOutputF32(NODE_1, DType.F32, read), data));
    }),
    /** Into memory of the caller. */
    SEGMENT((arena, data) -> {
        float[] read = marked();
        return List.of(whole(read, arena.readOutputF32(NODE_1, DType.F32, MemorySegment.ofArray(read)), data));
    }),
    /** In a batch, once as floats and once as elements, with bytes of a neighbour between. */
    BATCH((arena, data) -> both(arena::readBatch, data)),
    /** In a deferred read. */
    DEFERRED((arena, data) -> both(batch -> arena.beginRead(batch).await(), data));

    @SuppressWarnings("ImmutableEnumChecker") // the functions capture nothing
    private final BiFunction<DeviceArena, float[], List<Integer>> way;

    LengthRead(BiFunction<DeviceArena, float[], List<Integer>> way) {
        this.way = way;
    }

    /** Reads node 1, checks that the count, the bytes and the rest of the destination agree; how many were read of each
     * region. */
    List<Integer> elements(DeviceArena arena, float[] data) {
        return way.apply(arena, data);
    }

    private static float[] marked() {
        float[] read = new float[9];
        Arrays.fill(read, -1);
        return read;
    }

    private static int whole(float[] read, long count, float[] data) {
        int elements = Math.toIntExact(count);
        Check.same("floats for a count of " + count, Batches.beginning(data, elements, read.length, -1), read);
        return elements;
    }

    private static List<Integer> both(ToLongFunction<Batch> how, float[] data) {
        float[] floats = marked();
        float[] elements = marked();
        long count = how.applyAsLong(Batch.builder()
                .floats(NODE_1, DType.F32, floats)
                .floats(NODE_2, DType.F32, new float[2])
                .elements(NODE_1, DType.F32, MemorySegment.ofArray(elements))
                .build());
        int first = read(floats);
        int second = read(elements);
        Check.same("count of a batch", first + 2L + second, count);
        return List.of(whole(floats, first, data), whole(elements, second, data));
    }

    /** How many elements before the first mark. */
    private static int read(float[] marked) {
        int read = 0;
        while (read < marked.length && marked[read] != -1) {
            read++;
        }
        return read;
    }
}
