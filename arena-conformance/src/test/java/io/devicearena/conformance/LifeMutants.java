package io.devicearena.conformance;

import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.BufferSlot;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.function.Supplier;

/** Faults in order, in opening and closing, and with several threads. */
final class LifeMutants {
    private LifeMutants() {}

    /** A mutant whose arenas know something of each other; what they know is made anew for each run. */
    private static <S> Mutant sharing(
            String fault, String clause, String text, Supplier<S> shared, Sharing<S> sharing) {
        return Mutant.ofState(fault, clause, text, () -> sharing.with(shared.get()));
    }

    /** Makes arenas that share something. */
    private interface Sharing<S> {
        Mutant.Maker with(S shared);
    }

    static List<Mutant> order() {
        return List.of(
                Mutant.of(
                        "a small raw write waits for the next write",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private MemorySegment waiting = TestData.memory();
                            private long place;

                            @Override
                            synchronized void put(long offset, MemorySegment source) {
                                super.put(place, waiting);
                                waiting = TestData.memory();
                                if (source.byteSize() == 3 && geometry.sizeBytes() == 65_536) {
                                    place = offset;
                                    waiting = MemorySegment.ofArray(source.toArray(Batches.BYTE));
                                } else {
                                    super.put(offset, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a small write overtakes a large one",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private byte[] small = {};
                            private long place;

                            @Override
                            synchronized void put(long offset, MemorySegment source) {
                                super.put(offset, source);
                                if (source.byteSize() > 300) {
                                    super.put(place, MemorySegment.ofArray(small));
                                    small = new byte[0];
                                } else if (source.byteSize() == 255) {
                                    place = offset;
                                    small = source.toArray(Batches.BYTE);
                                }
                            }
                        }),
                sharing(
                        "lengths belong to the device",
                        "2.1",
                        "count of a batch",
                        HashMap<NodeId, Long>::new,
                        lengths -> (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            {
                                lengths.clear();
                            }

                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                synchronized (lengths) {
                                    return Math.min(slot.size(), lengths.getOrDefault(id, slot.size()));
                                }
                            }

                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                synchronized (lengths) {
                                    lengths.put(id, bytes);
                                }
                            }
                        }),
                Mutant.of(
                        "a flush loses the last small write",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private long last = -1;

                            @Override
                            synchronized void put(long offset, MemorySegment source) {
                                super.put(offset, source);
                                last = source.byteSize() > 0 ? offset : -1;
                            }

                            @Override
                            synchronized void flushed() {
                                if (last >= 0) {
                                    super.put(last, TestData.memory((byte) 0));
                                }
                            }
                        }));
    }

    static List<Mutant> lifetime() {
        return List.of(
                Mutant.of(
                        "a closed arena still answers",
                        "7.5",
                        "weights of a closed arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireOpen() {}
                        }),
                Mutant.of(
                        "an empty range of a closed arena is accepted",
                        "8.1",
                        "writeBytes of no byte on a closed arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                if (source.byteSize() > 0 || offset != 0) {
                                    super.writeBytes(offset, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a second close throws",
                        "6.3",
                        "threw java.lang.IllegalStateException: arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public synchronized void close() {
                                requireOpen();
                                super.close();
                            }
                        }),
                Mutant.of(
                        "a closed arena says that it is open",
                        "6.3",
                        "isOpen after an action closed the arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public boolean isOpen() {
                                return true;
                            }
                        }),
                Mutant.of(
                        "a closed arena has no text",
                        "8.2",
                        "threw java.lang.IllegalStateException: arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public String toString() {
                                requireOpen();
                                return super.toString();
                            }
                        }),
                sharing(
                        "all arenas are closed with one",
                        "2.1",
                        "threw java.lang.IllegalStateException: arena",
                        ArrayList<ReferenceArena>::new,
                        siblings -> (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            {
                                synchronized (siblings) {
                                    siblings.add(this);
                                }
                            }

                            @Override
                            public void close() {
                                List<ReferenceArena> all;
                                synchronized (siblings) {
                                    all = List.copyOf(siblings);
                                    siblings.clear();
                                }
                                super.close();
                                all.forEach(ReferenceArena::close);
                            }
                        }),
                Mutant.ofState(
                        "closed arenas keep their memory",
                        "8.3",
                        "threw io.devicearena.ArenaOutOfMemoryException: all memory",
                        () -> {
                            int[] kept = new int[1];
                            return (d, p, o, g) -> {
                                boolean counts = g.sizeBytes() == ReferenceProvider.MOST_BYTES / 100;
                                if (counts && kept[0]++ == 100) {
                                    throw new ArenaOutOfMemoryException("all memory is in use");
                                }
                                return new ReferenceArena(d, p, o, g);
                            };
                        }),
                Mutant.of(
                        "a dropped arena is not logged",
                        "8.5",
                        "log of io.devicearena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            {
                                keepSilent();
                            }
                        }),
                Mutant.of(
                        "a closed arena is called dropped",
                        "8.5",
                        "lines in the log about an arena that was closed",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void close() {
                                if (open && o.label().startsWith("closed")) {
                                    ReferenceMemory.Use.log(o.label());
                                }
                                super.close();
                            }
                        }));
    }

    static List<Mutant> threads() {
        return List.of(
                Mutant.of(
                        "an arena belongs to the thread that opened it",
                        "9.1",
                        "a racer threw java.lang.WrongThreadException: arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Thread opener = Thread.currentThread();

                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                if (!opener.equals(Thread.currentThread())
                                        && Thread.currentThread().isVirtual()) {
                                    throw new WrongThreadException("arena: expected the thread that opened it");
                                }
                                super.writeRaw(offset, source);
                            }
                        }),
                Mutant.of(
                        "neighbours are read and written back",
                        "9.2",
                        ", round 0",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Meeting meeting = new Meeting();

                            @Override
                            void put(long offset, MemorySegment source) {
                                long from = offset / 4 * 4;
                                long to = Math.min((offset + source.byteSize() + 3) / 4 * 4, geometry.sizeBytes());
                                if (!meeting.isFirst()) {
                                    super.put(offset, source);
                                    meeting.pass();
                                    return;
                                }
                                MemorySegment words = MemorySegment.ofArray(
                                        memory.asSlice(from, to - from).toArray(Batches.BYTE));
                                meeting.awaitSecond();
                                words.asSlice(offset - from, source.byteSize()).copyFrom(source);
                                super.put(from, words);
                            }
                        }),
                Mutant.of(
                        "two readers share one staging buffer",
                        "9.3",
                        "bytes read by a thread of 4, round 0",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Meeting meeting = new Meeting();
                            private final MemorySegment staging = MemorySegment.ofArray(new byte[1024]);

                            @Override
                            void get(long offset, MemorySegment destination) {
                                if (destination.byteSize() > 1024) {
                                    super.get(offset, destination);
                                    return;
                                }
                                boolean first = meeting.isFirst();
                                super.get(offset, staging.asSlice(0, destination.byteSize()));
                                if (first) {
                                    meeting.awaitSecond();
                                }
                                destination.copyFrom(staging.asSlice(0, destination.byteSize()));
                                meeting.pass();
                            }
                        }),
                Mutant.of(
                        "bytes are written in halves",
                        "9.2",
                        "a byte that two threads wrote",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Meeting meeting = new Meeting();

                            @Override
                            void put(long offset, MemorySegment source) {
                                if (source.byteSize() != 61) {
                                    super.put(offset, source);
                                    return;
                                }
                                boolean first = meeting.isFirst();
                                for (int half = 0; half < 2; half++) {
                                    int mask = half == 0 ? 0xF0 : 0x0F;
                                    for (long i = 0; i < source.byteSize(); i++) {
                                        int old = memory.get(Batches.BYTE, offset + i);
                                        memory.set(Batches.BYTE, offset + i, (byte)
                                                ((old & ~mask) | (source.get(Batches.BYTE, i) & mask)));
                                    }
                                    if (first && half == 0) {
                                        meeting.awaitSecond();
                                    }
                                }
                                meeting.pass();
                            }
                        }),
                Mutant.of(
                        "a length is set in two steps",
                        "9.5",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Meeting meeting = new Meeting();

                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                meeting.becomeSecond();
                                long length = super.lengthOf(id, slot);
                                meeting.pass();
                                return length;
                            }

                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                if (meeting.becomesFirst()) {
                                    super.storeLength(id, slot, 0);
                                    meeting.awaitSecond();
                                }
                                super.storeLength(id, slot, bytes);
                            }
                        }),
                Mutant.of(
                        "a call that meets a close throws another exception",
                        "9.8",
                        "flush during a close",
                        (d, p, o, g) -> new MetByClose(2, d, p, o, g) {
                            @Override
                            void flushed() {
                                awaitClose();
                                if (!open) {
                                    throw new IllegalArgumentException("arena: expected more time");
                                }
                            }
                        }),
                Mutant.of(
                        "memory confined to another thread is silently skipped",
                        "9.6",
                        "writeBytes with another thread's memory",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                if (source.isAccessibleBy(Thread.currentThread())) {
                                    super.writeBytes(offset, source);
                                }
                            }
                        }));
    }
}
