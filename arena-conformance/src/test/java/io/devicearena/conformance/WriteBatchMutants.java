package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Faults in batches of writes. */
final class WriteBatchMutants {
    private WriteBatchMutants() {}

    /** Changes the regions of a batch, or when they are written. */
    private interface Writes {
        void write(Batching arena, List<Batch.Region> regions);
    }

    /** An arena whose batches are written in a wrong way. */
    private static class Batching extends ReferenceArena {
        private final Writes writes;

        Batching(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g, Writes writes) {
            super(d, p, o, g);
            this.writes = writes;
        }

        @Override
        void writeRegions(List<Batch.Region> regions) {
            writes.write(this, regions);
        }

        void each(List<Batch.Region> regions) {
            super.writeRegions(regions);
        }

        /** Writes a value's first byte again, without its mirror. */
        void touched(NodeId id) {
            long offset = require(id).offset();
            writeRaw(offset, memory.asSlice(offset, 1));
        }
    }

    private static Mutant writing(String fault, String clause, String text, Writes writes) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new Batching(d, p, o, g, writes));
    }

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "batches of writes are not implemented",
                        "2.1",
                        "threw java.lang.UnsupportedOperationException: writeBatch: not a method of the arenas of provider 'reference'",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBatch(Batch batch) {
                                requireOpen();
                                throw new UnsupportedOperationException("writeBatch: not a method of the arenas of"
                                        + " provider 'reference'; write one by one");
                            }
                        }),
                writing("elements in a batch are left out", "2.1", "bytes read from offset", (arena, regions) -> {
                    for (Batch.Region region : regions) {
                        if (!(region instanceof Batch.Elements)) {
                            arena.writeRegion(region, region.memory());
                        }
                    }
                }),
                writing(
                        "floats in a batch reach past their value",
                        "2.1",
                        "threw java.lang.IndexOutOfBoundsException: Out of bound access",
                        (arena, regions) -> {
                            arena.each(regions);
                            for (Batch.Region region : regions) {
                                if (region instanceof Batch.Floats floats && floats.dtype() == DType.F32) {
                                    long most = Math.min(region.memory().byteSize(), 40);
                                    arena.put(
                                            arena.require(floats.node()).offset(),
                                            region.memory().asSlice(0, most));
                                }
                            }
                        }),
                writing(
                        "the last region of a large batch is lost",
                        "2.1",
                        "bytes read from offset",
                        (arena, regions) ->
                                arena.each(regions.size() > 13 ? regions.subList(0, regions.size() - 1) : regions)),
                writing(
                        "a batch is written from its end",
                        "2.1",
                        "bytes read from offset",
                        (arena, regions) -> arena.each(regions.reversed())),
                writing("raw ranges are written first", "2.1", "bytes read from offset", (arena, regions) -> {
                    arena.each(regions.stream()
                            .filter(Batch.Bytes.class::isInstance)
                            .toList());
                    arena.each(regions.stream()
                            .filter(region -> !(region instanceof Batch.Bytes))
                            .toList());
                }),
                writing("of overlapping ranges the longest wins", "2.3", "bytes read from offset", (arena, regions) -> {
                    List<Batch.Region> sorted = new ArrayList<>(regions);
                    if (regions.size() == 40) {
                        sorted.sort((a, b) ->
                                Long.compare(a.memory().byteSize(), b.memory().byteSize()));
                    }
                    arena.each(sorted);
                }),
                Mutant.of(
                        "a batch is half written before its error",
                        "5.1",
                        "arena after writeBatch of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBatch(Batch batch) {
                                requireOpen();
                                for (Batch.Region region : batch.regions()) {
                                    requireWrite(region);
                                    writeRegion(region, region.memory());
                                }
                            }
                        }),
                Mutant.of(
                        "ranges of a batch are checked when they are written",
                        "5.1",
                        "arena after writeBatch of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireWrite(Batch.Region region) {
                                if (!(region instanceof Batch.Bytes)) {
                                    super.requireWrite(region);
                                }
                            }

                            @Override
                            void writeRegion(Batch.Region region, MemorySegment source) {
                                super.requireWrite(region);
                                super.writeRegion(region, source);
                            }
                        }),
                Mutant.of(
                        "closed sources of a batch are left out",
                        "5.1",
                        "a source that is closed",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBatch(Batch batch) {
                                requireOpen();
                                Batch.Builder alive = Batch.builder();
                                if (batch.regions().stream()
                                        .allMatch(region ->
                                                region.memory().scope().isAlive())) {
                                    super.writeBatch(batch);
                                } else {
                                    super.writeBatch(alive.build());
                                }
                            }
                        }),
                writing("an empty region ends the batch", "2.1", "bytes read from offset", (arena, regions) -> {
                    for (Batch.Region region : regions) {
                        if (region.memory().byteSize() == 0 && regions.size() == 3) {
                            return;
                        }
                        arena.writeRegion(region, region.memory());
                    }
                }),
                Mutant.of(
                        "an empty batch is refused",
                        "2.3",
                        "threw java.lang.IllegalArgumentException: batch: expected a region, got none; seed",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBatch(Batch batch) {
                                requireOpen();
                                if (batch.regions().isEmpty()) {
                                    throw new IllegalArgumentException("batch: expected a region, got none");
                                }
                                super.writeBatch(batch);
                            }
                        }),
                Mutant.of(
                        "a batch reads its sources when the arena is used next",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private List<Batch.Region> later = List.of();

                            @Override
                            synchronized void writeRegions(List<Batch.Region> regions) {
                                super.writeRegions(regions);
                                if (regions.stream()
                                        .allMatch(region -> region.memory().isReadOnly())) {
                                    later = regions;
                                }
                            }

                            @Override
                            synchronized void get(long offset, MemorySegment destination) {
                                super.writeRegions(later);
                                later = List.of();
                                super.get(offset, destination);
                            }
                        }),
                writing(
                        "sources at odd addresses are read from even ones",
                        "2.1",
                        "threw java.lang.IndexOutOfBoundsException: Out of bound access on segment MemorySeg",
                        (arena, regions) -> {
                            for (Batch.Region region : regions) {
                                MemorySegment source = region.memory();
                                boolean odd = region instanceof Batch.Bytes
                                        && source.isReadOnly()
                                        && source.address() % 2 == 1;
                                arena.writeRegion(region, odd ? source.asSlice(1) : source);
                            }
                        }),
                writing("read-only sources are written as zeros", "2.1", "bytes read from offset", (arena, regions) -> {
                    for (Batch.Region region : regions) {
                        MemorySegment source = region.memory();
                        arena.writeRegion(
                                region,
                                source.isReadOnly()
                                        ? MemorySegment.ofArray(new byte[(int) source.byteSize()])
                                        : source);
                    }
                }),
                Mutant.of(
                        "a batch that is written again writes the old bytes",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Map<List<Batch.Region>, List<byte[]>> known = new HashMap<>();

                            @Override
                            synchronized void writeRegions(List<Batch.Region> regions) {
                                List<byte[]> first = known.computeIfAbsent(
                                        regions,
                                        key -> key.stream()
                                                .map(region -> region.memory().toArray(Batches.BYTE))
                                                .toList());
                                for (int i = 0; i < first.size(); i++) {
                                    writeRegion(regions.get(i), MemorySegment.ofArray(first.get(i)));
                                }
                            }
                        }),
                Mutant.of(
                        "a batch waits for the next write",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private List<Runnable> waiting = new ArrayList<>();

                            @Override
                            synchronized void writeRegions(List<Batch.Region> regions) {
                                if (regions.size() == 1
                                        && regions.getFirst().memory().byteSize() == 8) {
                                    byte[] bytes = regions.getFirst().memory().toArray(Batches.BYTE);
                                    waiting.add(
                                            () -> super.writeRegion(regions.getFirst(), MemorySegment.ofArray(bytes)));
                                } else {
                                    super.writeRegions(regions);
                                }
                            }

                            @Override
                            synchronized void put(long offset, MemorySegment source) {
                                if (waiting != null) {
                                    List<Runnable> now = waiting;
                                    waiting = new ArrayList<>();
                                    now.forEach(Runnable::run);
                                }
                                super.put(offset, source);
                            }
                        }),
                Mutant.of(
                        "a read that was begun sees the batch after it",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private boolean written;

                            @Override
                            void writeRegions(List<Batch.Region> regions) {
                                super.writeRegions(regions);
                                written = true;
                            }

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                written = false;
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    void deliver() {
                                        super.deliver();
                                        if (written) {
                                            readRegions(regions);
                                        }
                                    }
                                };
                            }
                        }),
                writing(
                        "a batch has room for 512 regions",
                        "2.3",
                        "bytes read from offset",
                        (arena, regions) -> arena.each(regions.size() > 512 ? regions.subList(0, 512) : regions)),
                writing("a large region ends after 64 KiB", "2.1", "bytes read from offset", (arena, regions) -> {
                    for (Batch.Region region : regions) {
                        long most = Math.min(region.memory().byteSize(), 1 << 16);
                        arena.writeRegion(region, region.memory().asSlice(0, most));
                    }
                }),
                writing(
                        "an element region ends where its first segment ends",
                        "2.1",
                        "bytes read from offset",
                        (arena, regions) -> {
                            for (Batch.Region region : regions) {
                                long most = region instanceof Batch.Elements ? 1 << 16 : Long.MAX_VALUE;
                                arena.writeRegion(
                                        region,
                                        region.memory()
                                                .asSlice(
                                                        0,
                                                        Math.min(region.memory().byteSize(), most)));
                            }
                        }),
                Mutant.of(
                        "two batches share one staging buffer",
                        "9.2",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final MemorySegment staging = MemorySegment.ofArray(new byte[8]);
                            private final Meeting meeting = new Meeting();

                            @Override
                            void writeRegion(Batch.Region region, MemorySegment source) {
                                if (source.byteSize() > 8) {
                                    super.writeRegion(region, source);
                                    return;
                                }
                                MemorySegment part = staging.asSlice(0, source.byteSize());
                                boolean first = meeting.isFirst();
                                part.copyFrom(source);
                                if (first) {
                                    meeting.awaitSecond();
                                }
                                super.writeRegion(region, part);
                                meeting.pass();
                            }
                        }),
                writing(
                        "raw ranges of a batch leave a mirror fresh",
                        "12.5",
                        "isStale of node 1 after writeBatch to bytes of two",
                        (arena, regions) -> {
                            for (Batch.Region region : regions) {
                                if (region instanceof Batch.Bytes bytes) {
                                    arena.put(bytes.offset(), region.memory());
                                } else {
                                    arena.writeRegion(region, region.memory());
                                }
                            }
                        }),
                writing(
                        "floats of a batch leave a mirror stale",
                        "2.1",
                        "threw java.lang.IndexOutOfBoundsException: Out of bound access on segment MemorySeg",
                        (arena, regions) -> {
                            for (Batch.Region region : regions) {
                                arena.writeRegion(region, region.memory());
                                if (region instanceof Batch.Floats floats && floats.dtype() == DType.F32) {
                                    arena.touched(floats.node());
                                }
                            }
                        }));
    }
}
