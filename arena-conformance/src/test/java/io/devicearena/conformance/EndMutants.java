package io.devicearena.conformance;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Batches;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicReference;

/** Faults at the ends of arenas, with regions of no byte, and with many arenas. */
final class EndMutants {
    private EndMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "the last byte of a page of scratch is lost",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void put(long offset, MemorySegment source) {
                                boolean last = g.scratchBytes() == 4096 && offset + source.byteSize() == g.sizeBytes();
                                super.put(offset, source.asSlice(0, source.byteSize() - (last ? 1 : 0)));
                            }
                        }),
                Mutant.of(
                        "one byte past a plan of 255 is not reached",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void get(long offset, MemorySegment destination) {
                                super.get(offset, destination);
                                if (p.arenaSize() == 255 && offset < 255 && offset + destination.byteSize() > 255) {
                                    destination.set(Batches.BYTE, 255 - offset, (byte) 0);
                                }
                            }
                        }),
                Mutant.of(
                        "a fill before the end of 1,024 bytes of scratch is cut to a line",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void fill(long offset, long length, byte value) {
                                boolean last = g.scratchBytes() == 1008 && offset + length == g.sizeBytes();
                                super.fill(offset, last ? 2 : length, value);
                            }
                        }),
                Mutant.of(
                        "the last value of a large plan begins a byte early",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                boolean last = p.arenaSize() == 4096 && slot.offset() == 4094;
                                super.writeTyped(
                                        id,
                                        last ? new BufferSlot(slot.offset() - 1, slot.size()) : slot,
                                        dtype,
                                        source,
                                        count);
                            }
                        }),
                Mutant.of(
                        "a batch refuses an empty region at the end",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: range: expected it to begin within the arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRegion(Batch.Region region, MemorySegment source) {
                                if (region instanceof Batch.Bytes bytes && bytes.offset() == geometry.sizeBytes()) {
                                    throw new IllegalArgumentException("range: expected it to begin within the arena");
                                }
                                super.writeRegion(region, source);
                            }
                        }),
                Mutant.of(
                        "an empty region ends a batch of reads",
                        "2.1",
                        "count",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                int end = 0;
                                while (end < regions.size()
                                        && regions.get(end).memory().byteSize() > 0) {
                                    end++;
                                }
                                return super.readRegions(regions.subList(0, end));
                            }
                        }),
                Mutant.of(
                        "an empty last region ends a batch of writes early",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRegions(List<Batch.Region> regions) {
                                int count = regions.size();
                                boolean cut = count > 1
                                        && regions.get(count - 1).memory().byteSize() == 0;
                                super.writeRegions(cut ? regions.subList(0, count - 2) : regions);
                            }
                        }),
                Mutant.of(
                        "an empty range is filled to the next word",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void fill(long offset, long length, byte value) {
                                super.fill(
                                        offset, length == 0 && offset + 4 <= geometry.sizeBytes() ? 4 : length, value);
                            }
                        }),
                manyArenas("the 33rd arena at once finds no memory", 33),
                Mutant.ofState("arenas share the lengths of every 16th", "2.3", "lengthBytes", () -> {
                    long[] lengths = new long[16];
                    int[] made = new int[1];
                    return (d, p, o, g) -> {
                        int place = made[0]++ % 16;
                        return new ReferenceArena(d, p, o, g) {
                            private boolean set;

                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                boolean table = p.slots().size() == 1 && set;
                                return table ? Math.min(slot.size(), lengths[place]) : super.lengthOf(id, slot);
                            }

                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                super.storeLength(id, slot, bytes);
                                lengths[place] = bytes;
                                set = true;
                            }
                        };
                    };
                }),
                Mutant.ofState("a close of the third arena zeroes the newest", "2.3", "at the end", () -> {
                    AtomicReference<WeakReference<ReferenceArena>> newest = new AtomicReference<>();
                    Set<Object> alive = Collections.newSetFromMap(new WeakHashMap<>());
                    return (d, p, o, g) -> {
                        ReferenceArena made = new ReferenceArena(d, p, o, g) {
                            @Override
                            public void close() {
                                synchronized (alive) {
                                    ReferenceArena last = newest.get().get();
                                    boolean others = alive.remove(this) && alive.size() > 30;
                                    if (others && last != null && !last.equals(this) && last.isOpen()) {
                                        last.memory.fill((byte) 0);
                                    }
                                }
                                super.close();
                            }
                        };
                        newest.set(new WeakReference<>(made));
                        synchronized (alive) {
                            alive.add(made);
                        }
                        return made;
                    };
                }));
    }

    /** A provider that opens so many arenas at once and no more. */
    static Mutant manyArenas(String fault, int most) {
        return Mutant.ofState(fault, most < 60 ? "2.1" : "2.3", "places are taken", () -> {
            Set<Object> alive = Collections.newSetFromMap(new WeakHashMap<>());
            return (d, p, o, g) -> {
                synchronized (alive) {
                    if (alive.size() >= most - 1) {
                        throw new ArenaOutOfMemoryException("all " + most + " places are taken");
                    }
                    ReferenceArena made = new ReferenceArena(d, p, o, g) {
                        @Override
                        public void close() {
                            synchronized (alive) {
                                alive.remove(this);
                            }
                            super.close();
                        }
                    };
                    alive.add(made);
                    return made;
                }
            };
        });
    }
}
