package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.Transfer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Handles of deferred reads and writes that promise too much, are shared, or give up. */
final class ReadHandleMutants {
    private ReadHandleMutants() {}

    private interface Handle {
        ReferenceRead begin(ReferenceArena arena, List<Batch.Region> regions);
    }

    private static Mutant read(String fault, String clause, String text, Handle handle) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            ReferenceRead begin(List<Batch.Region> regions) {
                return handle.begin(this, regions);
            }
        });
    }

    static List<Mutant> all() {
        return List.of(
                read(
                        "a read that is polled says it is done before it is",
                        "6.2",
                        "destination of a read that is done, way 0 of",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            private int polled;

                            @Override
                            public synchronized State state() {
                                return isPending() && polled++ > 0 ? State.DONE : super.state();
                            }
                        }),
                read(
                        "a short wait ends before the read is done",
                        "6.2",
                        "destination of a read that is done, way 1 of",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public boolean await(Duration timeout) {
                                boolean isShort = timeout.isPositive() && timeout.compareTo(Duration.ofMillis(1)) < 0;
                                return isShort || super.await(timeout);
                            }
                        }),
                read(
                        "a second await delivers again",
                        "6.2",
                        "memory of a read that was done before, of",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized long await() {
                                boolean again = !isPending();
                                long count = super.await();
                                if (again) {
                                    deliver();
                                }
                                return count;
                            }
                        }),
                read(
                        "the futures of a read are one",
                        "6.3",
                        "a future beside those that its caller ended",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            private @Nullable CompletableFuture<Long> only;

                            @Override
                            public synchronized CompletableFuture<Long> toCompletableFuture() {
                                if (only == null) {
                                    CompletableFuture<Long> made = new CompletableFuture<>();
                                    only = made;
                                    Thread.ofVirtual().start(() -> {
                                        LockSupport.parkNanos(5_000_000);
                                        CompletableFuture<Long> _ = super.toCompletableFuture()
                                                .whenComplete((count, thrown) -> {
                                                    if (thrown == null) {
                                                        made.complete(count);
                                                    } else {
                                                        made.completeExceptionally(thrown);
                                                    }
                                                });
                                    });
                                }
                                return only;
                            }
                        }),
                places(8),
                places(16),
                places(40),
                read(
                        "an action of a future keeps other threads out",
                        "6.3",
                        "threw java.util.concurrent.CompletionException: org",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            private volatile @Nullable Thread acting;

                            @Override
                            public synchronized long await() {
                                Thread actor = acting;
                                if (actor != null && !actor.equals(Thread.currentThread())) {
                                    throw new IllegalStateException("read: expected no action of a future, got one");
                                }
                                return super.await();
                            }

                            @Override
                            public CompletableFuture<Long> toCompletableFuture() {
                                CompletableFuture<Long> source = super.toCompletableFuture();
                                return new Watched(source, thread -> acting = thread);
                            }
                        }),
                read(
                        "an interrupted wait ends at once",
                        "9.7",
                        "1 MiB, moved by an interrupted thread",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized long await() {
                                return Thread.currentThread().isInterrupted() && isPending()
                                        ? regions.stream()
                                                .mapToLong(arena::countOf)
                                                .sum()
                                        : super.await();
                            }
                        }),
                read(
                        "an interrupted wait with a limit is in vain",
                        "9.7",
                        "a transfer is over: expected 1, got 0",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public boolean await(Duration timeout) {
                                return (!Thread.currentThread().isInterrupted() || !isPending())
                                        && super.await(timeout);
                            }
                        }),
                read(
                        "a wait with a limit clears the flag",
                        "9.7",
                        "a call of a sequence on an interrupted thread",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public boolean await(Duration timeout) {
                                Thread.interrupted();
                                return super.await(timeout);
                            }
                        }),
                read(
                        "a cancel clears the flag",
                        "9.7",
                        "cancel on an interrupted thread",
                        (arena, regions) -> new ReferenceRead(arena, regions) {
                            @Override
                            public synchronized boolean cancel() {
                                Thread.interrupted();
                                return super.cancel();
                            }
                        }),
                Mutant.of(
                        "a fence clears the flag",
                        "9.7",
                        "beginWrite on an interrupted thread",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            Transfer begun(List<Batch.Region> regions) {
                                writeRegions(regions);
                                return new ReferenceWrite(written(regions)) {
                                    @Override
                                    public long await() {
                                        Thread.interrupted();
                                        return super.await();
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "close clears the flag",
                        "9.7",
                        "a call of a sequence on an interrupted thread",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void close() {
                                super.close();
                                Thread.interrupted();
                            }
                        }));
    }

    /** An arena that completes so many futures. */
    private static Mutant places(int most) {
        return Mutant.of(
                "no more than " + most + " futures are completed",
                most > 8 ? "2.3" : "6.2",
                "all are taken",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final AtomicInteger asked = new AtomicInteger();

                    @Override
                    ReferenceRead begin(List<Batch.Region> regions) {
                        return new ReferenceRead(this, regions) {
                            @Override
                            public CompletableFuture<Long> toCompletableFuture() {
                                return asked.incrementAndGet() > most
                                        ? CompletableFuture.failedFuture(new IllegalStateException("all are taken"))
                                        : super.toCompletableFuture();
                            }
                        };
                    }
                });
    }

    /** Says which thread runs an action. */
    private interface Actor {
        void set(@Nullable Thread thread);
    }

    /** A future whose actions are seen. */
    private static final class Watched extends CompletableFuture<Long> {
        private final CompletableFuture<Long> source;
        private final Actor actor;

        Watched(CompletableFuture<Long> source, Actor actor) {
            this.source = source;
            this.actor = actor;
            CompletableFuture<Void> _ = source.handle((count, thrown) -> {
                if (thrown == null) {
                    complete(count);
                } else {
                    completeExceptionally(thrown);
                }
                return null;
            });
        }

        @Override
        public <U> CompletableFuture<U> thenApply(Function<? super Long, ? extends U> action) {
            return source.thenApply(count -> {
                actor.set(Thread.currentThread());
                try {
                    return action.apply(count);
                } finally {
                    actor.set(null);
                }
            });
        }
    }
}
