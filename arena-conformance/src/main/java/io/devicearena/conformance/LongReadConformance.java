package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.Capability;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.conformance.data.LongArena;
import io.devicearena.conformance.data.LongData;
import io.devicearena.conformance.data.LongRegions;
import io.devicearena.conformance.data.LongSizes;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Group 22, second part: long reads by every way out, and the zeros of long arenas.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface LongReadConformance extends ConformanceTopic {
    /** Catches a piece that is lost, and one that lands beside its destination. */
    @Test
    default void required_22_2_longReadsFillEveryDestination() {
        try (LongArena arena = LongArenas.open(this);
                Arena memory = Arena.ofConfined()) {
            arena.fill();
            long size = arena.size();
            MemorySegment bytes = LongArenas.array(size);
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

    /** Catches a long region that is lost, and a region among many that lands elsewhere. */
    @Test
    default void required_22_8_longAndManyRegionsAreRead() {
        try (LongArena arena = LongArenas.open(this);
                Arena memory = Arena.ofShared()) {
            arena.fill();
            long size = arena.size();
            MemorySegment bytes = LongArenas.array(size);
            MemorySegment direct = memory.allocate(size + 16, 8);
            int turn = 1;
            for (MemorySegment destination : List.of(bytes, direct)) {
                arena.reads(
                        "a region of bytes",
                        destination,
                        LongSizes.of(turn++, 1, size),
                        (offset, part) -> arena.arena().readBatch(Batches.bytes(offset, part)));
                for (long length : LongSizes.ofShort(turn, 8, size)) {
                    arena.read(
                            "a region of elements",
                            destination,
                            0,
                            length,
                            (offset, part) -> arena.arena().readBatch(Batches.elements(NODE_1, DType.U64, part)));
                }
            }
            MemorySegment expected = LongArenas.array(size);
            for (LongRegions regions : LongRegions.every()) {
                long room = size / 2;
                MemorySegment destination = regions.isDeferred() ? direct : bytes;
                expected.fill((byte) 0);
                destination.fill((byte) 0);
                Batch.Builder batch = Batch.builder();
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

    /** Catches an arena that is zeroed up to a length, or page by page, where memory was used before. */
    @Test
    default void required_22_13_longArenasAreZeroed() {
        long most = LongArenas.most(this);
        MemorySegment zeros = LongArenas.array(most);
        MemorySegment destination = LongArenas.array(most);
        for (long size : LongSizes.ofMemory(most)) {
            if (size <= device().limits().maxArenaBytes()) {
                for (int round = 0; round < 2; round++) {
                    try (DeviceArena arena = open(ExamplePlan.bytes(size))) {
                        MemorySegment bytes = destination.asSlice(0, size).fill((byte) 0x3C);
                        arena.readBytes(0, bytes);
                        LongArena.same("new arena of " + size + " bytes", 0, zeros.asSlice(0, size), bytes);
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
        try (LongArena arena = LongArenas.open(this)) {
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

    /** Catches a segment that is the arena for its first bytes only. */
    @Test
    default void optional_22_16_longDataShowsInTheSegment() {
        assumeCapability(Capability.HOST_MEMORY);
        try (LongArena arena = LongArenas.open(this)) {
            arena.fill();
            MemorySegment memory = arena.arena().unwrap(MemorySegment.class).orElseThrow();
            arena.compare("segment after a long write", 0, memory);
            MemorySegment data = arena.words(arena.size());
            memory.copyFrom(data);
            arena.expect(0, data);
            arena.check("arena after a write into its segment");
        }
    }

    /** Catches a deferred read that loses a piece, and a cast of one that goes on with the wrong element. */
    @Test
    default void required_22_18_longDeferredReadsAreExact() {
        try (LongArena arena = LongArenas.open(this);
                Arena memory = Arena.ofShared()) {
            arena.fill();
            long size = arena.size();
            MemorySegment bytes = LongArenas.array(size);
            MemorySegment direct = memory.allocate(size + 16, 8);
            arena.reads(
                    "beginRead into byte[]",
                    bytes,
                    LongSizes.of(3, 1, size),
                    (offset, part) ->
                            arena.arena().beginRead(Batches.bytes(offset, part)).await());
            arena.reads(
                    "beginRead into native memory",
                    direct,
                    LongSizes.of(2, 1, size),
                    (offset, part) ->
                            arena.arena().beginRead(Batches.bytes(offset, part)).await());
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
                            .beginRead(Batches.floats(NODE_1, dtype, part))
                            .await();
                    String what = "beginRead of " + count + " elements of " + dtype.label();
                    Check.same(what, (long) count, read);
                    LongArena.same(what, 0, floats.asSlice(0, 4L * count), part);
                }
            }
        }
    }
}
