package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DeviceException;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Faults in where and when deferred reads land. */
final class DeferredReadMutants {
    private DeferredReadMutants() {}

    /** Makes a handle that is wrong. */
    private interface Reads {
        ReferenceRead begin(Reading arena, List<Batch.Region> regions);
    }

    /** An arena with other handles, which may act when the arena is read. */
    private static class Reading extends ReferenceArena {
        private final Reads reads;
        private final List<Runnable> later = new ArrayList<>();
        int filled;

        Reading(ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g, Reads reads) {
            super(d, p, o, g);
            this.reads = reads;
        }

        @Override
        ReferenceRead begin(List<Batch.Region> regions) {
            return reads.begin(this, regions);
        }

        void whenReadNext(Runnable action) {
            synchronized (later) {
                later.add(action);
            }
        }

        @Override
        public void readBytes(long offset, MemorySegment destination) {
            super.readBytes(offset, destination);
            synchronized (later) {
                later.forEach(Runnable::run);
                later.clear();
            }
        }

        @Override
        void fill(long offset, long length, byte value) {
            super.fill(offset, length, value);
            filled++;
        }
    }

    private static Mutant read(String fault, String clause, String text, Reads reads) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new Reading(d, p, o, g, reads));
    }

    /** Changes destinations after the delivery. */
    private interface After {
        void change(Reading arena, Batch.Region region);
    }

    private static Mutant delivering(String fault, String clause, String text, After after) {
        return read(fault, clause, text, (owner, regions) -> new ReferenceRead(owner, regions) {
            @Override
            void deliver() {
                super.deliver();
                regions.forEach(region -> after.change(owner, region));
            }
        });
    }

    private static Mutant awaiting(String fault, String clause, String text, Wait wait) {
        return read(fault, clause, text, (owner, regions) -> new ReferenceRead(owner, regions) {
            @Override
            public boolean await(Duration timeout) {
                return wait.await(this, timeout) && super.await(timeout);
            }
        });
    }

    /** Says whether a wait goes on. */
    private interface Wait {
        boolean await(ReferenceRead read, Duration timeout);
    }

    private static boolean isLong(Batch.Region region) {
        return region.memory().byteSize() > 1 << 16;
    }

    static List<Mutant> all() {
        return List.of(
                delivering(
                        "bytes behind the length of a value are zeroed",
                        "2.1",
                        "bytes read from offset",
                        (arena, region) -> {
                            if (region instanceof Batch.Elements elements) {
                                long read =
                                        arena.countOf(region) * elements.dtype().bytes();
                                region.memory().asSlice(read).fill((byte) 0);
                            }
                        }),
                delivering(
                        "floats of a long value are delivered to the end of their destination",
                        "2.1",
                        "the rest",
                        (arena, region) -> {
                            if (region instanceof Batch.Floats && isLong(region)) {
                                long read = arena.countOf(region) * 4;
                                long rest = region.memory().byteSize() - read;
                                if (rest >= 64) {
                                    region.memory().asSlice(read, 4).fill((byte) 0);
                                }
                            }
                        }),
                read(
                        "a deferred read has the lengths of the await",
                        "2.1",
                        "count of a transfer",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            public synchronized long await() {
                                super.await();
                                return arena.readRegions(regions.stream()
                                        .map(DeferredReadMutants::elsewhere)
                                        .toList());
                            }
                        }),
                delivering(
                        "native destinations are filled in words of 8 bytes",
                        "2.1",
                        "bytes read from offset",
                        (arena, region) -> {
                            long size = region.memory().byteSize();
                            if (region.memory().isNative() && size > 16 && size % 8 != 0) {
                                region.memory().asSlice(size & -8).fill((byte) 0);
                            }
                        }),
                delivering(
                        "native destinations of 256 bytes are not filled",
                        "2.1",
                        "bytes read from offset",
                        (arena, region) -> {
                            if (region.memory().isNative() && region.memory().byteSize() == 256) {
                                region.memory().fill((byte) 0);
                            }
                        }),
                delivering(
                        "native destinations at odd addresses begin a byte late",
                        "2.1",
                        "bytes read from offset",
                        (arena, region) -> {
                            MemorySegment memory = region.memory();
                            if (memory.isNative() && memory.address() % 2 == 1 && memory.byteSize() > 0) {
                                memory.asSlice(0, 1).fill((byte) 0);
                            }
                        }),
                read(
                        "long reads into native memory see later writes",
                        "2.1",
                        "floats of value",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            void deliver() {
                                super.deliver();
                                if (regions.stream()
                                        .allMatch(region -> isLong(region)
                                                && region.memory().isNative())) {
                                    arena.readRegions(regions);
                                }
                            }
                        }),
                read(
                        "small reads see later writes",
                        "2.1",
                        "bytes read from offset",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            void deliver() {
                                super.deliver();
                                if (regions.stream()
                                        .allMatch(region -> region.memory().byteSize() == 9)) {
                                    arena.readRegions(regions);
                                }
                            }
                        }),
                read("reads see later fills", "2.1", "bytes read from offset", (owner, regions) -> {
                    int filled = owner.filled;
                    return new ReferenceRead(owner, regions) {
                        @Override
                        void deliver() {
                            super.deliver();
                            if (owner.filled != filled) {
                                arena.readRegions(regions);
                            }
                        }
                    };
                }),
                Mutant.of(
                        "reads see later writes of views",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private int written;

                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                return new ReferenceArena(this, other) {
                                    @Override
                                    void put(long offset, MemorySegment source) {
                                        super.put(offset, source);
                                        written++;
                                    }
                                };
                            }

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                int before = written;
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    void deliver() {
                                        super.deliver();
                                        if (written != before) {
                                            readRegions(regions);
                                        }
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "long reads share one staging buffer",
                        "2.3",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final MemorySegment shared = MemorySegment.ofArray(new byte[1 << 17]);

                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    MemorySegment staging(long bytes) {
                                        return bytes > 1 << 16 && bytes < 1 << 17
                                                ? shared.asSlice(0, bytes)
                                                : super.staging(bytes);
                                    }
                                };
                            }
                        }),
                read(
                        "a cancelled read of native memory is finished later",
                        "6.4",
                        "memory of a cancelled read of 9 bytes",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            public synchronized boolean cancel() {
                                boolean cancelled = super.cancel();
                                if (cancelled) {
                                    owner.whenReadNext(() -> regions.stream()
                                            .filter(region ->
                                                    region.memory().scope().isAlive())
                                            .filter(region -> region.memory().isNative())
                                            .forEach(region ->
                                                    arena.readRegion(region, region.memory(), arena.countOf(region))));
                                }
                                return cancelled;
                            }
                        }),
                read(
                        "a cancelled read is finished when its state is asked",
                        "6.4",
                        "memory of a cancelled read of 9 bytes",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            public synchronized State state() {
                                if (super.state() == State.CANCELLED && regions.getFirst() instanceof Batch.Elements) {
                                    arena.readRegions(regions);
                                }
                                return super.state();
                            }
                        }),
                read(
                        "a cancelled read of 8 MiB or less says that it was cancelled twice",
                        "6.4",
                        "a second cancel",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            public synchronized boolean cancel() {
                                return super.cancel() || state() == State.CANCELLED;
                            }
                        }),
                read(
                        "a closed destination is left out",
                        "6.5",
                        "its other destination of",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            void deliver() {
                                if (regions.stream()
                                        .allMatch(region ->
                                                region.memory().scope().isAlive())) {
                                    super.deliver();
                                }
                            }
                        }),
                read(
                        "a closed destination is a fault of the device",
                        "6.5",
                        "threw io.devicearena.DeviceException: the device has failed",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            void deliver() {
                                try {
                                    super.deliver();
                                } catch (IllegalStateException e) {
                                    throw new DeviceException("the device has failed", e);
                                }
                            }
                        }),
                read(
                        "a read with a closed destination stays pending",
                        "6.5",
                        "bytes into memory that was closed",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            public synchronized State state() {
                                State state = super.state();
                                return state == State.FAILED && arena.isOpen() ? State.PENDING : state;
                            }
                        }),
                read(
                        "a closed destination closes the arena",
                        "6.5",
                        "threw java.lang.IllegalStateException: read",
                        (owner, regions) -> new ReferenceRead(owner, regions) {
                            @Override
                            void deliver() {
                                try {
                                    super.deliver();
                                } catch (IllegalStateException e) {
                                    arena.close();
                                    throw e;
                                }
                            }
                        }),
                awaiting(
                        "a limit is counted in nanoseconds",
                        "6.1",
                        "a limit of PT-0.000000001S",
                        (read, timeout) -> timeout.toNanos() >= 0),
                awaiting(
                        "the sum of limit and clock overflows",
                        "6.1",
                        "a limit of PT-2562047788015215H-30M-8S",
                        (read, timeout) -> {
                            long now = 1L << 40;
                            long nanos = timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0
                                    ? timeout.toNanos()
                                    : Long.MAX_VALUE;
                            return nanos < 0 || now + nanos > now || nanos == 0;
                        }),
                awaiting(
                        "a limit is cut to seconds that fit an int",
                        "6.1",
                        "await of PT2562047788015215H30M7.999999999S",
                        (read, timeout) -> timeout.isNegative()
                                || ((int) timeout.toSeconds() >= 0 && timeout.toSeconds() < Long.MAX_VALUE)),
                awaiting(
                        "the most negative limit is accepted",
                        "6.1",
                        "a limit of PT-2562047788015215H-30M-8S",
                        (read, timeout) -> {
                            if (timeout.toSeconds() == Long.MIN_VALUE) {
                                throw new ArithmeticException("long overflow");
                            }
                            return true;
                        }));
    }

    /** The same region with a destination of its own. */
    private static Batch.Region elsewhere(Batch.Region region) {
        return switch (region) {
            case Batch.Floats output -> new Batch.Floats(output.node(), output.dtype(), copyOf(output.memory()));
            case Batch.Elements elements ->
                new Batch.Elements(elements.node(), elements.dtype(), copyOf(elements.memory()));
            case Batch.Bytes bytes -> new Batch.Bytes(bytes.offset(), copyOf(bytes.memory()));
        };
    }

    private static MemorySegment copyOf(MemorySegment memory) {
        return MemorySegment.ofArray(new byte[Math.toIntExact(memory.byteSize())]);
    }
}
