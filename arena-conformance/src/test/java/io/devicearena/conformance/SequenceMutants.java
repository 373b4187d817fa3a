package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Faults of where, order, content and counts that only a sequence of calls shows. */
final class SequenceMutants {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;
    private static final int CALLS = 1 << 16;

    private SequenceMutants() {}

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>(where());
        all.addAll(order());
        all.addAll(content());
        all.addAll(counts());
        return all;
    }

    private static List<Mutant> where() {
        return List.of(
                Mutant.of(
                        "a fill past 2 MiB is folded",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void fill(long offset, long length, byte value) {
                                boolean folded = offset > 2 * MIB && length < MIB;
                                super.fill(folded ? offset - 2 * MIB : offset, length, value);
                            }
                        }),
                Mutant.of(
                        "a copy to its own page ends early",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void copy(long from, long to, long length) {
                                boolean near = from != to && from / 4096 == to / 4096 && length > 2;
                                super.copy(from, to, near ? length - 1 : length);
                            }
                        }),
                Mutant.of(
                        "value 65,537 is value 1",
                        "2.3",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @Nullable BufferSlot find(NodeId id) {
                                return super.find(id.value() == CALLS + 1 ? NodeId.of(1) : id);
                            }
                        }),
                Mutant.of(
                        "element 100,000 of I16 is read twice",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readElements(NodeId id, DType dtype, MemorySegment destination) {
                                super.readElements(id, dtype, destination);
                                if (dtype == DType.I16 && destination.byteSize() > 200_002) {
                                    MemorySegment.copy(destination, 199_998, destination, 200_000, 2);
                                }
                            }
                        }),
                Mutant.of(
                        "odd parts of a value of more than a page end early",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeValueBytes(NodeId id, long firstByte, MemorySegment data) {
                                boolean faulty = firstByte % 2 == 1 && data.byteSize() > 4096;
                                super.writeValueBytes(
                                        id, firstByte, faulty ? data.asSlice(0, data.byteSize() - 1) : data);
                            }
                        }));
    }

    private static List<Mutant> order() {
        return List.of(
                Mutant.of(
                        "a long fill is late by one read",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private Runnable late = () -> {};

                            @Override
                            void fill(long offset, long length, byte value) {
                                if (length < 60 * KIB) {
                                    super.fill(offset, length, value);
                                } else {
                                    late = () -> super.fill(offset, length, value);
                                }
                            }

                            @Override
                            void put(long offset, MemorySegment source) {
                                endFill();
                                super.put(offset, source);
                            }

                            @Override
                            void get(long offset, MemorySegment destination) {
                                super.get(offset, destination);
                                endFill();
                            }

                            private void endFill() {
                                Runnable now = late;
                                late = () -> {};
                                if (now != null) {
                                    now.run();
                                }
                            }
                        }),
                Mutant.of(
                        "a mapped view is kept until the next raw write",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Map<List<Long>, byte[]> views = new HashMap<>();

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                byte[] view = views.computeIfAbsent(
                                        List.of(offset, length),
                                        key -> memory.asSlice(offset, length).toArray(Batches.BYTE));
                                return reader.apply(MemorySegment.ofArray(view).asReadOnly());
                            }

                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                views.clear();
                                super.writeRaw(offset, source);
                            }
                        }),
                Mutant.of(
                        "a batch that is begun twice has the bytes of the first",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final IdentityHashMap<Object, ReferenceRead> begun = new IdentityHashMap<>();

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                ReferenceRead first = begun.get(regions);
                                if (first == null || !first.isPending()) {
                                    first = super.begin(regions);
                                    begun.put(regions, first);
                                }
                                return first;
                            }
                        }),
                Mutant.of(
                        "deferred writes from float arrays are read at the next call",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private List<Batch.Region> late = List.of();

                            @Override
                            Transfer begun(List<Batch.Region> regions) {
                                if (regions.stream()
                                        .allMatch(region ->
                                                region.memory().heapBase().orElse("") instanceof float[])) {
                                    late = regions;
                                }
                                return super.begun(regions);
                            }

                            @Override
                            void get(long offset, MemorySegment destination) {
                                List<Batch.Region> now = late;
                                late = List.of();
                                writeRegions(now);
                                super.get(offset, destination);
                            }
                        }));
    }

    /** An arena that leaves some writes out. */
    private static Mutant leavingOut(String fault, String clause, String text, Skip skip) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new Skipping(d, p, o, g, skip));
    }

    private interface Skip {
        boolean skips(Skipping arena, long offset, MemorySegment source);
    }

    private static final class Skipping extends ReferenceArena {
        private final Skip skip;
        private long last = -1;
        private byte[] lastBytes = new byte[0];

        Skipping(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g, Skip skip) {
            super(d, p, o, g);
            this.skip = skip;
        }

        @Override
        public void writeBytes(long offset, MemorySegment source) {
            if (!skip.skips(this, offset, source)) {
                super.writeBytes(offset, source);
            }
        }

        boolean isRepeated(long offset, MemorySegment source) {
            byte[] bytes = source.toArray(Batches.BYTE);
            boolean repeated = offset == last && Arrays.equals(bytes, lastBytes);
            last = offset;
            lastBytes = bytes;
            return repeated;
        }
    }

    private static List<Mutant> content() {
        return List.of(
                leavingOut(
                        "zeros are not written",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, source) -> source.byteSize() > 8
                                && source.mismatch(MemorySegment.ofArray(new byte[(int) source.byteSize()])) < 0),
                leavingOut(
                        "the write that was made last is not made again",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, source) -> source.byteSize() > 8 && arena.isRepeated(offset, source)),
                leavingOut(
                        "a source in the arena's own memory is taken for the target",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, source) -> source.byteSize() > 0
                                && source.isNative()
                                && arena.memory.asOverlappingSlice(source).isPresent()),
                Mutant.of(
                        "a source that overlaps its target is copied forwards",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void put(long offset, MemorySegment source) {
                                for (long at = 0; at < source.byteSize(); at++) {
                                    memory.set(
                                            ValueLayout.JAVA_BYTE, offset + at, source.get(ValueLayout.JAVA_BYTE, at));
                                }
                            }
                        }),
                Mutant.of(
                        "F32 in a batch have quiet NaNs alone",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRegion(Batch.Region region, MemorySegment source) {
                                super.writeRegion(region, source);
                                if (region instanceof Batch.Floats floats && floats.dtype() == DType.F32) {
                                    BufferSlot slot = require(floats.node());
                                    long end = slot.offset()
                                            + Math.min(source.byteSize(), capacity(floats.node(), slot, DType.F32) * 4);
                                    for (long at = slot.offset(); at + 4 <= end; at += 4) {
                                        int bits = memory.get(INT, at);
                                        if ((bits & 0x7FFF_FFFF) > 0x7F80_0000) {
                                            memory.set(INT, at, bits | 0x40_0000);
                                        }
                                    }
                                }
                            }
                        }),
                Mutant.of(
                        "a length of 0 is none", "2.1", "lengthBytes", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                super.storeLength(id, slot, bytes == 0 ? slot.size() : bytes);
                            }
                        }));
    }

    private static List<Mutant> counts() {
        return List.of(
                Mutant.of(
                        "write 65,536 is lost",
                        "2.3",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private int writes;

                            @Override
                            void put(long offset, MemorySegment source) {
                                if (++writes < CALLS) {
                                    super.put(offset, source);
                                }
                            }
                        }),
                Mutant.of(
                        "the lengths of a view of a view of a view are those of its parent",
                        "2.1",
                        "lengthBytes",
                        (d, p, o, g) -> new Generation(d, p, o, g)),
                Mutant.of(
                        "more than 150 small reads in flight share memory",
                        "2.3",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final MemorySegment shared = MemorySegment.ofArray(new byte[128 * KIB]);
                            private final List<ReferenceRead> flying = new ArrayList<>();

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                flying.removeIf(read -> !read.isPending());
                                ReferenceRead made = new ReferenceRead(this, regions) {
                                    @Override
                                    MemorySegment staging(long bytes) {
                                        return flying.size() >= 150 && bytes < shared.byteSize()
                                                ? shared.asSlice(0, bytes)
                                                : super.staging(bytes);
                                    }
                                };
                                flying.add(made);
                                return made;
                            }
                        }));
    }

    /** An arena or a view that knows how many are between it and the memory. */
    private static final class Generation extends ReferenceArena {
        private final @Nullable Generation parent;
        private final int generation;

        Generation(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g) {
            super(d, p, o, g);
            this.parent = null;
            this.generation = 0;
        }

        Generation(Generation parent, MemoryPlan plan) {
            super(parent, plan);
            this.parent = parent;
            this.generation = parent.generation + 1;
        }

        @Override
        ReferenceArena openView(MemoryPlan other) {
            return new Generation(this, other);
        }

        @Override
        long lengthOf(NodeId id, BufferSlot slot) {
            return generation >= 3 && parent != null && parent.find(id) != null
                    ? Math.min(slot.size(), parent.lengthOf(id, slot))
                    : super.lengthOf(id, slot);
        }
    }
}
