package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Faults that begin at a length, each in one way of the bytes. */
final class LongDataMutants {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private LongDataMutants() {}

    /** A step of an arena between the caller's memory and the arena's. */
    interface Move {
        void move(Moving arena, long offset, MemorySegment memory);
    }

    /** An arena that puts or gets in a wrong way. */
    static class Moving extends ReferenceArena {
        private final Move put;
        private final Move get;
        private final List<Runnable> later = new ArrayList<>();

        Moving(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g, Move put, Move get) {
            super(d, p, o, g);
            this.put = put;
            this.get = get;
        }

        void usualPut(long offset, MemorySegment source) {
            super.put(offset, source);
        }

        void usualGet(long offset, MemorySegment destination) {
            super.get(offset, destination);
        }

        /** Puts, and puts again what the source holds when the arena is read next. */
        void putAgainLater(long offset, MemorySegment source) {
            super.put(offset, source);
            synchronized (later) {
                later.add(() -> super.put(offset, source));
            }
        }

        @Override
        void put(long offset, MemorySegment source) {
            put.move(this, offset, source);
        }

        @Override
        void get(long offset, MemorySegment destination) {
            synchronized (later) {
                later.forEach(Runnable::run);
                later.clear();
            }
            get.move(this, offset, destination);
        }
    }

    private static Mutant.Maker moving(Move put, Move get) {
        return (d, p, o, g) -> new Moving(d, p, o, g, put, get);
    }

    static Mutant putting(String fault, String clause, String text, Move put) {
        return Mutant.of(fault, clause, text, moving(put, Moving::usualGet));
    }

    static Mutant getting(String fault, String clause, String text, Move get) {
        return Mutant.of(fault, clause, text, moving(Moving::usualPut, get));
    }

    /** Allocates with some bytes that are not zero. */
    interface Dirt {
        void spoil(MemorySegment memory);
    }

    static Mutant.Maker dirty(Dirt dirt) {
        return (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            MemorySegment allocate(Arena owner, long bytes) {
                MemorySegment memory = super.allocate(owner, bytes);
                dirt.spoil(memory);
                return memory;
            }
        };
    }

