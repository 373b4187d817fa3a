package io.devicearena.conformance;

import static io.devicearena.conformance.SegmentPlans.EXACT;
import static io.devicearena.conformance.SegmentPlans.LARGE;
import static io.devicearena.conformance.SegmentPlans.NEXT;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** Reads and writes across the ends of segments. */
final class SegmentRanges {
    /** Small ranges begin from this many bytes before an end to as many after it. */
    private static final int REACH = 9;

    private static final int MOST_BYTES = 18;

    /** Bytes on both sides of an end that are compared after each small write. */
    private static final int SEEN = 32;

    private SegmentRanges() {}

    /** Writes and reads every small range around an end. */
    static void around(DeviceArena arena, byte[] model, int end, SplittableRandom random) {
        byte[] bytes = new byte[MOST_BYTES];
        for (int from = end - REACH; from <= end + REACH; from++) {
            for (int length = 0; length <= MOST_BYTES; length++) {
                String what = length + " bytes at " + from + ", around the end at " + end;
                random.nextBytes(bytes);
                arena.writeBytes(from, MemorySegment.ofArray(bytes).asSlice(0, length));
                System.arraycopy(bytes, 0, model, from, length);
                Check.holds("arena after a write of " + what, arena, end - SEEN, slice(model, end - SEEN, 2 * SEEN));
                Check.holds("read of " + what, arena, from, slice(model, from, length));
            }
        }
    }

    /** Writes and reads a value: as many elements as it holds, and odd counts that end around an end. */
    static void typed(DeviceArena arena, byte[] model, NodeId id, DType dtype, int segment) {
        BufferSlot slot = arena.plan().slot(id).orElseThrow();
        int capacity = Math.toIntExact(slot.size() / dtype.bytes());
        int end = segment / dtype.bytes();
        int shift = 0;
        for (int count : new int[] {capacity, end + 1, end - 1, capacity - 1}) {
            shift++;
            float[] data = TestData.exact(dtype, count + shift);
            data = Arrays.copyOfRange(data, shift, data.length);
            int moved = Math.min(count, capacity);
            String what = id + " as " + dtype.label() + ", " + count + " elements";
            long written = shift % 2 == 0
                    ? arena.writeInputF32(id, dtype, data)
                    : arena.writeInputF32(id, dtype, MemorySegment.ofArray(data));
            Check.same("result of a write to " + what, (long) moved, written);
            byte[] encoded = TestData.encoded(dtype, Arrays.copyOf(data, moved));
            System.arraycopy(encoded, 0, model, Math.toIntExact(slot.offset()), encoded.length);
            Check.holds("arena after a write to " + what, arena, 0, model);
            float[] expected = Arrays.copyOf(data, moved);
            Check.same("array read from " + what, expected, arena.readOutputF32(id, dtype, moved));
            float[] into = new float[moved];
            arena.readOutputF32(id, dtype, MemorySegment.ofArray(into));
            Check.same("segment read from " + what, expected, into);
        }
    }

    /** Offsets and lengths of ranges across one end or several, none at a multiple of 4. */
    static List<int[]> acrossEnds(int segment, int size) {
        List<int[]> ranges = new ArrayList<>();
        for (int end = segment; end < size; end += segment) {
            ranges.add(new int[] {end - 1, 2});
            ranges.add(new int[] {end - 5, 5});
            ranges.add(new int[] {end - 7, 21});
            ranges.add(new int[] {end, 3});
        }
        ranges.add(new int[] {3, 2 * segment + 3});
        ranges.add(new int[] {0, size});
        return ranges;
    }

    private static byte[] slice(byte[] bytes, int from, int length) {
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    /** A plan with a faulty node 2 is refused, and the next arena opens. */
    static void refused(ConformanceTopic topic, MemoryPlan plan, String fault, String figures) {
        Check.assertInvalid(
                "a plan whose node 2 " + fault,
                () -> topic.open(plan).close(),
                NodeId.of(2),
                topic.device().limits().maxSegmentBytes() + " bytes",
                figures,
                "PlanOptions.forDevice");
        topic.openExample().close();
    }

    /** The mirrors of some values are stale, and those of all others of {@link SegmentPlans#values} are not. */
    static void stale(String what, DeviceArena arena, NodeId... expected) {
        for (NodeId id : List.of(LARGE, EXACT, NEXT)) {
            Check.same(
                    "isStale of " + id + " after " + what,
                    List.of(expected).contains(id),
                    Shadows.of(arena).isStale(id));
        }
    }

    /** What a thread writes in one round, also into the model. */
    static void write(DeviceArena arena, byte[] model, int from, int length, int value) {
        byte[] bytes = TestData.filled(length, value);
        arena.writeBytes(from, MemorySegment.ofArray(bytes));
        System.arraycopy(bytes, 0, model, from, length);
    }

    /** What a thread reads in one round, of bytes that no thread writes. */
    static void read(DeviceArena arena, int from, byte[] expected, int round) {
        byte[] found = Batches.readInOneOfFourWays(arena, from, expected.length, round);
        Check.same("bytes read by another thread, round " + round, from, expected, found);
    }

    /** A batch of values and ranges across ends, and where it lands. */
    static final class Regions {
        private final MemoryPlan plan;
        private final List<int[]> ranges;
        private final List<byte[]> bytes = new ArrayList<>();
        private final List<float[]> floats = new ArrayList<>();
        private final Batch batch;
        private long result;

        Regions(MemoryPlan plan, int segment) {
            this.plan = plan;
            this.ranges = acrossEnds(segment, Math.toIntExact(plan.arenaSize()));
            Batch.Builder builder = Batch.builder();
            for (int[] range : ranges) {
                byte[] destination = new byte[range[1]];
                bytes.add(destination);
                builder.bytes(range[0], MemorySegment.ofArray(destination));
                result += range[1];
            }
            for (DType dtype : TestData.HOST_FLOATS) {
                for (NodeId id : List.of(LARGE, EXACT, NEXT)) {
                    float[] destination = new float[elements(id, dtype)];
                    floats.add(destination);
                    builder.floats(id, dtype, destination);
                    result += destination.length;
                }
            }
            this.batch = builder.build();
        }

        private int elements(NodeId id, DType dtype) {
            return Math.toIntExact(plan.slot(id).orElseThrow().size() / dtype.bytes());
        }

        Batch batch() {
            return batch;
        }

        long result() {
            return result;
        }

        /** Holds every destination against the arena's bytes. */
        void check(String what, byte[] arenaBytes) {
            for (int i = 0; i < ranges.size(); i++) {
                int[] range = ranges.get(i);
                Check.same(what + ", raw region " + i, range[0], slice(arenaBytes, range[0], range[1]), bytes.get(i));
            }
            int next = 0;
            for (DType dtype : TestData.HOST_FLOATS) {
                for (NodeId id : List.of(LARGE, EXACT, NEXT)) {
                    int from = Math.toIntExact(plan.slot(id).orElseThrow().offset());
                    byte[] encoded = slice(arenaBytes, from, elements(id, dtype) * dtype.bytes());
                    Check.same(
                            what + ", " + id + " as " + dtype.label(),
                            CastCheck.decoded(dtype, encoded),
                            floats.get(next++));
                }
            }
        }
    }
}
