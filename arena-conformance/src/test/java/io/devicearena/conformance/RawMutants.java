package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;

/** Faults in raw writes and reads, in progress and in mapped views. */
final class RawMutants {
    private RawMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "an odd length is written as whole words",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                super.writeRaw(offset, source);
                                long end = offset + source.byteSize();
                                if (source.byteSize() % 4 == 3 && end < geometry.sizeBytes()) {
                                    put(end, TestData.memory((byte) 0));
                                }
                            }
                        }),
                Mutant.of(
                        "a short read at an odd offset is a byte late",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void readBytes(long offset, MemorySegment destination) {
                                boolean late = offset % 2 == 1 && destination.byteSize() == 2;
                                super.readBytes(late ? offset + 1 : offset, destination);
                            }
                        }),
                Mutant.of(
                        "a read fills words of the destination",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void readBytes(long offset, MemorySegment destination) {
                                super.readBytes(offset, destination);
                                if (destination.byteSize() == 3
                                        && destination.heapBase().orElse("") instanceof byte[] whole) {
                                    int end = Math.toIntExact(destination.address() + 3);
                                    if (end < whole.length) {
                                        whole[end] = 0;
                                    }
                                }
                            }
                        }),
                Mutant.of(
                        "an empty range is refused",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: source: expected bytes, got none",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                if (source.byteSize() == 0) {
                                    throw new IllegalArgumentException("source: expected bytes, got none");
                                }
                                super.writeBytes(offset, source);
                            }
                        }),
                Mutant.of(
                        "a write at the end must fit as whole words",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: range: expected whole words",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                if ((offset + source.byteSize() + 3) / 4 * 4 > geometry.sizeBytes()
                                        && source.byteSize() < 6) {
                                    throw new IllegalArgumentException("range: expected whole words");
                                }
                                super.writeRaw(offset, source);
                            }
                        }),
                Mutant.of(
                        "raw writes stop at the next slot",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                boolean across = offset < 32 && offset > 0 && offset + source.byteSize() > 33;
                                super.writeRaw(offset, across ? source.asSlice(0, 32 - offset) : source);
                            }
                        }),
                Mutant.of(
                        "the check of ranges overflows",
                        "4.1",
                        "fillBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireRange(long offset, long length) {
                                if (offset < 0 || offset + length > geometry.sizeBytes()) {
                                    super.requireRange(-1, length);
                                }
                            }
                        }),
                Mutant.of(
                        "memory over char arrays is refused",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: source: expected other memory, got chars",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                if (source.heapBase().orElse("") instanceof char[]) {
                                    throw new IllegalArgumentException("source: expected other memory, got chars");
                                }
                                super.writeRaw(offset, source);
                            }
                        }),
                Mutant.of(
                        "a write with progress forgets its offset",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                super.writePieces(0, source, progress);
                            }
                        }),
                Mutant.of(
                        "progress reports single chunks, not sums",
                        "2.1",
                        "progress of a write",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                long[] before = new long[1];
                                super.writePieces(offset, source, done -> {
                                    progress.accept(done - before[0]);
                                    before[0] = done;
                                });
                            }
                        }),
                Mutant.of(
                        "the final progress is reported twice",
                        "2.1",
                        "progress of a write",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                super.writePieces(offset, source, progress);
                                progress.accept(source.byteSize());
                            }
                        }),
                Mutant.of(
                        "what the progress throws is dropped",
                        "2.1",
                        "whose progress throws",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                super.writePieces(offset, source, done -> {
                                    try {
                                        progress.accept(done);
                                    } catch (IllegalStateException e) {
                                        // that is the fault
                                    }
                                });
                            }
                        }),
                Mutant.of(
                        "progress is reported before the bytes are written",
                        "2.1",
                        "bytes reported by a write that was ended",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                if (source.byteSize() > 0) {
                                    progress.accept(source.byteSize());
                                    writeRaw(offset, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a mapped view is stale",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Map<Long, byte[]> viewed = new HashMap<>();

                            @Override
                            synchronized <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                byte[] first = viewed.computeIfAbsent(
                                        offset * 100_000 + length,
                                        key -> memory.asSlice(offset, length).toArray(Batches.BYTE));
                                return reader.apply(MemorySegment.ofArray(first).asReadOnly());
                            }
                        }),
                Mutant.of(
                        "a mapped view is writable",
                        "2.1",
                        "bytes of a mapped view",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                return reader.apply(memory.asSlice(offset, length));
                            }
                        }),
                Mutant.of(
                        "a mapped view is rounded up to whole words",
                        "2.1",
                        "bytes of a mapped view",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                long words = Math.min((length + 3) / 4 * 4, geometry.sizeBytes());
                                return reader.apply(MemorySegment.ofArray(new byte[Math.toIntExact(words)])
                                        .copyFrom(memory.asSlice(offset, length))
                                        .asReadOnly());
                            }
                        }),
                Mutant.of(
                        "exceptions of a reader are wrapped",
                        "4.2",
                        "what withBytes throws when reader",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                try {
                                    return super.withCopy(offset, length, reader);
                                } catch (IllegalStateException e) {
                                    throw new IllegalStateException("the reader threw", e);
                                }
                            }
                        }),
                Mutant.of(
                        "raw regions of a batch are rounded to words",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readRegion(Batch.Region region, MemorySegment destination, long count) {
                                if (region instanceof Batch.Bytes bytes && bytes.offset() % 4 == 3) {
                                    get(bytes.offset() / 4 * 4, destination);
                                } else {
                                    super.readRegion(region, destination, count);
                                }
                            }
                        }));
    }
}