    /** Faults in raw writes and reads, and of memory that is not zeroed. */
    static List<Mutant> moves() {
        return List.of(
                putting(
                        "the last byte of a long write of an odd length is lost",
                        "2.2",
                        "bytes read from offset",
                        (arena, offset, source) -> {
                            long size = source.byteSize();
                            arena.usualPut(
                                    offset, size > 64 * KIB && size % 2 == 1 ? source.asSlice(0, size - 1) : source);
                        }),
                putting(
                        "the second piece of 256 KiB is lost behind 1 MiB",
                        "2.2",
                        "bytes read from offset",
                        (arena, offset, source) -> {
                            long size = source.byteSize();
                            if (size > MIB) {
                                arena.usualPut(offset, source.asSlice(0, 256 * KIB));
                                arena.usualPut(offset + 512 * KIB, source.asSlice(512 * KIB));
                            } else {
                                arena.usualPut(offset, source);
                            }
                        }),
                putting(
                        "a piece begins a word too early behind 1 MiB",
                        "2.2",
                        "bytes read from offset",
                        (arena, offset, source) -> {
                            arena.usualPut(offset, source);
                            if (source.byteSize() > MIB + 8) {
                                arena.usualPut(offset + MIB, source.asSlice(MIB - 4, 4));
                            }
                        }),
                putting(
                        "a piece is written twice at 2 MiB exactly",
                        "2.2",
                        "floats of value",
                        (arena, offset, source) -> {
                            arena.usualPut(offset, source);
                            if (source.byteSize() == 2 * MIB) {
                                arena.usualPut(offset + MIB, source.asSlice(0, MIB));
                            }
                        }),
                putting(
                        "long read-only sources are read again later",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, source) -> {
                            if (source.isReadOnly() && source.byteSize() >= 64 * KIB) {
                                arena.putAgainLater(offset, source);
                            } else {
                                arena.usualPut(offset, source);
                            }
                        }),
                putting(
                        "mapped files are read again later",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, source) -> {
                            if (source.isMapped()) {
                                arena.putAgainLater(offset, source);
                            } else {
                                arena.usualPut(offset, source);
                            }
                        }),
                putting(
                        "the end of long native memory is read again later",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, source) -> {
                            long size = source.byteSize();
                            arena.usualPut(offset, source);
                            if (source.isNative() && size > 256 * KIB) {
                                arena.putAgainLater(offset + size - 64, source.asSlice(size - 64));
                            }
                        }),
                getting(
                        "the last word of a long read into native memory is lost",
                        "2.1",
                        "floats of value",
                        (arena, offset, memory) -> {
                            long size = memory.byteSize();
                            arena.usualGet(
                                    offset,
                                    memory.isNative() && size > 256 * KIB ? memory.asSlice(0, size - 4) : memory);
                        }),
                getting(
                        "a long read into an array repeats a piece",
                        "2.2",
                        "bytes read from offset",
                        (arena, offset, memory) -> {
                            arena.usualGet(offset, memory);
                            if (!memory.isNative() && memory.byteSize() >= 2 * MIB - 4) {
                                MemorySegment.copy(memory, 0, memory, MIB, 64 * KIB);
                            }
                        }),
                Mutant.of("only the first MiB is zeroed", "2.2", "bytes read from offset", dirty(memory -> {
                    if (memory.byteSize() > MIB) {
                        memory.asSlice(MIB).fill((byte) 0x5A);
                    }
                })),
                Mutant.of(
                        "every other page of a long arena is zeroed", "2.2", "bytes read from offset", dirty(memory -> {
                            for (long at = 4096; memory.byteSize() > MIB && at + 4096 < memory.byteSize(); at += 8192) {
                                memory.asSlice(at, 4096).fill((byte) 0x5A);
                            }
                        })),
                Mutant.of(
                        "the last bytes of a long arena of an odd length are not zeroed",
                        "2.2",
                        "at the end",
                        dirty(memory -> {
                            long size = memory.byteSize();
                            if (size > MIB && size % 4 != 0) {
                                memory.asSlice(size & -4).fill((byte) 0x5A);
                            }
                        })));
    }

    /** Changes one way in or out. */
    private static Mutant.Maker batches(Function<List<Batch.Region>, List<Batch.Region>> change) {
        return (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            void writeRegions(List<Batch.Region> regions) {
                super.writeRegions(change.apply(regions));
            }
        };
    }

    /** Changes a typed write: which elements of a source are written where. */
    private static Mutant floats(String fault, String clause, String text, DType faulty, int elements) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                super.writeTyped(id, slot, dtype, source, count);
                if (dtype == faulty && count > elements) {
                    long from = slot.offset() + (long) elements * dtype.bytes();
                    MemorySegment.copy(memory, from - dtype.bytes(), memory, from, dtype.bytes());
                }
            }
        });
    }

    private static Mutant viewing(String fault, String clause, String text, int most) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                if (length <= most) {
                    return super.withCopy(offset, length, reader);
                }
                MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
                get(offset, copy);
                MemorySegment.copy(copy, 0, copy, most, Math.min(length - most, 64));
                return reader.apply(copy.asReadOnly());
            }
        });
    }

    /** Uploads with progress in pieces. */
    private interface Upload {
        void piece(ReferenceArena arena, int number, long offset, MemorySegment piece);
    }

    private static Mutant uploading(String fault, String clause, String text, Upload upload) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                int number = 0;
                for (long done = 0; done < source.byteSize(); number++) {
                    long length = Math.min(64 * KIB, source.byteSize() - done);
                    upload.piece(this, number, offset + done, source.asSlice(done, length));
                    done += length;
                    progress.accept(done);
                }
            }
        });
    }

    /** Faults of typed values, batches, uploads, host memory, fills, copies and mapped views. */
    static List<Mutant> ways() {
        return List.of(
                floats("a long F32 write repeats an element at 1 MiB", "2.2", "floats of value", DType.F32, MIB / 4),
                floats(
                        "a long BF16 write repeats an element at 64 KiB",
                        "2.1",
                        "floats of value",
                        DType.BF16,
                        64 * KIB / 4),
                Mutant.of(
                        "a long F16 read repeats an element",
                        "2.2",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
                                super.readTyped(id, slot, dtype, destination, count);
                                if (dtype == DType.F16 && count >= MIB / 4) {
                                    MemorySegment.copy(destination, 4, destination, MIB - 4, 4);
                                }
                            }
                        }),
                Mutant.of(
                        "long elements of I64 end a word early",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                boolean faulty = dtype == DType.I64 && source.byteSize() > 64 * KIB;
                                super.writeElements(
                                        id, dtype, faulty ? source.asSlice(0, source.byteSize() - 8) : source);
                            }
                        }),
                Mutant.of(
                        "long elements of BOOL are read a byte late",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readElements(NodeId id, DType dtype, MemorySegment destination) {
                                super.readElements(id, dtype, destination);
                                if (dtype == DType.BOOL && destination.byteSize() > 64 * KIB) {
                                    MemorySegment.copy(destination, 1, destination, 0, 64);
                                }
                            }
                        }),
                Mutant.of(
                        "long parts of values lose their offset behind 1 MiB",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
                                super.writeValueBytes(id, firstByte, data);
                                if (firstByte > 0 && data.byteSize() > MIB) {
                                    super.writeValueBytes(id, 0, data.asSlice(MIB, 1));
                                }
                            }
                        }),
                Mutant.of("a batch loses its region 4,097", "2.3", "bytes read from offset", batches(regions -> {
                    List<Batch.Region> kept = new ArrayList<>(regions);
                    if (kept.size() > 4097) {
                        kept.remove(4096);
                    }
                    return kept;
                })),
                Mutant.ofLarge(
                        "a batch loses its region 65 of long ones",
                        "2.3",
                        "bytes read from offset",
                        batches(regions -> {
                            List<Batch.Region> kept = new ArrayList<>(regions);
                            if (kept.size() > 64 && kept.getFirst().memory().byteSize() >= 64 * KIB) {
                                kept.remove(64);
                            }
                            return kept;
                        })),
                Mutant.of(
                        "a batch merges neighbours whose sources are in the opposite order",
                        "2.3",
                        "bytes read from offset",
                        batches(LongDataMutants::merged)),
                Mutant.of(
                        "a long element region of a batch is cut",
                        "2.1",
                        "bytes read from offset",
                        batches(regions -> regions.stream()
                                .map(region -> region instanceof Batch.Elements elements
                                                && region.memory().byteSize() > 256 * KIB
                                        ? new Batch.Elements(
                                                elements.node(),
                                                elements.dtype(),
                                                region.memory()
                                                        .asSlice(
                                                                0,
                                                                region.memory().byteSize() - 8))
                                        : region)
                                .toList())),
                Mutant.of(
                        "a batch of reads has room for 1,024 regions",
                        "2.3",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                long total = super.readRegions(regions);
                                regions.stream()
                                        .skip(1024)
                                        .forEach(region -> region.memory().fill((byte) 0));
                                return total;
                            }
                        }),
                Mutant.of(
                        "a long region of a batch of reads loses a piece",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                long total = super.readRegions(regions);
                                regions.stream()
                                        .filter(region -> region.memory().byteSize() > MIB)
                                        .forEach(region -> region.memory()
                                                .asSlice(MIB - 64, 64)
                                                .fill((byte) 0));
                                return total;
                            }
                        }),
                uploading(
                        "an upload skips its fourth piece",
                        "2.1",
                        "floats of value",
                        (arena, number, offset, piece) -> {
                            if (number != 3) {
                                arena.writeRaw(offset, piece);
                            }
                        }),
                uploading(
                        "an upload repeats a piece behind 1 MiB",
                        "2.2",
                        "bytes read from offset",
                        (arena, number, offset, piece) -> {
                            arena.writeRaw(offset, piece);
                            if (number == 17) {
                                arena.writeRaw(offset, arena.memory.asSlice(offset - 64 * KIB, piece.byteSize()));
                            }
                        }),
                Mutant.of(
                        "a long upload reports a piece before it is written",
                        "2.2",
                        "bytes reported by a write",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                long size = source.byteSize();
                                if (size <= MIB) {
                                    super.writePieces(offset, source, progress);
                                    return;
                                }
                                for (long done = 0; done < size; done += 512 * KIB) {
                                    long end = Math.min(size, done + 512 * KIB);
                                    progress.accept(end);
                                    writeRaw(offset + done, source.asSlice(done, end - done));
                                }
                            }
                        }),
                Mutant.of(
                        "the last figure of a long upload is rounded",
                        "2.2",
                        "progress of a write",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                long size = source.byteSize();
                                super.writePieces(
                                        offset,
                                        source,
                                        done -> progress.accept(size > MIB && done == size ? done & -4 : done));
                            }
                        }),
                Mutant.of(
                        "long deferred writes from arrays are made when they are awaited",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            Transfer begun(List<Batch.Region> regions) {
                                boolean faulty = regions.stream()
                                        .anyMatch(region -> region.memory().byteSize() > MIB + 64
                                                && !region.memory().isNative());
                                if (!faulty) {
                                    return super.begun(regions);
                                }
                                return new ReferenceWrite(written(regions)) {
                                    @Override
                                    public long await() {
                                        writeRegions(regions);
                                        return super.await();
                                    }
                                };
                            }
                        }),
                hosting("only the first 64 KiB of host memory are zeroed", "2.2", "bytes, new", (bytes, segment) -> {
                    if (bytes > 2 * MIB) {
                        segment.asSlice(64 * KIB).fill((byte) 0x5A);
                    }
                }),
                Mutant.of(
                        "fills end behind 1 MiB",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void fill(long offset, long length, byte value) {
                                super.fill(offset, Math.min(length, MIB + 64), value);
                            }
                        }),
                Mutant.of(
                        "long copies go forwards in pieces",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void copy(long from, long to, long length) {
                                if (length <= MIB + 64 || to <= from) {
                                    super.copy(from, to, length);
                                    return;
                                }
                                for (long done = 0; done < length; done += MIB) {
                                    super.copy(from + done, to + done, Math.min(MIB, length - done));
                                }
                            }
                        }),
                viewing(
                        "a long mapped view shows its first bytes twice",
                        "2.2",
                        "bytes read from offset",
                        2 * MIB - 100),
                Mutant.of(
                        "long mirrors end at half of their elements",
                        "2.2",
                        "mirror of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceShadow shadow(F16ShadowMode mode) {
                                return new ReferenceShadow(this, mode) {
                                    @Override
                                    void cast(BufferSlot slot, long elements) {
                                        super.cast(slot, elements > MIB / 8 ? elements / 2 : elements);
                                    }
                                };
                            }
                        }));
    }

    /** Neighbours in the arena become one region, with the bytes that follow the first one's source. */
    private static List<Batch.Region> merged(List<Batch.Region> regions) {
        List<Batch.Region> merged = new ArrayList<>(regions);
        for (int i = 1; i < regions.size(); i++) {
            if (regions.get(i - 1) instanceof Batch.Bytes before
                    && regions.get(i) instanceof Batch.Bytes next
                    && regions.size() > 64
                    && before.offset() + before.memory().byteSize() == next.offset()
                    && next.memory().isNative()
                    && next.memory().byteSize() == before.memory().byteSize()
                    && next.memory().address() + next.memory().byteSize()
                            == before.memory().address()) {
                merged.set(i, new Batch.Bytes(next.offset(), before.memory()));
            }
        }
        return merged;
    }

    /** Spoils new host memory. */
    interface Spoil {
        void spoil(long bytes, MemorySegment segment);
    }

    static Mutant hosting(String fault, String clause, String text, Spoil spoil) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            ReferenceHost host(long bytes) {
                ReferenceHost made = super.host(bytes);
                spoil.spoil(bytes, made.segment);
                return made;
            }
        });
    }

    /** Faults that begin past 4 MiB, on a device with more memory. */
    static List<Mutant> large() {
        return List.of(
                Mutant.ofLarge(
                        "writes end at 16 MiB",
                        "2.2",
                        "bytes read from offset",
                        moving(
                                (arena, offset, source) -> arena.usualPut(
                                        offset, source.asSlice(0, Math.min(source.byteSize(), 16 * MIB))),
                                Moving::usualGet)),
                Mutant.ofLarge(
                        "reads of 33 MiB lose their last byte",
                        "2.2",
                        "bytes read from offset",
                        moving(
                                Moving::usualPut,
                                (arena, offset, memory) -> arena.usualGet(
                                        offset,
                                        memory.asSlice(
                                                0, memory.byteSize() - (memory.byteSize() >= 33 * MIB ? 1 : 0))))),
                Mutant.ofLarge(
                        "a region of more than 8 MiB loses its last piece",
                        "2.2",
                        "bytes read from offset",
                        batches(regions -> regions.stream()
                                .map(region -> region instanceof Batch.Bytes bytes
                                                && region.memory().byteSize() > 8 * MIB
                                        ? new Batch.Bytes(
                                                bytes.offset(), region.memory().asSlice(0, 8 * MIB))
                                        : region)
                                .toList())),
                Mutant.ofLarge("memory past 32 MiB is not zeroed", "2.2", "bytes read from offset", dirty(memory -> {
                    if (memory.byteSize() > 32 * MIB) {
                        memory.asSlice(32 * MIB).fill((byte) 0x5A);
                    }
                })),
                Mutant.ofLarge(
                        "F32 reads past 32 MiB repeat an element",
                        "2.2",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
                                super.readTyped(id, slot, dtype, destination, count);
                                if (dtype == DType.F32 && count > 8 * MIB) {
                                    MemorySegment.copy(destination, 0, destination, 32L * MIB, 4);
                                }
                            }
                        }),
                Mutant.ofLarge(
                        "a value of 33 MiB of I16 loses its first word",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                boolean faulty = dtype == DType.I16 && source.byteSize() >= 33 * MIB - 2;
                                if (faulty) {
                                    super.writeValueBytes(id, 4, source.asSlice(4));
                                } else {
                                    super.writeElements(id, dtype, source);
                                }
                            }
                        }),
                Mutant.ofLarge(
                        "deferred reads past 16 MiB take one byte twice",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    void deliver() {
                                        super.deliver();
                                        regions.stream()
                                                .map(Batch.Region::memory)
                                                .filter(last -> last.byteSize() > 16 * MIB)
                                                .forEach(last -> MemorySegment.copy(last, 0, last, 16 * MIB, 1));
                                    }
                                };
                            }
                        }));
    }
}
