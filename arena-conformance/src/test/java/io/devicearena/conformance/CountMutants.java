package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import io.devicearena.conformance.calls.Batches;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;

/** Tables, pools and rings of a fixed length: each is large enough for so many users, and wrong for the next. */
final class CountMutants {
    private static final int[] PLACES = {8, 16, 40};
    private static final int ROOM = 1 << 18;

    /** More than a random sequence has at once. */
    private static final int MANY = 40;

    private CountMutants() {}

    /** Makes a mutant for a number of places. */
    private interface Table {
        Mutant of(int places);
    }

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        for (Table table : List.<Table>of(
                CountMutants::views,
                CountMutants::reads,
                CountMutants::refusedReads,
                CountMutants::batches,
                CountMutants::arenaViews,
                CountMutants::hosts,
                CountMutants::fences)) {
            for (int places : PLACES) {
                all.add(table.of(places));
            }
        }
        all.add(views(64));
        all.add(reads(64));
        all.add(EndMutants.manyArenas("the 65th arena at once finds no memory", 65));
        all.add(EndMutants.manyArenas("the 97th arena at once finds no memory", 97));
        Stream.of(16, 256, 4096).forEach(count -> all.add(fullGroup(count)));
        Stream.of(64, 1024, 2048).forEach(count -> all.add(fullGroupOfReads(count)));
        Stream.of(50, 500, 3000).forEach(count -> all.add(sorted(count)));
        return all;
    }

    private static Mutant views(int places) {
        return Mutant.of(
                "views within " + places + " others share memory",
                "2.3",
                "view",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final AtomicInteger nested = new AtomicInteger();
                    private final MemorySegment shared = MemorySegment.ofArray(new byte[ROOM]);

                    @Override
                    <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                        try {
                            if (nested.incrementAndGet() <= places || length > ROOM) {
                                return super.withCopy(offset, length, reader);
                            }
                            MemorySegment copy = shared.asSlice(0, length);
                            get(offset, copy);
                            return reader.apply(copy.asReadOnly());
                        } finally {
                            nested.decrementAndGet();
                        }
                    }
                });
    }

    private static Mutant reads(int places) {
        return Mutant.of(
                "reads of a page or more have a ring of " + places,
                "2.3",
                "bytes read from offset",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final MemorySegment[] ring = new MemorySegment[places];
                    private int next;

                    @Override
                    ReferenceRead begin(List<Batch.Region> regions) {
                        return new ReferenceRead(this, regions) {
                            @Override
                            MemorySegment staging(long bytes) {
                                if (bytes < 4096 || bytes > ROOM) {
                                    return super.staging(bytes);
                                }
                                int place = next++ % places;
                                if (ring[place] == null) {
                                    ring[place] = MemorySegment.ofArray(new byte[ROOM]);
                                }
                                return ring[place].asSlice(0, bytes);
                            }
                        };
                    }
                });
    }

    private static Mutant refusedReads(int places) {
        return Mutant.of(
                "more than " + places + " long reads in flight are refused",
                "2.3",
                "threw java.lang.IllegalStateException: read",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final List<ReferenceRead> begun = new ArrayList<>();

                    @Override
                    ReferenceRead begin(List<Batch.Region> regions) {
                        ReferenceRead read = super.begin(regions);
                        begun.removeIf(one -> !one.isPending());
                        if (regions.stream().anyMatch(region -> region.memory().byteSize() > 1 << 16)) {
                            begun.add(read);
                        }
                        if (begun.size() > places) {
                            throw new IllegalStateException("read: expected a free place, got none");
                        }
                        return read;
                    }
                });
    }

    private static Mutant batches(int places) {
        return Mutant.of(
                "batches after the first " + places + " keep the bytes of their first write",
                places < MANY ? "2.1" : "2.3",
                "expected",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final IdentityHashMap<Batch.Region, MemorySegment> kept = new IdentityHashMap<>();
                    private final Set<Batch.Region> late = Collections.newSetFromMap(new IdentityHashMap<>());
                    private int written;

                    @Override
                    void writeRegions(List<Batch.Region> regions) {
                        Batch.Region first = regions.isEmpty() ? null : regions.getFirst();
                        boolean old = first != null && kept.containsKey(first) && late.contains(first);
                        if (first != null && !kept.containsKey(first) && written++ >= places) {
                            late.add(first);
                        }
                        for (Batch.Region region : regions) {
                            MemorySegment now =
                                    MemorySegment.ofArray(region.memory().toArray(Batches.BYTE));
                            MemorySegment before = kept.putIfAbsent(region, now);
                            writeRegion(region, old && before != null ? before : region.memory());
                        }
                    }
                });
    }

    private static Mutant arenaViews(int places) {
        return Mutant.of(
                "views after the first " + places + " share their lengths",
                "2.3",
                "expected",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final Map<NodeId, Long> lengths = new HashMap<>();
                    private int views;

                    @Override
                    ReferenceArena openView(MemoryPlan other) {
                        if (views++ < places) {
                            return super.openView(other);
                        }
                        return new ReferenceArena(this, other) {
                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                return lengths.getOrDefault(id, super.lengthOf(id, slot));
                            }

                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                lengths.put(id, bytes);
                            }
                        };
                    }
                });
    }

    private static Mutant hosts(int places) {
        return Mutant.of(
                "a new host memory takes the bytes of that of " + places + " before",
                "2.3",
                "host",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final List<ReferenceHost> made = new ArrayList<>();

                    @Override
                    ReferenceHost host(long bytes) {
                        ReferenceHost host = super.host(bytes);
                        if (made.size() >= places) {
                            ReferenceHost old = made.get(made.size() - places);
                            if (old.isOpen()) {
                                old.segment.fill((byte) 0);
                            }
                        }
                        made.add(host);
                        return host;
                    }
                });
    }

    private static Mutant fences(int places) {
        return Mutant.of(
                "a deferred write is lost when " + places + " others are in flight",
                places < MANY ? "2.1" : "2.3",
                "expected",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final AtomicInteger flying = new AtomicInteger();

                    @Override
                    Transfer begun(List<Batch.Region> regions) {
                        if (flying.incrementAndGet() <= places) {
                            writeRegions(regions);
                        }
                        return new ReferenceWrite(written(regions)) {
                            @Override
                            public long await() {
                                flying.decrementAndGet();
                                return super.await();
                            }
                        };
                    }
                });
    }

    private static Mutant fullGroup(int count) {
        return Mutant.of(
                "a batch of " + count + " regions loses the last",
                "2.3",
                "bytes read from offset",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    void writeRegions(List<Batch.Region> regions) {
                        super.writeRegions(regions.size() == count ? regions.subList(0, count - 1) : regions);
                    }
                });
    }

    private static Mutant fullGroupOfReads(int count) {
        return Mutant.of(
                "a batch of reads of " + count + " regions loses the last",
                "2.3",
                "bytes read from offset",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    long readRegions(List<Batch.Region> regions) {
                        long total = super.readRegions(regions);
                        if (regions.size() == count) {
                            regions.getLast().memory().fill((byte) 0);
                        }
                        return total;
                    }
                });
    }

    private static Mutant sorted(int count) {
        return Mutant.of(
                "a batch of more than " + count + " regions is sorted",
                "2.3",
                "expected",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    void writeRegions(List<Batch.Region> regions) {
                        List<Batch.Region> all = new ArrayList<>(regions);
                        boolean raw = regions.stream().allMatch(region -> region instanceof Batch.Bytes);
                        if (raw && regions.size() > count) {
                            all.sort((a, b) -> Long.compare(((Batch.Bytes) a).offset(), ((Batch.Bytes) b).offset()));
                        }
                        super.writeRegions(all);
                    }
                });
    }
}
