package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.HostMemory;
import io.devicearena.ReadBatch;
import io.devicearena.WriteBatch;
import io.devicearena.WriteFence;
import io.devicearena.conformance.data.LongArena;
import io.devicearena.conformance.data.LongData;
import io.devicearena.conformance.data.LongProgress;
import io.devicearena.conformance.data.LongRegions;
import io.devicearena.conformance.data.LongSizes;
import io.devicearena.conformance.data.LongSource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/**
 * Group 22: every way in and out, with lengths of 64 KiB to 33 MiB and data in which every word differs.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface LongDataConformance extends ConformanceTopic {
    /** The longest length, at some place. */
    private long most() {
        long longest = Iterations.of(100) < 100 ? (1 << 20) + 8 : LongSizes.MOST; // less effort: up to 1 MiB
        return Math.min(longest + 65_549, device().limits().maxArenaBytes());
    }

    /** An arena of one value without a type, which lies at its beginning and ends with it. */
    private LongArena openLong() {
        return new LongArena(
                open(ExamplePlan.node1(most()), ArenaOptions.defaults().withF16Shadow(F16ShadowMode.OFF)));
    }

    private static MemorySegment array(long bytes) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(bytes + 16)]);
    }

    /** Catches a piece that is lost or misplaced, and sources that are read when the call has returned. */
    @Test
    default void required_22_1_longWritesTakeEverySource() {
        try (LongArena arena = openLong()) {
            int turn = 0;
            for (LongSource.Kind kind : LongSource.Kind.values()) {
                try (LongSource source = LongSource.of(kind, arena.size())) {
                    long[] lengths = turn < 3 ? LongSizes.of(turn, 1, arena.size()) : LongSizes.few(turn, arena.size());
                    turn++;
                    arena.writes("writeBytes", source, lengths, arena.arena()::writeBytes);
                }
            }
            arena.check("arena after long writes");
        }
    }

    /** Catches a piece that is lost, and one that lands beside its destination. */
    @Test
    default void required_22_2_longReadsFillEveryDestination() {
        try (LongArena arena = openLong();
                Arena memory = Arena.ofConfined()) {
            arena.fill();
            long size = arena.size();
            MemorySegment bytes = array(size);
            arena.reads("readBytes into byte[]", bytes, LongSizes.of(0, 1, size), arena.arena()::readBytes);
            MemorySegment direct = memory.allocate(size + 16, 8);
            arena.reads("readBytes into native memory", direct, LongSizes.of(1, 1, size), arena.arena()::readBytes);
            MemorySegment longs = MemorySegment.ofArray(new long[Math.toIntExact(size / 8 + 3)]);
            arena.reads("readBytes into long[]", longs, LongSizes.few(2, size), arena.arena()::readBytes);
            arena.reads(
                    "readValueBytes",
                    direct,
                    LongSizes.few(4, size),
                    (offset, part) -> arena.arena().readValueBytes(NODE_1, offset, part));
        }
    }

    /** Catches a cast that goes on with the wrong element behind a piece. */
    @Test
    default void required_22_3_longFloatsComeBack() {
        int turn = 0;
        int round = 0;
        try (LongArena arena = openLong();
                Arena memory = Arena.ofConfined()) {
            for (DType dtype : TestData.HOST_FLOATS) {
                int most = Math.toIntExact(arena.size() / 4 & -2);
                MemorySegment encoded = LongData.encoded(dtype, 3 + turn, most);
                float[] floats = LongData.floats(dtype, encoded);
                MemorySegment direct = memory.allocate(4L * most + 5);
                float[] source = new float[most];
                float[] read = new float[most];
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

    /** Catches a fault of one type alone. */
    @Test
    default void required_22_4_longElementsOfEveryTypeComeBack() {
        try (LongArena arena = openLong();
                LongSource source = LongSource.of(LongSource.Kind.NATIVE, arena.size())) {
            MemorySegment destination = array(arena.size());
            int turn = 0;
            for (DType dtype : DType.values()) {
                long size = arena.size() / dtype.bytes() * dtype.bytes();
                long[] lengths = LongSizes.of(turn, dtype.bytes(), size);
                long[] chosen = {lengths[turn % 9], lengths[lengths.length - 1]};
                for (long length : chosen) {
                    arena.write(
                            "writeValue of " + dtype.label(),
                            source,
                            0,
                            length,
                            (offset, data) -> arena.arena().writeValue(NODE_1, dtype, data));
                    arena.read(
                            "readValue of " + dtype.label(),
                            destination,
                            0,
                            length,
                            (offset, part) -> Check.same(
                                    "elements of " + dtype.label() + " read",
                                    length / dtype.bytes(),
                                    arena.arena().readValue(NODE_1, dtype, part)));
                }
                turn++;
            }
        }
    }

    /** Catches offsets within a value that are lost behind the first piece. */
    @Test
    default void required_22_5_longPartsOfValuesAreWritten() {
        try (LongArena arena = openLong();
                LongSource source = LongSource.of(LongSource.Kind.READ_ONLY_BYTES, arena.size())) {
            arena.writes(
                    "writeValueBytes",
                    source,
                    LongSizes.of(2, 1, arena.size()),
                    (offset, data) -> arena.arena().writeValueBytes(NODE_1, offset, data));
            arena.check("arena after long parts of values");
        }
    }

    /** Catches a batch that loses a long region, and sources that are read when the call has returned. */
    @Test
    default void required_22_6_longRegionsOfABatchAreWritten() {
        try (LongArena arena = openLong();
                LongSource bytes = LongSource.of(LongSource.Kind.BYTES, arena.size());
                LongSource direct = LongSource.of(LongSource.Kind.READ_ONLY_NATIVE, arena.size())) {
            int turn = 3;
            for (LongSource source : List.of(bytes, direct)) {
                arena.writes(
                        "a region of bytes",
                        source,
                        LongSizes.of(turn++, 1, arena.size()),
                        (offset, data) -> arena.arena()
                                .writeBatch(
                                        WriteBatch.builder().bytes(offset, data).build()));
                for (long length : LongSizes.of(turn, 8, arena.size())) {
                    arena.write(
                            "a region of elements",
                            source,
                            0,
                            length,
                            (offset, data) -> arena.arena()
                                    .writeBatch(WriteBatch.builder()
                                            .elements(NODE_1, DType.I64, data)
                                            .build()));
                }
            }
            arena.check("arena after long regions");
        }
    }

    /** Catches a region that is lost among many, and neighbours that are merged into a wrong range. */
    @Test
    default void required_22_7_manyRegionsOfABatchAreWritten() {
        try (LongArena arena = openLong()) {
            long room = arena.size() / 2;
            for (LongRegions regions : LongRegions.every()) {
                try (LongSource source = LongSource.of(regions.kind(), room)) {
                    MemorySegment data = arena.words(room);
                    MemorySegment held = source.hold(data);
                    WriteBatch.Builder batch = WriteBatch.builder();
                    long end = regions.forEach(room, (offset, part, length) -> {
                        batch.bytes(offset, held.asSlice(part, length));
                        arena.expect(offset, data.asSlice(part, length));
                    });
                    if (regions.isDeferred()) {
                        arena.arena().beginWrite(batch.build()).await();
                    } else {
                        arena.arena().writeBatch(batch.build());
                    }
                    source.change();
                    arena.check("arena after a batch of " + regions, 0, end);
                }
            }
            arena.check("arena after batches of many regions");
        }
    }

    /** Catches a long region that is lost, and a region among many that lands elsewhere. */
    @Test
    default void required_22_8_longAndManyRegionsAreRead() {
        try (LongArena arena = openLong();
                Arena memory = Arena.ofShared()) {
            arena.fill();
            long size = arena.size();
            MemorySegment bytes = array(size);
            MemorySegment direct = memory.allocate(size + 16, 8);
            int turn = 1;
            for (MemorySegment destination : List.of(bytes, direct)) {
                arena.reads(
                        "a region of bytes",
                        destination,
                        LongSizes.of(turn++, 1, size),
                        (offset, part) -> arena.arena()
                                .readBatch(
                                        ReadBatch.builder().bytes(offset, part).build()));
                for (long length : LongSizes.ofShort(turn, 8, size)) {
                    arena.read(
                            "a region of elements",
                            destination,
                            0,
                            length,
                            (offset, part) -> arena.arena()
                                    .readBatch(ReadBatch.builder()
                                            .elements(NODE_1, DType.U64, part)
                                            .build()));
                }
            }
            for (LongRegions regions : LongRegions.every()) {
                long room = size / 2;
                MemorySegment destination = regions.isDeferred() ? direct : bytes;
                MemorySegment expected = array(size);
                destination.fill((byte) 0);
                ReadBatch.Builder batch = ReadBatch.builder();
                long[] sum = new long[1];
                regions.forEach(room, (offset, part, length) -> {
                    batch.bytes(offset, destination.asSlice(part, length));
                    MemorySegment.copy(arena.expected(offset, length), 0, expected, part, length);
                    sum[0] += length;
                });
                long count = regions.isDeferred()
                        ? arena.arena().beginRead(batch.build()).await()
                        : arena.arena().readBatch(batch.build());
                Check.same("result of a batch of " + regions, sum[0], count);
                LongArena.same(
                        "destinations of " + regions, 0, expected.asSlice(0, room), destination.asSlice(0, room));
            }
        }
    }

    /** Catches a piece that is written twice or not at all, and figures that are not those of the bytes written. */
    @Test
    default void required_22_9_longUploadsReportWhatIsWritten() {
        try (LongArena arena = openLong();
                LongSource mapped = LongSource.of(LongSource.Kind.MAPPED_FILE, arena.size());
                LongSource direct = LongSource.of(LongSource.Kind.NATIVE, arena.size())) {
            arena.writes("writeBytes with progress", mapped, LongSizes.of(5, 1, arena.size()), (offset, data) -> {
                LongProgress progress = new LongProgress(data.byteSize(), 0);
                arena.arena().writeBytes(offset, data, progress);
                progress.end();
            });
            arena.writes("writeValueBytes with progress", direct, LongSizes.of(4, 1, arena.size()), (offset, data) -> {
                LongProgress progress = new LongProgress(data.byteSize(), 0);
                arena.arena().writeValueBytes(NODE_1, offset, data, progress);
                progress.end();
            });
            arena.check("arena after long uploads");
            long length = Math.min(arena.size(), (5 << 20) + 3);
            for (int calls = 1; calls < 50; calls = 3 * calls + 1) {
                long offset = arena.place(length);
                MemorySegment data = arena.words(length);
                LongProgress progress = new LongProgress(length, calls);
                try {
                    arena.arena().writeBytes(offset, direct.hold(data), progress);
                    progress.end();
                } catch (CancellationException e) {
                    Check.same("message of what ended an upload", LongProgress.ENOUGH, String.valueOf(e.getMessage()));
                }
                direct.change();
                MemorySegment reported = array(progress.last()).asSlice(0, progress.last());
                arena.arena().readBytes(offset, reported);
                LongArena.same("bytes that an upload reported", offset, data.asSlice(0, progress.last()), reported);
                arena.write(
                        "the same upload again",
                        direct,
                        offset,
                        length,
                        (at, again) -> arena.arena().writeBytes(at, again));
            }
        }
    }

    /** Catches a deferred write that takes bytes of a later time, and a fence that is done too early. */
    @Test
    default void required_22_10_longDeferredWritesAreSeenAtOnce() {
        try (LongArena arena = openLong();
                LongSource bytes = LongSource.of(LongSource.Kind.BYTES, arena.size());
                LongSource direct = LongSource.of(LongSource.Kind.NATIVE, arena.size());
                HostMemory host = arena.arena().allocateHost(arena.size() + 16)) {
            int turn = 7;
            for (LongSource source : List.of(bytes, direct)) {
                // memory of the caller is free when the call returns, whether the fence is done or not
                arena.writes(
                        "beginWrite",
                        source,
                        LongSizes.of(turn++, 1, arena.size()),
                        (offset, data) -> arena.arena()
                                .beginWrite(
                                        WriteBatch.builder().bytes(offset, data).build()));
            }
            LongSource source = LongSource.of(host);
            for (long length : LongSizes.of(turn, 1, arena.size())) {
                long offset = arena.place(length);
                MemorySegment data = arena.words(length);
                WriteFence fence = arena.arena()
                        .beginWrite(WriteBatch.builder()
                                .bytes(offset, source.hold(data))
                                .build());
                arena.expect(offset, data);
                if (turn++ % 2 == 0) {
                    arena.check("arena before the fence of a write of " + length + " bytes", offset, length);
                }
                fence.await();
                Check.same("isDone of a fence that was awaited", true, fence.isDone());
                source.change();
                arena.check("arena behind the fence of a write of " + length + " bytes", offset, length);
            }
            arena.check("arena after long deferred writes");
        }
    }

    /** Catches host memory that is shorter than requested, zeroed in part, or read when the call has returned. */
    @Test
    default void required_22_11_longHostMemoryIsSourceAndDestination() {
        try (LongArena arena = openLong()) {
            long[] lengths = LongSizes.of(2, 1, arena.size());
            for (long length : new long[] {lengths[0], lengths[lengths.length / 2], lengths[lengths.length - 1]}) {
                for (int round = 0; round < 2; round++) {
                    try (HostMemory host = arena.arena().allocateHost(length)) {
                        MemorySegment zeros = array(length).asSlice(0, length);
                        LongArena.same("new host memory of " + length + " bytes", 0, zeros, host.segment());
                        host.segment().fill((byte) 0x5A);
                    }
                }
            }
            try (HostMemory host = arena.arena().allocateHost(arena.size() + 16)) {
                LongSource source = LongSource.of(host);
                arena.writes("writeBytes of host memory", source, lengths, arena.arena()::writeBytes);
                for (long length : LongSizes.few(3, arena.size())) {
                    arena.read(
                            "readBytes into host memory",
                            host.segment(),
                            arena.place(length),
                            length,
                            arena.arena()::readBytes);
                }
            }
            arena.check("arena after long writes from host memory");
        }
    }

    /** Catches fills and copies that end with a piece, and copies that read what they wrote. */
    @Test
    default void required_22_12_longFillsAndCopiesAreExact() {
        try (LongArena arena = openLong()) {
            arena.fill();
            for (long length : LongSizes.of(3, 1, arena.size())) {
                long offset = arena.place(length);
                byte value = (byte) length;
                arena.arena().fillBytes(offset, length, value);
                arena.expected(offset, length).fill(value);
                arena.check("fillBytes of " + length + " bytes", offset, length);
            }
            arena.fill();
            MemorySegment words = array(arena.size());
            for (long length : LongSizes.of(2, 4, arena.size())) {
                long offset = arena.place(length);
                int word = 0x01020304 * (int) (length / 4);
                arena.arena().fillWords(offset, length, word);
                MemorySegment pattern = words.asSlice(0, length);
                LongData.repeat(pattern, word);
                arena.expect(offset, pattern);
                arena.check("fillWords of " + length + " bytes", offset, length);
            }
            arena.fill();
            for (long length : LongSizes.of(5, 1, arena.size())) {
                long room = arena.size() - length;
                long near = Math.min(room, length % 2 == 0 ? 4 : 65_537);
                for (long[] copy : new long[][] {{0, near}, {near, 0}, {room, 0}}) {
                    arena.arena().copyBytes(copy[0], copy[1], length);
                    arena.expect(copy[1], arena.expected(copy[0], length));
                    arena.check(
                            "copyBytes of " + length + " bytes from " + copy[0] + " to " + copy[1], copy[1], length);
                }
                arena.write(0, arena.words(Math.min(arena.size(), 1 << 20)));
            }
            arena.check("arena after long fills and copies");
        }
    }

    /** Catches an arena that is zeroed up to a length, or page by page, where memory was used before. */
    @Test
    default void required_22_13_longArenasAreZeroed() {
        for (long size : new long[] {65_537, (1 << 20) + 1, (2 << 20) - 1, (8 << 20) + 4, (16 << 20) + 1, most()}) {
            if (size <= device().limits().maxArenaBytes()) {
                for (int round = 0; round < 2; round++) {
                    try (DeviceArena arena = open(ExamplePlan.bytes(size))) {
                        MemorySegment bytes = array(size).asSlice(0, size);
                        arena.readBytes(0, bytes);
                        LongArena.same(
                                "new arena of " + size + " bytes",
                                0,
                                array(size).asSlice(0, size),
                                bytes);
                        bytes.fill((byte) 0xA5);
                        arena.writeBytes(0, bytes);
                    }
                }
            }
        }
    }

    /** Catches a mapped view that ends with a piece, or shows one twice. */
    @Test
    default void required_22_14_longMappedViewsShowEveryByte() {
        try (LongArena arena = openLong()) {
            arena.fill();
            for (long length : LongSizes.of(4, 1, arena.size())) {
                long offset = arena.place(length);
                arena.arena().withBytes(offset, length, view -> {
                    Check.same("bytes of a mapped view", length, view.byteSize());
                    arena.compare("mapped view of " + length + " bytes", offset, view);
                    return length;
                });
            }
            arena.check("arena after long mapped views");
        }
    }

    /** Catches staging that is used again before the device has read it. */
    @Test
    default void required_22_15_longWritesMayFollowEachOther() {
        try (LongArena arena = openLong();
                LongSource direct = LongSource.of(LongSource.Kind.NATIVE, arena.size());
                LongSource bytes = LongSource.of(LongSource.Kind.BYTES, arena.size())) {
            for (long length : new long[] {65_537, 1 << 18, (1 << 20) - 1, (4 << 20) + 4}) {
                int turn = 0;
                for (long at = 0; at + length <= arena.size() && turn < 24; at += length - turn % 3) {
                    MemorySegment data = arena.words(length);
                    LongSource source = turn % 2 == 0 ? direct : bytes;
                    MemorySegment held = source.hold(data);
                    switch (turn % 4) {
                        case 0 -> arena.arena().writeBytes(at, held);
                        case 1 -> arena.arena().writeBytes(at, held, written -> {});
                        case 2 ->
                            arena.arena()
                                    .beginWrite(
                                            WriteBatch.builder().bytes(at, held).build());
                        default -> arena.arena().writeValueBytes(NODE_1, at, held);
                    }
                    source.change();
                    arena.expect(at, data);
                    turn++;
                }
                arena.check("arena after writes of " + length + " bytes without a read between them");
            }
        }
    }

    /** Catches a segment that is the arena for its first bytes only. */
    @Test
    default void optional_22_16_longDataShowsInTheSegment() {
        assumeCapability(Capability.HOST_MEMORY);
        try (LongArena arena = openLong()) {
            arena.fill();
            MemorySegment memory = arena.arena().hostMemory();
            arena.compare("segment after a long write", 0, memory);
            MemorySegment data = arena.words(arena.size());
            memory.copyFrom(data);
            arena.expect(0, data);
            arena.check("arena after a write into its segment");
        }
    }

    /** Catches mirrors of a long value that end with a piece. */
    @Test
    default void optional_22_17_longMirrorsAreMade() {
        assumeCapability(Capability.F16_SHADOW);
        long longest = Math.min(most(), (17 << 20) + 12);
        int elements = Math.toIntExact(Math.min(longest, device().limits().maxBindingBytes()) / 4 & -2);
        try (DeviceArena arena = open(ExamplePlan.node1(4L * elements))) {
            F16Shadow shadow = arena.f16Shadow();
            if (!shadow.fits(NODE_1)) {
                throw skip("its mirrors do not fit a value of " + elements + " elements");
            }
            MemorySegment mirror = array(2L * elements).asSlice(0, 2L * elements);
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

    /** Catches a deferred read that loses a piece, and a cast of one that goes on with the wrong element. */
    @Test
    default void required_22_18_longDeferredReadsAreExact() {
        try (LongArena arena = openLong();
                Arena memory = Arena.ofShared()) {
            arena.fill();
            long size = arena.size();
            MemorySegment bytes = array(size);
            MemorySegment direct = memory.allocate(size + 16, 8);
            arena.reads(
                    "beginRead into byte[]",
                    bytes,
                    LongSizes.of(3, 1, size),
                    (offset, part) -> arena.arena()
                            .beginRead(ReadBatch.builder().bytes(offset, part).build())
                            .await());
            arena.reads(
                    "beginRead into native memory",
                    direct,
                    LongSizes.of(2, 1, size),
                    (offset, part) -> arena.arena()
                            .beginRead(ReadBatch.builder().bytes(offset, part).build())
                            .await());
            for (DType dtype : TestData.HOST_FLOATS) {
                int most = Math.toIntExact(Math.min(size, 8 << 20) / 4);
                MemorySegment encoded = LongData.encoded(dtype, 9, most);
                MemorySegment floats = MemorySegment.ofArray(LongData.floats(dtype, encoded));
                arena.arena().writeBytes(0, encoded);
                for (int count : new int[] {16_385, 262_143, 1 << 19, most}) {
                    if (count > most) {
                        continue; // less effort, or a small device
                    }
                    MemorySegment part = direct.asSlice(4, 4L * count);
                    long read = arena.arena()
                            .beginRead(ReadBatch.builder()
                                    .output(NODE_1, dtype, part)
                                    .build())
                            .await();
                    String what = "beginRead of " + count + " elements of " + dtype.label();
                    Check.same(what, (long) count, read);
                    LongArena.same(what, 0, floats.asSlice(0, 4L * count), part);
                }
            }
        }
    }
}
