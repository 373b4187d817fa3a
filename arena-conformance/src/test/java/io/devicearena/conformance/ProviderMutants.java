package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Capability;
import io.devicearena.DeviceArena;
import io.devicearena.DeviceKind;
import io.devicearena.MemoryPlan;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.Availability;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Faults in providers, in what their devices declare, and in host memory. */
final class ProviderMutants {
    private ProviderMutants() {}

    static List<Mutant> providers() {
        return List.of(
                Mutant.of("the name has capital letters", "12.1", Shouting::new),
                Mutant.of("every instance has a name of its own", "12.1", () -> {
                    Numbered.NEXT.set(0);
                    return new Numbered();
                }),
                Mutant.of("the constructor throws when it is called again", "12.1", () -> {
                    OnlyOne.made.set(0);
                    return new OnlyOne();
                }),
                Mutant.of("it was built for another version of the SPI", "12.2", Ancient::new),
                Mutant.of("probe throws", "12.3", Throwing::new),
                Mutant.of("probe returns null", "12.3", Silent::new),
                Mutant.of("it is missing without a remedy", "12.3", Helpless::new),
                Mutant.of("a device has no description", "12.4", Undescribed::new),
                Mutant.of("a device that is listed opens another", "12.5 19.8 19.12 19.13 20.9", Confused::new),
                Mutant.of("devices of other providers are opened", "12.6", Indifferent::new),
                Mutant.of("host memory is declared and not there", "5.15 12.7 13.1 13.2 13.3 13.5 19.10", Lying::new),
                Mutant.of("host memory is there and not declared", "12.7 13.4", Modest::new),
                Mutant.of(
                        "unwrap refuses what it does not know",
                        "12.19",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public <T> Optional<T> unwrap(Class<T> type) {
                                return Optional.of(super.unwrap(type).orElseThrow());
                            }
                        }),
                Mutant.of("host memory has a priority above GPUs", "12.8", Vain::new));
    }

    static List<Mutant> hostMemory() {
        return List.of(
                Mutant.of(
                        "the segment ends before the scratch",
                        "13.1 13.2",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment hostMemory() {
                                return memory.asSlice(0, Math.max(g.planBytes(), 1));
                            }
                        }),
                Mutant.of("the segment is read-only", "13.1 13.2 13.5", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    MemorySegment hostMemory() {
                        return memory.asReadOnly();
                    }
                }),
                Mutant.of(
                        "hostMemory returns a copy",
                        "5.15 13.2 13.3 13.5 19.10",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment hostMemory() {
                                return MemorySegment.ofArray(memory.toArray(Batches.BYTE));
                            }
                        }),
                Mutant.of(
                        "a close during a native call loses the memory",
                        "13.5",
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
                        "5.15 13.2 13.3 19.10",
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

    /** See the list above. */
    public static final class Shouting extends ReferenceProvider {
        /** Made by the kit too. */
        public Shouting() {}

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

    /** See the list above. */
    public static final class Numbered extends ReferenceProvider {
        private static final AtomicInteger NEXT = new AtomicInteger();
        private final boolean first = NEXT.getAndIncrement() == 0;

        /** Made by the kit too. */
        public Numbered() {}

        @Override
        public String name() {
            return first ? NAME : NAME + NEXT;
        }
    }

    /** See the list above. */
    public static final class OnlyOne extends ReferenceProvider {
        private static final AtomicInteger made = new AtomicInteger();

        /** Made by the kit too. */
        public OnlyOne() {
            if (made.getAndIncrement() > 0) {
                throw new IllegalStateException("expected one, got two");
            }
        }
    }

    /** See the list above. */
    public static final class Ancient extends ReferenceProvider {
        /** Made by the kit too. */
        public Ancient() {}

        @Override
        public int spiVersion() {
            return 0;
        }
    }

    /** See the list above. */
    public static final class Throwing extends ReferenceProvider {
        /** Made by the kit too. */
        public Throwing() {}

        @Override
        public Availability probe() {
            throw new UnsatisfiedLinkError("no driver");
        }
    }

    /** See the list above. */
    public static final class Silent extends ReferenceProvider {
        /** Made by the kit too. */
        public Silent() {}

        @Override
        @SuppressWarnings("NullAway") // that is the fault
        public Availability probe() {
            return null;
        }
    }

    /** See the list above. */
    public static final class Helpless extends ReferenceProvider {
        /** Made by the kit too. */
        public Helpless() {}

        @Override
        public Availability probe() {
            return new Availability.Missing("there is no driver", "");
        }
    }

    /** See the list above. */
    public static final class Undescribed extends ReferenceProvider {
        /** Made by the kit too. */
        public Undescribed() {}

        @Override
        ArenaDevice device(int index, String name) {
            ArenaDevice right = super.device(index, name);
            return new ArenaDevice(
                    NAME, index, name, " ", right.kind(), right.priority(), right.limits(), right.capabilities());
        }
    }

    /** See the list above. */
    public static final class Confused extends ReferenceProvider {
        /** Made by the kit too. */
        public Confused() {}

        @Override
        public Availability probe() {
            return new Availability.Ready(List.of(device(0, "small memory"), device(1, "other memory")));
        }

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return super.arena(device(0, "small memory"), plan, options, geometry);
        }
    }

    /** See the list above. */
    public static final class Indifferent extends ReferenceProvider {
        /** Made by the kit too. */
        public Indifferent() {}

        @Override
        public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            return arena(device, plan, options, ArenaGeometry.of(plan, options, device));
        }
    }

    /** See the list above. */
    public static final class Lying extends ReferenceProvider {
        /** Made by the kit too. */
        public Lying() {}

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return new ReferenceArena(device, plan, options, geometry) {
                @Override
                @Nullable MemorySegment hostMemory() {
                    return null;
                }
            };
        }
    }

    /** See the list above. */
    public static final class Modest extends ReferenceProvider {
        /** Made by the kit too. */
        public Modest() {}

        @Override
        Set<Capability> capabilities() {
            return Set.of(Capability.F16_SHADOW);
        }

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return new ReferenceArena(device, plan, options, geometry) {
                @Override
                MemorySegment hostMemory() {
                    return memory;
                }
            };
        }
    }

    /** See the list above. */
    public static final class Vain extends ReferenceProvider {
        /** Made by the kit too. */
        public Vain() {}

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
    }
}
