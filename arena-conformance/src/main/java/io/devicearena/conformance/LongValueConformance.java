package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.NodeId;
import io.devicearena.conformance.data.LongArena;
import io.devicearena.conformance.data.LongData;
import io.devicearena.conformance.data.LongSizes;
import io.devicearena.conformance.data.LongSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Group 22, third part: long values of every type, and their mirrors.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface LongValueConformance extends ConformanceTopic {
    /** Catches a cast that goes on with the wrong element behind a piece. */
    @Test
    default void required_22_3_longFloatsComeBack() {
        int turn = 0;
        int round = 0;
        try (LongArena arena = LongArenas.open(this);
                Arena memory = Arena.ofConfined()) {
            int most = Math.toIntExact(arena.size() / 4 & -2);
            MemorySegment direct = memory.allocate(4L * most + 5);
            float[] source = new float[most];
            float[] read = new float[most];
            for (DType dtype : TestData.HOST_FLOATS) {
                MemorySegment encoded = LongData.encoded(dtype, 3 + turn, most);
                float[] floats = LongData.floats(dtype, encoded);
                for (long length : LongSizes.ofShortAndLongest(turn, 4, 4L * most)) {
                    int count = Math.toIntExact(length / 4);
                    String what = count + " elements of " + dtype.label();
                    int first = most - count;
                    System.arraycopy(floats, first, source, 0, count);
                    MemorySegment part = MemorySegment.ofArray(source).asSlice(0, length);
                    MemorySegment slice = direct.asSlice(count % 4, length);
                    long written;
                    switch (++round % 3) {
                        case 0 -> {
                            slice.copyFrom(part);
                            written = arena.arena().writeInputF32(NODE_1, dtype, slice.asReadOnly());
                            slice.fill((byte) 0xEE);
                        }
                        case 1 -> written = arena.arena().writeInputF32(NODE_1, dtype, part);
                        default -> {
                            float[] own = Arrays.copyOf(source, count);
                            written = arena.arena().writeInputF32(NODE_1, dtype, own);
                            Arrays.fill(own, -1f);
                        }
                    }
                    Arrays.fill(source, 0, count, -1f);
                    Check.same(what + " written", (long) count, written);
                    arena.expect(0, encoded.asSlice((long) first * dtype.bytes(), (long) count * dtype.bytes()));
                    arena.check(what + " written", 0, (long) count * dtype.bytes());
                    readFloats(what, arena.arena(), dtype, count, read, direct);
                    LongArena.same(
                            what + " read",
                            0,
                            MemorySegment.ofArray(floats).asSlice(4L * first, length),
                            MemorySegment.ofArray(read).asSlice(0, length));
                }
                turn++;
            }
            arena.check("arena after long floats");
        }
    }

    /** Catches a fault of one type alone. */
    @Test
    default void required_22_4_longElementsOfEveryTypeComeBack() {
        try (LongArena arena = LongArenas.open(this);
                LongSource source = LongSource.of(LongSource.Kind.NATIVE, arena.size())) {
            MemorySegment destination = LongArenas.array(arena.size());
            int turn = 0;
            for (DType dtype : DType.values()) {
                long size = arena.size() / dtype.bytes() * dtype.bytes();
                long[] lengths = LongSizes.of(turn, dtype.bytes(), size);
                long[] chosen = {
                    lengths[turn % lengths.length],
                    lengths[(3 * turn + 5) % lengths.length],
                    lengths[lengths.length - 1]
                };
                for (long length : chosen) {
                    arena.write(
                            "writeBatch of " + dtype.label(),
                            source,
                            0,
                            length,
                            (offset, data) -> Batches.write(arena.arena(), NODE_1, dtype, data));
                    arena.read(
                            "readBatch of " + dtype.label(),
                            destination,
                            0,
                            length,
                            (offset, part) -> Check.same(
                                    "elements of " + dtype.label() + " read",
                                    length / dtype.bytes(),
                                    Batches.read(arena.arena(), NODE_1, dtype, part)));
                }
                turn++;
            }
        }
    }

    /** Catches mirrors of a long value that end with a piece. */
    @Test
    default void optional_22_17_longMirrorsAreMade() {
        assumeCapability(Capability.F16_SHADOW);
        long longest = Math.min(LongArenas.most(this), (17 << 20) + 12);
        int elements = Math.toIntExact(Math.min(longest, device().limits().maxBindingBytes()) / 4 & -2);
        try (DeviceArena arena = open(ExamplePlan.node1(4L * elements))) {
            F16Shadow shadow = Shadows.of(arena);
            if (!shadow.fits(NODE_1)) {
                throw skip("its mirrors do not fit a value of " + elements + " elements");
            }
            MemorySegment mirror = LongArenas.array(2L * elements).asSlice(0, 2L * elements);
            for (int seed = 1; seed < 4; seed++) {
                MemorySegment halves = LongData.encoded(DType.F16, seed, elements);
                float[] floats = LongData.floats(DType.F16, halves);
                if (seed == 2) {
                    arena.writeBytes(0, MemorySegment.ofArray(floats));
                    shadow.refresh(NODE_1);
                } else if (seed == 3) {
                    shadow.write(NODE_1, floats);
                } else {
                    arena.writeInputF32(NODE_1, DType.F32, floats);
                }
                shadow.readBytes(0, mirror);
                LongArena.same("mirror of " + elements + " elements, way " + seed, 0, halves, mirror);
            }
        }
    }

    /** By turns into an array, a new array and native memory. */
    private static void readFloats(
            String what, DeviceArena arena, DType dtype, int count, float[] read, MemorySegment direct) {
        arena.setActualLength(NODE_1, (long) count * dtype.bytes());
        switch (count % 3) {
            case 0 -> Check.same(what + " read", (long) count, arena.readOutputF32(NODE_1, dtype, read));
            case 1 -> System.arraycopy(arena.readOutputF32(NODE_1, dtype, count), 0, read, 0, count);
            default -> {
                MemorySegment part = direct.asSlice(1, 4L * count);
                Check.same(what + " read", (long) count, arena.readOutputF32(NODE_1, dtype, part));
                MemorySegment.ofArray(read).copyFrom(part);
            }
        }
        arena.setActualLength(NODE_1, arena.sizeBytes());
    }

    /** Catches a cast of a batch or of a deferred write that goes wrong at a length, and offsets that it loses. */
    @Test
    default void required_22_19_longFloatsTakeEveryWay() {
        try (LongArena arena = LongArenas.openPlaces(this);
                FloatMemory memory = new FloatMemory(arena.arena(), most(arena, DType.F16))) {
            List<NodeId> places = LongArenas.places(arena.arena());
            int turn = 0;
            for (DType dtype : TestData.HOST_FLOATS) {
                int most = most(arena, dtype);
                MemorySegment encoded = LongData.encoded(dtype, 11, most);
                float[] floats = LongData.floats(dtype, encoded);
                for (FloatWrite way : FloatWrite.values()) {
                    for (int count : LongSizes.counts(turn, most)) {
                        NodeId id = places.get(turn++ % places.size());
                        long offset = arena.arena().byteOffset(id).orElseThrow();
                        int first = most - count;
                        long bytes = (long) count * dtype.bytes();
                        way.write(memory, id, dtype, floats, first);
                        arena.expect(offset, encoded.asSlice((long) first * dtype.bytes(), bytes));
                        arena.check(
                                count + " elements of " + dtype.label() + " at offset " + offset + " by " + way,
                                offset,
                                bytes);
                    }
                }
                for (FloatRead way : FloatRead.values()) {
                    NodeId id = places.get(turn++ % places.size());
                    arena.write(arena.arena().byteOffset(id).orElseThrow(), encoded);
                    for (int count : LongSizes.counts(turn++, most)) {
                        LongArena.same(
                                count + " elements of " + dtype.label() + " of " + id + " by " + way,
                                0,
                                MemorySegment.ofArray(floats).asSlice(0, 4L * count),
                                MemorySegment.ofArray(way.read(memory, id, dtype, count)));
                    }
                }
            }
            arena.check("arena after long floats by every way");
        }
    }

    /** The most elements of a value that begins near the start of the arena. */
    private static int most(LongArena arena, DType dtype) {
        return Math.toIntExact(Math.min(arena.size() / dtype.bytes() - 4, LongSizes.MOST_ELEMENTS));
    }

    /** Catches mirrors that one way of writing leaves out, or ends at a length. */
    @Test
    default void optional_22_20_longMirrorsFollowEveryWay() {
        assumeCapability(Capability.F16_SHADOW);
        long size = Math.min(LongArenas.most(this), device().limits().maxBindingBytes() / 2);
        int most = Math.toIntExact(size / 4 & -2);
        MemorySegment halves = LongData.encoded(DType.F16, 5, most);
        float[] floats = LongData.floats(DType.F16, halves);
        try (DeviceArena arena = open(ExamplePlan.node1(4L * most));
                FloatMemory memory = new FloatMemory(arena, most)) {
            F16Shadow shadow = Shadows.of(arena);
            if (!shadow.fits(NODE_1)) {
                throw skip("its mirrors do not fit a value of " + most + " elements");
            }
            MemorySegment model = LongArenas.array(2L * most).asSlice(0, 2L * most);
            MemorySegment mirror = LongArenas.array(2L * most).asSlice(0, 2L * most);
            int beside = 64; // bytes behind the elements just written
            int turn = 0;
            for (FloatWrite way : FloatWrite.values()) {
                for (int count : LongSizes.counts(turn++, most)) {
                    way.write(memory, NODE_1, DType.F32, floats, most - count);
                    MemorySegment.copy(halves, 2L * (most - count), model, 0, 2L * count);
                    long checked = Math.min(2L * most, 2L * count + beside);
                    shadow.readBytes(0, mirror.asSlice(0, checked));
                    LongArena.same(
                            "mirror after " + count + " elements by " + way,
                            0,
                            model.asSlice(0, checked),
                            mirror.asSlice(0, checked));
                    Check.same("isStale after " + way, false, shadow.isStale(NODE_1));
                }
                shadow.readBytes(0, mirror);
                LongArena.same("mirror after all counts by " + way, 0, model, mirror);
            }
        }
    }
}
