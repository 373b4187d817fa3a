package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** Faults with lengths of other threads, interrupts, virtual threads, and a close amidst long calls. */
final class ThreadCallMutants {
    private ThreadCallMutants() {}

    static List<Mutant> lengths() {
        return List.of(
                Mutant.of(
                        "lengths belong to the thread that set them",
                        "9.1",
                        "count of a batch: expected ",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final ThreadLocal<Map<NodeId, Long>> own = ThreadLocal.withInitial(HashMap::new);

                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                Long length = own.get().get(id);
                                return length == null ? super.lengthOf(id, slot) : length;
                            }

                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                own.get().put(id, bytes);
                            }
                        }),
                Mutant.of(
                        "a thread keeps the length that it saw first",
                        "9.5",
                        "after another thread set the length to 12, length",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final ThreadLocal<Map<NodeId, Long>> seen = ThreadLocal.withInitial(HashMap::new);

                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                return seen.get().computeIfAbsent(id, value -> super.lengthOf(value, slot));
                            }

                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                super.storeLength(id, slot, bytes);
                                seen.get().put(id, bytes);
                            }
                        }),
                Mutant.of(
                        "elements of a deferred read end at the slot",
                        "2.1",
                        "count of a transfer",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    long countOf(Batch.Region region) {
                                        return region instanceof Batch.Elements elements
                                                ? Math.min(
                                                                region.memory().byteSize(),
                                                                require(elements.node())
                                                                        .size())
                                                        / elements.dtype().bytes()
                                                : super.countOf(region);
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "readOutputF32 copies by one length and returns another",
                        "9.5",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
                                long count = super.readOutputF32(id, dtype, destination);
                                return whenOther(
                                        count,
                                        () -> Math.min(destination.byteSize() / 4, readable(id, require(id), dtype)));
                            }
                        }),
                Mutant.of(
                        "a batch sums lengths that it asks for again",
                        "9.5",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                long total = super.readRegions(regions);
                                return whenOther(
                                        total,
                                        () -> regions.stream()
                                                .mapToLong(this::countOf)
                                                .sum());
                            }
                        }));
    }

    /** A count that is asked for again, when the other racer has set another length; it does so until the read ends. */
    @SuppressWarnings("ThreadPriorityCheck") // the other racer needs the core
    private static long whenOther(long count, LongSupplier again) {
        long other = again.getAsLong();
        while (Meeting.isRacer() && other == count) {
            Thread.yield();
            other = again.getAsLong();
        }
        return other;
    }

    static List<Mutant> threads() {
        return List.of(
                Mutant.of(
                        "an interrupt ends a long read",
                        "9.7",
                        "1 MiB, moved by an interrupted thread",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void get(long offset, MemorySegment destination) {
                                boolean cut =
                                        Thread.currentThread().isInterrupted() && destination.byteSize() > 500_000;
                                long bytes = cut ? destination.byteSize() / 2 : destination.byteSize();
                                super.get(offset, destination.asSlice(0, bytes));
                            }
                        }),
                Mutant.of(
                        "an interrupt ends a long write of a batch",
                        "9.7",
                        "1 MiB, moved by an interrupted thread in writeBatch, in the arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRegion(Batch.Region region, MemorySegment source) {
                                boolean cut = Thread.currentThread().isInterrupted() && source.byteSize() > 500_000;
                                super.writeRegion(region, cut ? source.asSlice(0, 400_000) : source);
                            }
                        }),
                Mutant.of(
                        "an interrupted write of floats garbles the last of many",
                        "9.7",
                        "1 MiB, moved by an interrupted thread in writeInputF32, in the arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void encode(DType dtype, MemorySegment floats, MemorySegment encoded, long count) {
                                super.encode(dtype, floats, encoded, count);
                                if (Thread.currentThread().isInterrupted() && count > 100_000) {
                                    encoded.asSlice(encoded.byteSize() - 1).fill((byte) 0x5A);
                                }
                            }
                        }),
                Mutant.of(
                        "a flush clears the interrupt flag",
                        "9.7",
                        "flush on an interrupted thread",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void flushed() {
                                Thread.interrupted();
                            }
                        }),
                Mutant.of(
                        "an interrupted wait for staging throws",
                        "9.7",
                        "threw java.lang.IllegalStateException: upload",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                if (Thread.currentThread().isInterrupted()
                                        && p.slots().size() > 1) {
                                    throw new IllegalStateException("upload: expected staging, got an interrupt");
                                }
                                super.writePieces(offset, source, progress);
                            }
                        }),
                Mutant.of(
                        "there is staging for 32 readers",
                        "2.3",
                        "a free place of 32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Semaphore places = new Semaphore(32);

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                if (!places.tryAcquire()) {
                                    throw new IllegalStateException("view: expected a free place of 32, got none");
                                }
                                try {
                                    return super.withCopy(offset, length, reader);
                                } finally {
                                    places.release();
                                }
                            }
                        }),
                Mutant.of(
                        "a virtual thread has the staging of its carrier",
                        "9.4",
                        "bytes of caller",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final MemorySegment staging = MemorySegment.ofArray(new byte[777]);
                            private final Meeting meeting = new Meeting();

                            @Override
                            void get(long offset, MemorySegment destination) {
                                if (!Thread.currentThread().isVirtual() || destination.byteSize() != 777) {
                                    super.get(offset, destination);
                                    return;
                                }
                                boolean first = meeting.isFirst();
                                super.get(offset, staging);
                                if (first) {
                                    meeting.awaitSecond();
                                }
                                destination.copyFrom(staging);
                                meeting.pass();
                            }
                        }),
                Mutant.of(
                        "a write of a virtual thread waits for the thread's next",
                        "9.1",
                        "floats of value ",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final ThreadLocal<Runnable> waiting = ThreadLocal.withInitial(() -> () -> {});

                            @Override
                            void put(long offset, MemorySegment source) {
                                if (!Thread.currentThread().isVirtual()) {
                                    super.put(offset, source);
                                    return;
                                }
                                waiting.get().run();
                                MemorySegment copy = MemorySegment.ofArray(source.toArray(Batches.BYTE));
                                waiting.set(() -> super.put(offset, copy));
                            }
                        }));
    }

    /** Calls that pass before a close may meet one: each caller of the kit makes two before the close. */
    private static final int BEFORE = 2;

    static List<Mutant> closes() {
        return List.of(
                Mutant.of(
                        "a close lets go of memory under a read",
                        "9.8",
                        "readBytes during a close",
                        (d, p, o, g) -> new MetByClose(BEFORE, d, p, o, g) {
                            @Override
                            void get(long offset, MemorySegment destination) {
                                long half = destination.byteSize() / 2;
                                super.get(offset, destination.asSlice(0, half));
                                awaitClose();
                                if (open) {
                                    super.get(offset + half, destination.asSlice(half));
                                } else { // another arena has the memory now
                                    destination.asSlice(half).fill((byte) 0x77);
                                }
                            }
                        }),
                Mutant.of(
                        "a fill that meets a close throws another exception",
                        "9.8",
                        "fillBytes during a close",
                        (d, p, o, g) -> new MetByClose(BEFORE, d, p, o, g) {
                            @Override
                            void fill(long offset, long length, byte value) {
                                super.fill(offset, length, value);
                                awaitClose();
                                if (!open) {
                                    throw new NullPointerException("queue");
                                }
                            }
                        }),
                Mutant.of(
                        "a close fails while a read fills host memory",
                        "9.8",
                        "a racer threw java.lang.IllegalStateException: host memory:",
                        HostFreedTooEarly::new),
                Mutant.of(
                        "a mapped view ends with its arena",
                        "9.8",
                        "withBytes during a close",
                        (d, p, o, g) -> new MetByClose(BEFORE, d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
                                get(offset, bytes);
                                awaitClose();
                                if (!open) {
                                    bytes.fill((byte) 0x77);
                                }
                                return reader.apply(bytes.asReadOnly());
                            }
                        }));
    }

    /** Frees host memory without a look at the calls that use it. */
    private static final class HostFreedTooEarly extends MetByClose {
        private final AtomicInteger reads = new AtomicInteger();

        /** The kit's call has four reads. */
        HostFreedTooEarly(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            super(4 * BEFORE, device, plan, options, geometry);
        }

        @Override
        public void readBytes(long offset, MemorySegment destination) {
            if (!isHost(destination)) {
                super.readBytes(offset, destination);
                return;
            }
            reads.incrementAndGet();
            try {
                super.readBytes(offset, destination);
                awaitClose();
            } finally {
                reads.decrementAndGet();
            }
        }

        @Override
        void endHosts() {
            if (reads.get() > 0) {
                throw new IllegalStateException("host memory: a native call still uses it");
            }
            super.endHosts();
        }
    }
}
