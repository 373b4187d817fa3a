package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.conformance.calls.Batches;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** Faults in batches, in deferred reads and in the order of calls. */
final class BatchMutants {
    private BatchMutants() {}

    /** Makes a handle that is wrong. */
    private interface Reads {
        ReferenceRead begin(ReferenceArena arena, List<Batch.Region> regions);
    }

    private static Mutant read(String fault, String clause, String text, Reads reads) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "2.1",
                        "threw java.lang.IndexOutOfBoundsException: Out of bound access",
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
                        "2.1",
                        "count",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                super.readRegions(regions);
                                return regions.size();
                            }
                        }),
                Mutant.of(
                        "a batch ignores actual lengths",
                        "2.1",
                        "count of a transfer",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "2.1",
                        "bytes read from offset",
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
                        "5.1",
                        "memory after readBatch of",
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
                        "2.1",
                        "transfer",
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
                        "2.1",
                        "bytes read from offset",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            boolean takesAtOnce() {
                                return false;
                            }
                        }),
                Mutant.of(
                        "reads in flight share one staging buffer",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final MemorySegment shared = MemorySegment.ofArray(new byte[300]);

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    MemorySegment staging(long bytes) {
                                        return bytes <= 300 ? shared.asSlice(0, bytes) : super.staging(bytes);
                                    }
                                };
                            }
                        }),
                read(
                        "an interrupt ends the wait",
                        "9.7",
                        "1 MiB, moved by an interrupted thread",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized long await() {
                                return Thread.currentThread().isInterrupted() ? 0 : super.await();
                            }
                        }),
                read(
                        "a wait loses the interrupt",
                        "9.7",
                        "beginRead on an interrupted thread",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized long await() {
                                Thread.interrupted();
                                return super.await();
                            }
                        }),
                read(
                        "a negative time-out is accepted",
                        "6.1",
                        "a limit of PT-0.000000001S",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public boolean await(Duration timeout) {
                                return super.await(timeout.abs());
                            }
                        }),
                read(
                        "a read that is done says that it is pending",
                        "2.1",
                        "transfer",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized State state() {
                                State state = super.state();
                                return state == State.DONE ? State.PENDING : state;
                            }
                        }),
                read(
                        "a cancelled read goes on",
                        "6.4",
                        "state of a cancelled read",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized boolean cancel() {
                                return state() == State.PENDING;
                            }
                        }),
                read(
                        "a future completes with nothing",
                        "2.1",
                        "transfer",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public CompletableFuture<Long> toCompletableFuture() {
                                await();
                                return CompletableFuture.completedFuture(0L);
                            }
                        }),
                read(
                        "cancelling the future cancels the read",
                        "6.3",
                        "threw java.util.concurrent.CancellationException: ",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            private volatile boolean ended;

                            @Override
                            public CompletableFuture<Long> toCompletableFuture() {
                                CompletableFuture<Long> own = new CompletableFuture<>() {
                                    @Override
                                    public boolean cancel(boolean interrupt) {
                                        ended = true;
                                        return super.cancel(interrupt);
                                    }
                                };
                                CompletableFuture<Long> _ = super.toCompletableFuture()
                                        .whenComplete((count, thrown) -> {
                                            if (thrown == null) {
                                                own.complete(count);
                                            } else {
                                                own.completeExceptionally(thrown);
                                            }
                                        });
                                return own;
                            }

                            @Override
                            public synchronized long await() {
                                if (ended) {
                                    throw new CancellationException("read: its future was cancelled");
                                }
                                return super.await();
                            }
                        }),
                read(
                        "a read stays pending when its arena is closed",
                        "6.6",
                        "state of a read after the close",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            void arenaClosed() {}
                        }),
                Mutant.of(
                        "a confined destination of a deferred read is accepted",
                        "6.7",
                        "a deferred read into memory confined to the caller",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireShared(MemorySegment destination) {}
                        }));
    }
}
