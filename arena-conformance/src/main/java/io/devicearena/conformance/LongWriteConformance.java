package io.devicearena.conformance;

import static io.devicearena.conformance.ExamplePlan.NODE_1;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.HostMemory;
import io.devicearena.Transfer;
import io.devicearena.conformance.data.LongArena;
import io.devicearena.conformance.data.LongProgress;
import io.devicearena.conformance.data.LongRegions;
import io.devicearena.conformance.data.LongSizes;
import io.devicearena.conformance.data.LongSource;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/**
 * Group 22, first part: long writes, fills and copies, by every way in, of data in which every word differs.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public interface LongWriteConformance extends ConformanceTopic {
    /** Catches a piece that is lost or misplaced, and sources that are read when the call has returned. */
    @Test
    default void required_22_1_longWritesTakeEverySource() {
        try (LongArena arena = LongArenas.open(this)) {
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

    /** Catches offsets within a value that are lost behind the first piece. */
    @Test
    default void required_22_5_longPartsOfValuesAreWritten() {
        try (LongArena arena = LongArenas.open(this);
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
        try (LongArena arena = LongArenas.open(this);
                LongSource bytes = LongSource.of(LongSource.Kind.BYTES, arena.size());
                LongSource direct = LongSource.of(LongSource.Kind.READ_ONLY_NATIVE, arena.size())) {
            int turn = 3;
            for (LongSource source : List.of(bytes, direct)) {
                arena.writes(
                        "a region of bytes",
                        source,
                        LongSizes.of(turn++, 1, arena.size()),
                        (offset, data) -> arena.arena().writeBatch(Batches.bytes(offset, data)));
                for (long length : LongSizes.of(turn, 8, arena.size())) {
                    arena.write(
                            "a region of elements",
                            source,
                            0,
                            length,
                            (offset, data) -> arena.arena().writeBatch(Batches.elements(NODE_1, DType.I64, data)));
                }
            }
            arena.check("arena after long regions");
        }
    }

    /** Catches a region that is lost among many, and neighbours that are merged into a wrong range. */
    @Test
    default void required_22_7_manyRegionsOfABatchAreWritten() {
        try (LongArena arena = LongArenas.open(this)) {
            long room = arena.size() / 2;
            for (LongRegions regions : LongRegions.every()) {
                try (LongSource source = LongSource.of(regions.kind(), room)) {
                    MemorySegment data = arena.words(room);
                    MemorySegment held = source.hold(data);
                    Batch.Builder batch = Batch.builder();
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

    /** Catches a piece that is written twice or not at all, and figures that are not those of the bytes written. */
    @Test
    default void required_22_9_longUploadsReportWhatIsWritten() {
        try (LongArena arena = LongArenas.open(this);
                LongSource mapped = LongSource.of(LongSource.Kind.MAPPED_FILE, arena.size());
                LongSource direct = LongSource.of(LongSource.Kind.NATIVE, arena.size())) {
            arena.writes("writeBytes with progress", mapped, LongSizes.of(5, 1, arena.size()), (offset, data) -> {
                LongProgress progress = new LongProgress(data.byteSize(), 0);
                arena.arena().writeBytes(offset, data, progress);
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
                MemorySegment reported = LongArenas.array(progress.last()).asSlice(0, progress.last());
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

    /** Catches a deferred write that takes bytes of a later time, and a write that is done too early. */
    @Test
    default void required_22_10_longDeferredWritesAreSeenAtOnce() {
        try (LongArena arena = LongArenas.open(this);
                LongSource bytes = LongSource.of(LongSource.Kind.BYTES, arena.size());
                LongSource direct = LongSource.of(LongSource.Kind.NATIVE, arena.size());
                HostMemory host = arena.arena().allocateHost(arena.size() + 16)) {
            int turn = 7;
            for (LongSource source : List.of(bytes, direct)) {
                // memory of the caller is free when the call returns, whether the write is done or not
                arena.writes(
                        "beginWrite",
                        source,
                        LongSizes.of(turn++, 1, arena.size()),
                        (offset, data) -> arena.arena().beginWrite(Batches.bytes(offset, data)));
            }
            LongSource source = LongSource.of(host);
            for (long length : LongSizes.of(turn, 1, arena.size())) {
                long offset = arena.place(length);
                MemorySegment data = arena.words(length);
                Transfer write = arena.arena().beginWrite(Batches.bytes(offset, source.hold(data)));
                arena.expect(offset, data);
                if (turn++ % 2 == 0) {
                    arena.check("arena before the write of a write of " + length + " bytes", offset, length);
                }
                write.await();
                Check.same("state of a write that was awaited", Transfer.State.DONE, write.state());
                source.change();
                arena.check("arena behind the write of a write of " + length + " bytes", offset, length);
            }
            arena.check("arena after long deferred writes");
        }
    }

    /** Catches host memory that is shorter than requested, zeroed in part, or read when the call has returned. */
    @Test
    default void required_22_11_longHostMemoryIsSourceAndDestination() {
        try (LongArena arena = LongArenas.open(this)) {
            long[] lengths = LongSizes.of(2, 1, arena.size());
            MemorySegment zeros = LongArenas.array(arena.size());
            for (long length : LongSizes.ofMemory(arena.size())) {
                for (int round = 0; round < 2; round++) {
                    try (HostMemory host = arena.arena().allocateHost(length)) {
                        LongArena.same(
                                "new host memory of " + length + " bytes", 0, zeros.asSlice(0, length), host.segment());
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
        try (LongArena arena = LongArenas.open(this)) {
            arena.fill();
            for (long length : LongSizes.of(3, 1, arena.size())) {
                long offset = arena.place(length);
                byte value = (byte) length;
                arena.arena().fillBytes(offset, length, value);
                arena.expected(offset, length).fill(value);
                arena.check("fillBytes of " + length + " bytes", offset, length);
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

    /** Catches staging that is used again before the device has read it. */
    @Test
    default void required_22_15_longWritesMayFollowEachOther() {
        try (LongArena arena = LongArenas.open(this);
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
                        case 2 -> arena.arena().beginWrite(Batches.bytes(at, held));
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
}
