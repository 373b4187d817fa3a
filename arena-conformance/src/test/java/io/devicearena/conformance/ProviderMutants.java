package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Faults in providers, in what their devices declare, and in host memory. */
final class ProviderMutants {
    private ProviderMutants() {}

    static List<Mutant> providers() {
        return List.of(
                Mutant.ofProvider("the name has capital letters", "15.1", "name", () -> new ReferenceProvider() {
                    @Override
                    public String name() {
                        return "Reference";
                    }

                    @Override
                    ArenaDevice device(int index, String name) {
                        return renamed(super.device(index, name), "Reference");
                    }

                    @Override
                    public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                        return device.provider().equals("Reference")
                                ? arena(device, plan, options, ArenaGeometry.of(plan, options, device))
                                : super.openArena(renamed(device, "unknown"), plan, options);
                    }
                }),
                every(
                        "every instance has a name of its own",
                        "name of another instance",
                        count -> new ReferenceProvider() {
                            @Override
                            public String name() {
                                return count == 0 ? NAME : NAME + count;
                            }
                        }),
                every(
                        "the constructor throws when it is called again",
                        "io.devicearena.conformance.Mutant$Faulty",
                        count -> {
                            if (count > 0) {
                                throw new IllegalStateException("expected one, got two");
                            }
                            return new ReferenceProvider();
                        }),
                Mutant.ofProvider(
                        "it was built for another version of the SPI",
                        "15.1",
                        "spiVersion",
                        () -> new ReferenceProvider() {
                            @Override
                            public int spiVersion() {
                                return 0;
                            }
                        }),
                Mutant.ofProvider(
                        "probe throws",
                        "15.2",
                        "threw java.lang.UnsatisfiedLinkError: no driver",
                        () -> new ReferenceProvider() {
                            @Override
                            public Availability probe() {
                                throw new UnsatisfiedLinkError("no driver");
                            }
                        }),
                Mutant.ofProvider("probe returns null", "15.2", "probe()", () -> new ReferenceProvider() {
                    @Override
                    @SuppressWarnings("NullAway") // that is the fault
                    public Availability probe() {
                        return null;
                    }
                }),
                Mutant.ofProvider(
                        "it is missing without a remedy", "15.2", "remedy of Missing", () -> new ReferenceProvider() {
                            @Override
                            public Availability probe() {
                                return new Availability.Missing("there is no driver", "");
                            }
                        }),
                Mutant.ofProvider(
                        "a device has no description", "15.3", "a name of the device", () -> new ReferenceProvider() {
                            @Override
                            ArenaDevice device(int index, String name) {
                                ArenaDevice right = super.device(index, name);
                                return new ArenaDevice(
                                        NAME,
                                        index,
                                        name,
                                        " ",
                                        right.kind(),
                                        right.priority(),
                                        right.limits(),
                                        right.capabilities());
                            }
                        }),
                Mutant.ofProvider(
                        "a device that is listed opens another",
                        "15.4",
                        "device of an arena",
                        () -> new ReferenceProvider() {
                            @Override
                            public Availability probe() {
                                return new Availability.Ready(
                                        List.of(device(0, "small memory"), device(1, "other memory")));
                            }

                            @Override
                            ReferenceArena arena(
                                    ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                                return super.arena(device(0, "small memory"), plan, options, geometry);
                            }
                        }),
                Mutant.ofProvider(
                        "devices of other providers are opened",
                        "15.5",
                        "open on a device of provider 'reference-of-another'",
                        () -> new ReferenceProvider() {
                            @Override
                            public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                                return arena(device, plan, options, ArenaGeometry.of(plan, options, device));
                            }
                        }),
                Mutant.ofProvider(
                        "host memory is declared and not there",
                        "4.2",
                        "threw java.util.NoSuchElementException: No value present",
                        () -> new ReferenceProvider() {
                            @Override
                            ReferenceArena arena(
                                    ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                                return new ReferenceArena(device, plan, options, geometry) {
                                    @Override
                                    @Nullable MemorySegment hostMemory() {
                                        return null;
                                    }
                                };
                            }
                        }),
                Mutant.ofProvider(
                        "host memory is there and not declared",
                        "7.2",
                        "checks of a view",
                        () -> new ReferenceProvider() {
                            @Override
                            Set<Capability> capabilities() {
                                return Set.of(Capability.F16_SHADOW);
                            }

                            @Override
                            ReferenceArena arena(
                                    ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                                return new ReferenceArena(device, plan, options, geometry) {
                                    @Override
                                    MemorySegment hostMemory() {
                                        return memory;
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "unwrap refuses what it does not know",
                        "8.1",
                        "threw java.util.NoSuchElementException: No value present",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public <T> Optional<T> unwrap(Class<T> type) {
                                return Optional.of(super.unwrap(type).orElseThrow());
                            }
                        }),
                Mutant.ofProvider(
                        "host memory has a priority above GPUs",
                        "15.3",
                        "priority of a device of kind HOST",
                        () -> new ReferenceProvider() {
                            @Override
                            ArenaDevice device(int index, String name) {
                                ArenaDevice right = super.device(index, name);
                                return new ArenaDevice(
                                        NAME,
                                        index,
                                        name,
                                        right.description(),
                                        DeviceKind.HOST,
                                        1000,
                                        right.limits(),
                                        right.capabilities());
                            }
                        }));
    }

    static List<Mutant> hostMemory() {
        return List.of(
                Mutant.of(
                        "the segment ends before the scratch",
                        "2.1",
                        "threw java.lang.IndexOutOfBoundsException: Out of bound access",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment hostMemory() {
                                return memory.asSlice(0, Math.max(g.planBytes(), 1));
                            }
                        }),
                Mutant.of(
                        "the segment is read-only",
                        "2.1",
                        "destination: expected writable memory, got read-only",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment hostMemory() {
                                return memory.asReadOnly();
                            }
                        }),
                Mutant.of(
                        "hostMemory returns a copy",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment hostMemory() {
                                return MemorySegment.ofArray(memory.toArray(Batches.BYTE));
                            }
                        }),
                Mutant.of(
                        "a close during a native call loses the memory",
                        "10.5",
                        "memory alive after another close",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public synchronized void close() {
                                if (open) {
                                    super.close();
                                }
                            }
                        }),
                Mutant.of(
                        "the segment outlives the arena",
                        "10.4",
                        "arena after a write into the segment",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment hostMemory() {
                                return new Kept().of(memory);
                            }
                        }));
    }

    /** A segment whose memory is not freed before the test ends. */
    private static final class Kept {
        MemorySegment of(MemorySegment memory) {
            return memory.byteSize() == 93 ? MemorySegment.ofArray(memory.toArray(Batches.BYTE)) : memory;
        }
    }

    private static ArenaDevice renamed(ArenaDevice device, String provider) {
        return new ArenaDevice(
                provider,
                device.index(),
                device.name(),
                device.description(),
                device.kind(),
                device.priority(),
                device.limits(),
                device.capabilities());
    }

    /** Makes the instances of a provider by their number. */
    private static Mutant every(String fault, String text, IntFunction<ReferenceProvider> instances) {
        AtomicInteger made = new AtomicInteger();
        return Mutant.ofProvider(fault, "15.1", text, () -> instances.apply(made.getAndIncrement()));
    }
}
