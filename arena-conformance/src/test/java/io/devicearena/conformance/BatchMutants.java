package io.devicearena.conformance;

import io.devicearena.Batch;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Faults in batches, in deferred reads and in the order of calls. */
final class BatchMutants {
    private BatchMutants() {}

    /** Makes a handle that is wrong. */
    private interface Reads {
        ReferenceRead begin(ReferenceArena arena, List<Batch.Region> regions);
    }

    private static Mutant read(String fault, String clauses, Reads reads) {
        return Mutant.of(fault, clauses, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            ReferenceRead begin(List<Batch.Region> regions) {
                return reads.begin(this, regions);
            }
        });
    }

    static List<Mutant> batches() {
        return List.of(
                Mutant.of(
                        "the regions of a batch are mixed up",
                        "5.14 6.1 16.5",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                if (regions.size() > 2 && regions.get(0) instanceof Batch.Bytes) {
                                    List<Batch.Region> mixed = new ArrayList<>();
                                    for (int i = 0; i < regions.size(); i++) {
                                        long from = ((Batch.Bytes) regions.get(regions.size() - 1 - i)).offset();
                                        mixed.add(new Batch.Bytes(
                                                from, regions.get(i).memory()));
                                    }
                                    return super.readRegions(mixed);
                                }
                                return super.readRegions(regions);
                            }
                        }),
                Mutant.of(
                        "a batch returns how many regions it has",
                        "5.14 6.1 6.2 6.13 9.8 16.5 17.9",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                super.readRegions(regions);
                                return regions.size();
                            }
                        }),
                Mutant.of("a batch ignores actual lengths", "6.2 9.8", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    long countOf(Batch.Region region) {
                        return region instanceof Batch.Floats output
                                ? Math.min(
                                        output.memory().byteSize() / 4,
                                        capacity(output.node(), require(output.node()), output.dtype()))
                                : super.countOf(region);
                    }
                }),
                Mutant.of(
                        "a batch that is read again returns the old bytes",
                        "6.3 18.7",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Map<List<Batch.Region>, byte[]> known = new HashMap<>();

                            @Override
                            synchronized long readRegions(List<Batch.Region> regions) {
                                long total = super.readRegions(regions);
                                if (!regions.isEmpty() && regions.getLast() instanceof Batch.Bytes last) {
                                    byte[] first = known.computeIfAbsent(
                                            regions, key -> last.memory().toArray(Batches.BYTE));
                                    last.memory().copyFrom(MemorySegment.ofArray(first));
                                }
                                return total;
                            }
                        }),
                Mutant.of(
                        "a batch is half read before its error",
                        "6.4 11.6",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long readBatch(Batch batch) {
                                requireOpen();
                                long total = 0;
                                for (Batch.Region region : batch.regions()) {
                                    super.requireRegion(region);
                                    long count = countOf(region);
                                    readRegion(region, region.memory(), count);
                                    total += count;
                                }
                                return total;
                            }
                        }),
                read(
                        "await returns its figure only once",
                        "6.6 6.11",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            private boolean returned;

                            @Override
                            public synchronized long await() {
                                long count = super.await();
                                if (returned) {
                                    return 0;
                                }
                                returned = true;
                                return count;
                            }
                        }),
                read(
                        "a deferred read sees later writes",
                        "6.7 6.8 7.3 16.5 18.7 19.3",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            boolean takesAtOnce() {
                                return false;
                            }
                        }),
                Mutant.of(
                        "reads in flight share one staging buffer",
                        "6.8",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final MemorySegment shared = MemorySegment.ofArray(new byte[300]);

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    MemorySegment staging(long bytes) {
                                        return bytes == 300 ? shared : super.staging(bytes);
                                    }
                                };
                            }
                        }),
                read("an interrupt ends the wait", "6.9 9.10", (arena, regions) -> new ReferenceRead(arena, regions) {
                    @Override
                    public synchronized long await() {
                        return Thread.currentThread().isInterrupted() ? 0 : super.await();
                    }
                }),
                read("a wait loses the interrupt", "6.9 9.10", (arena, regions) -> new ReferenceRead(arena, regions) {
                    @Override
                    public synchronized long await() {
                        Thread.interrupted();
                        return super.await();
                    }
                }),
                read("a negative time-out is accepted", "6.9", (arena, regions) -> new ReferenceRead(arena, regions) {
                    @Override
                    public boolean await(Duration timeout) {
                        return super.await(timeout.abs());
                    }
                }),
                read(
                        "a read that is done says that it is pending",
                        "6.9",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized State state() {
                                State state = super.state();
                                return state == State.DONE ? State.PENDING : state;
                            }
                        }),
                read("a cancelled read goes on", "6.10", (arena, regions) -> new ReferenceRead(arena, regions) {
                    @Override
                    public synchronized boolean cancel() {
                        return state() == State.PENDING;
                    }
                }),
                read("a future completes with nothing", "6.11", (arena, regions) -> new ReferenceRead(arena, regions) {
                    @Override
                    public CompletableFuture<Long> toCompletableFuture() {
                        await();
                        return CompletableFuture.completedFuture(0L);
                    }
                }),
                read(
                        "cancelling the future cancels the read",
                        "6.11",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public CompletableFuture<Long> toCompletableFuture() {
                                ReferenceRead read = this;
                                return new CompletableFuture<>() {
                                    @Override
                                    public Long get(long timeout, TimeUnit unit) {
                                        return read.await();
                                    }

                                    @Override
                                    public boolean cancel(boolean interrupt) {
                                        read.cancel();
                                        return super.cancel(interrupt);
                                    }
                                };
                            }
                        }),
                read(
                        "a read stays pending when its arena is closed",
                        "6.12",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            void arenaClosed() {}
                        }),
                Mutant.of(
                        "a confined destination of a deferred read is accepted",
                        "6.13",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireShared(MemorySegment destination) {}
                        }));
    }
}
