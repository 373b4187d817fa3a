package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.Transfer;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Faults in host memory of the device, deferred writes, fills and copies. */
final class HostSegmentMutants {
    private HostSegmentMutants() {}

    /** Makes host memory. */
    private interface Hosts {
        ReferenceHost host(long bytes);
    }

    /** Fills or copies a range in a wrong way. */
    private interface Change {
        void change(Changing arena, long first, long second, long third);
    }

    /** An arena with other fills or copies. */
    private static class Changing extends ReferenceArena {
        Changing(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g) {
            super(d, p, o, g);
        }

        void usualFill(long offset, long length, byte value) {
            super.fill(offset, length, value);
        }

        void usualCopy(long from, long to, long length) {
            super.copy(from, to, length);
        }
    }

    private static Mutant hosting(String fault, String clause, String text, Hosts hosts) {
        return Mutant.ofLarge(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            ReferenceHost host(long bytes) {
                return hosts.host(bytes);
            }
        });
    }

    private static Mutant filling(String fault, String clause, String text, Change change) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new Changing(d, p, o, g) {
            @Override
            void fill(long offset, long length, byte value) {
                change.change(this, offset, length, value);
            }
        });
    }

    private static Mutant copying(String fault, String clause, String text, Change change) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new Changing(d, p, o, g) {
            @Override
            void copy(long from, long to, long length) {
                change.change(this, from, to, length);
            }
        });
    }

    static List<Mutant> all() {
        return List.of(
                hosting("host memory shows the bytes of earlier memory", "2.1", "bytes, new", bytes -> {
                    ReferenceHost host = new ReferenceHost(bytes);
                    host.segment.asSlice(bytes / 2).fill((byte) 0x5A);
                    return host;
                }),
                hosting(
                        "host memory is rounded up to words",
                        "2.1",
                        "host",
                        bytes -> new ReferenceHost(bytes + 3 & -4)),
                hosting(
                        "host memory says that it is rounded up to words",
                        "10.1",
                        "byteSize of host memory of 1 bytes",
                        bytes -> new ReferenceHost(bytes) {
                            @Override
                            public long byteSize() {
                                return bytes + 3 & -4;
                            }
                        }),
                hosting(
                        "closed host memory still has a segment",
                        "10.2",
                        "segment() of closed host memory",
                        bytes -> new ReferenceHost(bytes) {
                            @Override
                            public MemorySegment segment() {
                                return segment;
                            }
                        }),
                hosting("host memory is never freed", "8.4", "allocateHost with ", bytes -> new ReferenceHost(bytes) {
                    @Override
                    public void close() {
                        // its memory stays
                    }
                }),
                Mutant.of(
                        "host memory outlives its arena",
                        "10.2",
                        "open",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void endHosts() {
                                // they stay
                            }
                        }),
                Mutant.of(
                        "host memory of no byte is made",
                        "10.3",
                        "host memory of 0 bytes",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePositive(long bytes) {
                                if (bytes < 0) {
                                    super.requirePositive(bytes);
                                }
                            }

                            @Override
                            ReferenceHost host(long bytes) {
                                return new ReferenceHost(Math.max(bytes, 1));
                            }
                        }),
                Mutant.of(
                        "large writes from host memory leave out their last bytes",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private HostMemory last = new ReferenceHost(1);

                            @Override
                            ReferenceHost host(long bytes) {
                                ReferenceHost made = super.host(bytes);
                                last = made;
                                return made;
                            }

                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                boolean own = source.byteSize() > 65_536
                                        && last.isOpen()
                                        && source.isNative()
                                        && source.address() >= last.segment().address()
                                        && source.address() < last.segment().address() + last.byteSize();
                                super.writeRaw(offset, own ? source.asSlice(0, source.byteSize() & -4) : source);
                            }
                        }),
                deferring(
                        "deferred writes are made after the next read",
                        "2.1",
                        "bytes read from offset",
                        (arena, regions) -> {
                            arena.later = regions;
                            return new ReferenceArena.ReferenceWrite(arena.written(regions));
                        }),
                deferring(
                        "a deferred batch loses its small region",
                        "2.1",
                        "bytes read from offset",
                        (arena, regions) -> {
                            arena.writeRegions(regions.subList(0, 1));
                            return new ReferenceArena.ReferenceWrite(arena.written(regions));
                        }),
                deferring("a fence is never done", "2.1", "transfer", (arena, regions) -> {
                    arena.writeRegions(regions);
                    return new ReferenceArena.ReferenceWrite(arena.written(regions)) {
                        @Override
                        public State state() {
                            return State.PENDING;
                        }
                    };
                }),
                Mutant.of(
                        "a deferred batch is half written before its error",
                        "5.1",
                        "arena after beginWrite of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public Transfer beginWrite(Batch batch) {
                                requireOpen();
                                for (Batch.Region region : batch.regions()) {
                                    requireWrite(region);
                                    writeRegions(List.of(region));
                                }
                                return new ReferenceWrite(written(batch.regions()));
                            }
                        }),
                filling(
                        "fills end at a word",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, length, value) ->
                                arena.usualFill(offset, Math.max(length & -4, 0), (byte) value)),
                filling("fills begin at a word", "2.1", "bytes read from offset", (arena, offset, length, value) -> {
                    long begin = length > 8 ? offset & -4 : offset;
                    arena.usualFill(begin, length + (offset - begin), (byte) value);
                }),
                filling(
                        "fills are with a byte of seven bits",
                        "2.1",
                        "bytes read from offset",
                        (arena, offset, length, value) -> arena.usualFill(offset, length, (byte) (value & 0x7F))),
                copying(
                        "copies go forwards, word by word",
                        "2.2",
                        "bytes read from offset",
                        (arena, from, to, length) -> {
                            for (long done = 0; done < length; done += 65_536) {
                                arena.usualCopy(from + done, to + done, Math.min(length - done, 65_536));
                            }
                        }),
                copying("copies go backwards", "2.2", "bytes read from offset", (arena, from, to, length) -> {
                    for (long left = length; left > 0; left -= 65_536) {
                        long part = Math.min(left, 65_536);
                        arena.usualCopy(from + left - part, to + left - part, part);
                    }
                }),
                copying(
                        "copies end at a word",
                        "2.1",
                        "bytes read from offset",
                        (arena, from, to, length) -> arena.usualCopy(from, to, length & -4)),
                Mutant.of(
                        "fills past the end are cut to it",
                        "4.1",
                        "fillBytes of 1 bytes at 93",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void fillBytes(long offset, long length, byte value) {
                                super.fillBytes(offset, Math.min(length, Math.max(sizeBytes() - offset, 0)), value);
                            }
                        }),
                Mutant.of(
                        "the target of a copy is cut to the arena",
                        "4.1",
                        "copyBytes to of 0 bytes at -1",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void copyBytes(long from, long to, long length) {
                                requireOpen();
                                requireRange(from, length);
                                long most = Math.clamp(sizeBytes() - to, 0, length);
                                if (to >= 0 && most > 0) {
                                    copy(from, to, most);
                                }
                            }
                        }));
    }

    /** Makes a deferred batch in a wrong way. */
    private interface Begin {
        Transfer begin(Late arena, List<Batch.Region> regions);
    }

    private static Mutant deferring(String fault, String clause, String text, Begin begin) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new Late(d, p, o, g, begin));
    }

    /** An arena whose deferred writes may be late. */
    private static final class Late extends ReferenceArena {
        private final Begin begin;
        private List<Batch.Region> later = List.of();

        Late(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g, Begin begin) {
            super(d, p, o, g);
            this.begin = begin;
        }

        @Override
        Transfer begun(List<Batch.Region> regions) {
            return begin.begin(this, regions);
        }

        @Override
        void get(long offset, MemorySegment destination) {
            super.get(offset, destination);
            List<Batch.Region> now = later;
            later = List.of();
            writeRegions(now);
        }
    }
}
