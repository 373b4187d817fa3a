package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.Transfer;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Faults that bytes do not show: options that views forget, threads that are interrupted or many, memory that is
 * kept.
 */
final class OptionMutants {
    private OptionMutants() {}

    static List<Mutant> all() {
        return List.of(
                views(
                        "views forget the reinterpretation",
                        "7.2",
                        "threw java.lang.IllegalArgumentException: node 2",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            @Nullable PlanValue known(NodeId id) {
                                return plan().values().get(id);
                            }
                        }),
                views(
                        "views forget the weights",
                        "7.2",
                        "plan of the weights of a view",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            Optional<DeviceArena> weights() {
                                return Optional.empty();
                            }
                        }),
                views(
                        "views of views forget the weights",
                        "7.2",
                        "plan of the weights of a view",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                return new ReferenceArena(this, other) {
                                    @Override
                                    Optional<DeviceArena> weights() {
                                        return Optional.empty();
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "the 97th caller at once is refused",
                        "9.4",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final AtomicInteger inside = new AtomicInteger();

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                try {
                                    if (inside.incrementAndGet() > 96) {
                                        throw new IllegalStateException("view: expected a free place, got none");
                                    }
                                    return super.withCopy(offset, length, reader);
                                } finally {
                                    inside.decrementAndGet();
                                }
                            }
                        }),
                Mutant.of(
                        "callers past the 128th share their staging",
                        "9.4",
                        "of caller ",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final AtomicInteger inside = new AtomicInteger();
                            private final MemorySegment staging = MemorySegment.ofArray(new byte[1 << 12]);

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                try {
                                    if (inside.incrementAndGet() <= 128 || length > staging.byteSize()) {
                                        return super.withCopy(offset, length, reader);
                                    }
                                    MemorySegment copy = staging.asSlice(0, length);
                                    get(offset, copy);
                                    return reader.apply(copy.asReadOnly());
                                } finally {
                                    inside.decrementAndGet();
                                }
                            }
                        }),
                Mutant.of(
                        "the 200th reader that throws leaves no staging",
                        "4.2",
                        "what withBytes throws when reader",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private int thrown;

                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                if (thrown >= 200) {
                                    throw new IllegalStateException("view: expected staging, got none");
                                }
                                try {
                                    return super.withCopy(offset, length, reader);
                                } catch (RuntimeException e) {
                                    thrown++;
                                    throw e;
                                }
                            }
                        }),
                Mutant.ofLarge(
                        "each mapped view leaks its copy",
                        "8.4",
                        "withBytes with ",
                        (d, p, o, g) -> new Leaking(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                leak(length);
                                return super.withCopy(offset, length, reader);
                            }
                        }),
                Mutant.ofLarge(
                        "each deferred write leaks its copy",
                        "8.4",
                        "beginWrite of heap memory with ",
                        (d, p, o, g) -> new Leaking(d, p, o, g) {
                            @Override
                            Transfer begun(List<Batch.Region> regions) {
                                leak(
                                        regions.isEmpty()
                                                ? 0
                                                : regions.getFirst().memory().byteSize());
                                return super.begun(regions);
                            }
                        }),
                Mutant.ofLarge(
                        "the sources of all writes are kept on the heap",
                        "8.4",
                        "of heap memory with ",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final List<byte[]> kept = new ArrayList<>();

                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                super.writeBytes(offset, source);
                                kept.add(source.toArray(ValueLayout.JAVA_BYTE));
                            }
                        }),
                Mutant.of(
                        "a close on an interrupted thread closes nothing",
                        "9.9",
                        "isOpen of the arena that was closed",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void close() {
                                if (!Thread.currentThread().isInterrupted()) {
                                    super.close();
                                }
                            }
                        }),
                Mutant.of(
                        "a close loses the interrupt flag",
                        "9.7",
                        "a call of a sequence on an interrupted thread",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void close() {
                                Thread.interrupted();
                                super.close();
                            }
                        }),
                Mutant.of(
                        "a close on an interrupted thread frees memory under a read",
                        "9.9",
                        "readBytes during a close",
                        (d, p, o, g) -> new MetByClose(2, d, p, o, g) {
                            private volatile boolean given;

                            @Override
                            void get(long offset, MemorySegment destination) {
                                super.get(offset, destination);
                                awaitClose();
                                if (given) {
                                    destination.fill((byte) 0x77);
                                }
                            }

                            @Override
                            public void close() {
                                given = Thread.currentThread().isInterrupted();
                                super.close();
                            }
                        }),
                Mutant.ofProvider(
                        "a probe on an interrupted thread throws",
                        "15.2",
                        "a racer threw java.lang.IllegalStateException: probe: got",
                        () -> new ReferenceProvider() {
                            @Override
                            public Availability probe() {
                                if (Thread.currentThread().isInterrupted()) {
                                    throw new IllegalStateException("probe: got an interrupt");
                                }
                                return super.probe();
                            }
                        }),
                Mutant.ofProvider(
                        "a probe loses the interrupt flag",
                        "15.2",
                        "interrupt flag after a probe",
                        () -> new ReferenceProvider() {
                            @Override
                            public Availability probe() {
                                Thread.interrupted();
                                return super.probe();
                            }
                        }),
                Mutant.ofProvider(
                        "a probe on an interrupted thread finds no device",
                        "15.2",
                        "devices of a probe on an interrupted thread",
                        () -> new ReferenceProvider() {
                            @Override
                            public Availability probe() {
                                return Thread.currentThread().isInterrupted()
                                        ? new Availability.Missing("the driver was interrupted", "probe again")
                                        : super.probe();
                            }
                        }),
                Mutant.ofProvider(
                        "the name of a device has two lines",
                        "15.3",
                        "a name of the device",
                        () -> new ReferenceProvider() {
                            @Override
                            public Availability probe() {
                                return new Availability.Ready(List.of(device(0, "small\nmemory")));
                            }
                        }),
                Mutant.ofProvider(
                        "the name of a limit has two lines",
                        "15.3",
                        "a name of the device",
                        () -> new ReferenceProvider() {
                            @Override
                            ArenaLimits limits() {
                                return new ArenaLimits(MOST_BYTES, "four\nmebibytes", 16, BINDING);
                            }
                        }));
    }

    /** A mutant with faulty views. */
    private static Mutant views(
            String fault, String clause, String text, BiFunction<ReferenceArena, MemoryPlan, ReferenceArena> views) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            ReferenceArena openView(MemoryPlan other) {
                return views.apply(this, other);
            }
        });
    }

    /** Keeps memory until it is closed, so that only the mutant suffers. */
    static class Leaking extends ReferenceArena {
        private final Arena kept = Arena.ofShared();

        Leaking(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            super(device, plan, options, geometry);
        }

        final void leak(long bytes) {
            if (bytes > 1 << 16) {
                kept.allocate(bytes).fill((byte) 1);
            }
        }

        @Override
        void free() {
            if (kept.scope().isAlive()) {
                kept.close();
            }
            super.free();
        }
    }
}
