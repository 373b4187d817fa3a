package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.Transfer;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Faults as a stranger would make them, of each kind that the kit means to find. */
final class OutsideMutants {
    private static final int KIB = 1 << 10;
    private static final int CALLS = 1 << 16;

    private OutsideMutants() {}

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>(where());
        all.addAll(order());
        all.addAll(content());
        all.addAll(counts());
        all.addAll(arguments());
        all.addAll(objects());
        return all;
    }

    private static List<Mutant> where() {
        return List.of(
                Mutant.of(
                        "element 100,003 of F64 in a batch is the one before",
                        "2.2",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                super.writeElements(id, dtype, source);
                                long at = 100_003L * 8;
                                if (dtype == DType.F64 && source.byteSize() >= at + 8) {
                                    writeRaw(require(id).offset() + at, source.asSlice(at - 8, 8));
                                }
                            }
                        }),
                Mutant.of(
                        "a fill at an odd offset past 64 KiB begins a byte early",
                        "2.1",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void fill(long offset, long length, byte value) {
                                boolean faulty = offset > 64 * KIB && offset % 2 == 1 && length > 0;
                                super.fill(faulty ? offset - 1 : offset, faulty ? length + 1 : length, value);
                            }
                        }),
                Mutant.of(
                        "a copy out of the scratch loses its first byte",
                        "2.1",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void copy(long from, long to, long length) {
                                boolean faulty = from >= g.planBytes() && to < g.planBytes() && length > 1;
                                super.copy(
                                        faulty ? from + 1 : from, faulty ? to + 1 : to, faulty ? length - 1 : length);
                            }
                        }));
    }

    private static List<Mutant> order() {
        return List.of(
                Mutant.of(
                        "a read that is begun behind a copy has the bytes before it",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private byte[] before = new byte[0];

                            @Override
                            void copy(long from, long to, long length) {
                                byte[] now = memory.toArray(Batches.BYTE);
                                super.copy(from, to, length);
                                before = length > 64 * KIB ? now : new byte[0];
                            }

                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                before = new byte[0];
                                super.writeRaw(offset, source);
                            }

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                byte[] stale = before;
                                before = new byte[0];
                                byte[] now = memory.toArray(Batches.BYTE);
                                if (stale.length == 0) {
                                    return super.begin(regions);
                                }
                                memory.copyFrom(MemorySegment.ofArray(stale));
                                ReferenceRead read = super.begin(regions);
                                memory.copyFrom(MemorySegment.ofArray(now));
                                return read;
                            }
                        }),
                Mutant.of(
                        "a deferred write is made again when it is awaited",
                        "2.1",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            Transfer begun(List<Batch.Region> regions) {
                                List<Batch.Region> last = regions.stream()
                                        .filter(region -> region instanceof Batch.Bytes)
                                        .<Batch.Region>map(region -> new Batch.Bytes(
                                                ((Batch.Bytes) region).offset(),
                                                MemorySegment.ofArray(
                                                        region.memory().toArray(Batches.BYTE))))
                                        .toList();
                                writeRegions(regions);
                                return new ReferenceWrite(written(regions)) {
                                    @Override
                                    public long await() {
                                        if (open) {
                                            writeRegions(last);
                                        }
                                        return super.await();
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "a batch is read again with the count of the first time",
                        "2.1",
                        "count of a batch",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final IdentityHashMap<List<Batch.Region>, Long> counts = new IdentityHashMap<>();

                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                long count = super.readRegions(regions);
                                Long first = counts.putIfAbsent(regions, count);
                                return first == null ? count : first;
                            }
                        }));
    }

    private static List<Mutant> content() {
        return List.of(
                Mutant.of(
                        "a write that a copy has undone is not made again",
                        "2.1",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private byte[] last = new byte[0];
                            private long place = -1;

                            @Override
                            void copy(long from, long to, long length) {
                                long kept = place;
                                byte[] bytes = last;
                                super.copy(from, to, length);
                                place = kept;
                                last = bytes;
                            }

                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                byte[] now = source.toArray(Batches.BYTE);
                                if (offset != place || now.length < 8 || !Arrays.equals(now, last)) {
                                    super.writeRaw(offset, source);
                                }
                                place = offset;
                                last = now;
                            }
                        }),
                Mutant.of(
                        "regions of zeros are left out of batches",
                        "2.1",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeRegion(Batch.Region region, MemorySegment source) {
                                byte[] bytes = source.toArray(Batches.BYTE);
                                if (bytes.length < 16 || !Arrays.equals(bytes, new byte[bytes.length])) {
                                    super.writeRegion(region, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a negative zero of F32 is written as zero",
                        "3.3",
                        "written as F",
                        (d, p, o, g) -> new CastingArena(d, p, o, g) {
                            @Override
                            int copied(int bits) {
                                return bits == Integer.MIN_VALUE ? 0 : bits;
                            }
                        }));
    }

    private static List<Mutant> counts() {
        return List.of(
                Mutant.of(
                        "mapped view 65,537 is refused",
                        "2.3",
                        "all are taken",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private int views;

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                if (++views > CALLS) {
                                    throw new IllegalStateException("all are taken");
                                }
                                return super.withCopy(offset, length, reader);
                            }
                        }),
                Mutant.of(
                        "the 97th mapped view of all callers at once is refused",
                        "9.4",
                        "a racer threw",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final AtomicInteger inside = new AtomicInteger();

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                try {
                                    if (inside.incrementAndGet() > 96) {
                                        throw new IllegalStateException("all are taken");
                                    }
                                    return super.withCopy(offset, length, reader);
                                } finally {
                                    inside.decrementAndGet();
                                }
                            }
                        }),
                Mutant.of(
                        "a place is lost with each reader that throws, of 200",
                        "4.2",
                        "all are lost",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final AtomicInteger lost = new AtomicInteger();

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                if (lost.get() > 200) {
                                    throw new IllegalStateException("all are lost");
                                }
                                try {
                                    return super.withCopy(offset, length, reader);
                                } catch (RuntimeException e) {
                                    lost.incrementAndGet();
                                    throw e;
                                }
                            }
                        }));
    }

    private static List<Mutant> arguments() {
        return List.of(
                Mutant.of(
                        "a deferred read accepts read-only native memory",
                        "14.3",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireRegion(Batch.Region region) {
                                if (region.memory().isReadOnly()
                                        && region.memory().isNative()) {
                                    requireAccess(region.memory());
                                } else {
                                    super.requireRegion(region);
                                }
                            }

                            @Override
                            void readRegion(Batch.Region region, MemorySegment destination, long count) {
                                if (!destination.isReadOnly()) {
                                    super.readRegion(region, destination, count);
                                }
                            }
                        }),
                Mutant.of(
                        "the size of host memory is an int",
                        "10.3",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public HostMemory allocateHost(long bytes) {
                                return super.allocateHost(bytes > Integer.MAX_VALUE ? Math.max(1, (int) bytes) : bytes);
                            }
                        }),
                Mutant.of(
                        "a refused size of host memory is not in the message",
                        "10.3",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePositive(long bytes) {
                                if (bytes < 1) {
                                    throw new IllegalArgumentException("bytes: expected more");
                                }
                            }
                        }),
                Mutant.of(
                        "a refused number of elements is not in the message",
                        "14.3",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public float[] readOutputF32(NodeId id, DType dtype, long elements) {
                                if (open && dtype.isHostFloat() && find(id) != null && elements < 0) {
                                    throw new IllegalArgumentException("elements: expected more");
                                }
                                return super.readOutputF32(id, dtype, elements);
                            }
                        }),
                Mutant.of(
                        "a refused plan of a view is not in the message",
                        "7.3",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireView(MemoryPlan other) {
                                if (other.arenaSize() > geometry.planBytes()) {
                                    throw new IllegalArgumentException("view: expected a smaller plan");
                                }
                                super.requireView(other);
                            }
                        }),
                Mutant.of(
                        "a refused limit of a wait is not in the message",
                        "6.1",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    public boolean await(Duration timeout) {
                                        if (timeout.isNegative()) {
                                            throw new IllegalArgumentException("timeout: expected more");
                                        }
                                        return super.await(timeout);
                                    }
                                };
                            }
                        }),
                Mutant.ofProvider(
                        "the name of a limit ends with a return", "15.3", "expected", () -> new ReferenceProvider() {
                            @Override
                            ArenaLimits limits() {
                                return new ArenaLimits(MOST_BYTES, "four mebibytes\r", 16, BINDING);
                            }
                        }),
                Mutant.ofProvider(
                        "the description of a device has a line separator",
                        "15.3",
                        "expected",
                        () -> new ReferenceProvider() {
                            @Override
                            ArenaDevice device(int index, String name) {
                                ArenaDevice right = super.device(index, name);
                                return new ArenaDevice(
                                        NAME,
                                        index,
                                        name,
                                        "for\u2028tests",
                                        right.kind(),
                                        right.priority(),
                                        right.limits(),
                                        right.capabilities());
                            }
                        }));
    }

    /** A view that knows how deep it is. */
    private static class Deep extends ReferenceArena {
        private final int depth;

        Deep(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g) {
            super(d, p, o, g);
            this.depth = 0;
        }

        Deep(Deep parent, MemoryPlan plan) {
            super(parent, plan);
            this.depth = parent.depth + 1;
        }

        boolean isDeep() {
            return depth > 2;
        }
    }

    private static List<Mutant> objects() {
        return List.of(
                Mutant.of(
                        "a view of a view of a view forgets the reinterpretation",
                        "7.2",
                        "expected",
                        (d, p, o, g) -> new Strict(d, p, o, g)),
                Mutant.of(
                        "a view of a view of a view loses its scratch",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: range",
                        (d, p, o, g) -> new Bare(d, p, o, g)),
                Mutant.ofLarge(
                        "a refused batch leaks a copy of its data",
                        "8.4",
                        "expected no more memory",
                        (d, p, o, g) -> new OptionMutants.Leaking(d, p, o, g) {
                            @Override
                            public void writeBatch(Batch batch) {
                                try {
                                    super.writeBatch(batch);
                                } catch (IllegalArgumentException e) {
                                    leak(batch.regions().stream()
                                            .mapToLong(region -> region.memory().byteSize())
                                            .sum());
                                    throw e;
                                }
                            }
                        }),
                Mutant.ofLarge(
                        "a cancelled read leaks its staging",
                        "8.4",
                        "a cancelled beginRead",
                        (d, p, o, g) -> new OptionMutants.Leaking(d, p, o, g) {
                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    public synchronized boolean cancel() {
                                        boolean cancelled = super.cancel();
                                        if (cancelled) {
                                            leak(regions.getFirst().memory().byteSize());
                                        }
                                        return cancelled;
                                    }
                                };
                            }
                        }));
    }

    private static final class Strict extends Deep {
        Strict(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g) {
            super(d, p, o, g);
        }

        Strict(Strict parent, MemoryPlan plan) {
            super(parent, plan);
        }

        @Override
        ReferenceArena openView(MemoryPlan other) {
            return new Strict(this, other);
        }

        @Override
        @Nullable PlanValue known(NodeId id) {
            return isDeep() ? plan().values().get(id) : super.known(id);
        }
    }

    private static final class Bare extends Deep {
        Bare(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g) {
            super(d, p, o, g);
        }

        Bare(Bare parent, MemoryPlan plan) {
            super(parent, plan);
        }

        @Override
        ReferenceArena openView(MemoryPlan other) {
            return new Bare(this, other);
        }

        @Override
        void requireRange(long offset, long length) {
            super.requireRange(offset, length);
            if (isDeep() && offset + length > geometry.planBytes()) {
                throw new IllegalArgumentException("range: expected one within the plan");
            }
        }
    }
}
