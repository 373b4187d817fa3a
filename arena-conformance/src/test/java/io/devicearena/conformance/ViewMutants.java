package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.ArenaOutOfMemoryException;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16Shadow;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.DeviceArenaProvider;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Faults in views and in the use of another arena's weights. */
final class ViewMutants {
    private ViewMutants() {}

    /** Makes a view that is wrong. */
    private interface Views {
        ReferenceArena open(ReferenceArena arena, MemoryPlan plan);
    }

    private static Mutant view(String fault, String clauses, Views views) {
        return Mutant.of(fault, clauses, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            ReferenceArena openView(MemoryPlan other) {
                return views.open(this, other);
            }
        });
    }

    static List<Mutant> views() {
        return List.of(
                Mutant.of(
                        "views are not implemented",
                        "19.1 19.2 19.3 19.4 19.5 19.6 19.7 19.8 19.10 19.11 19.12 19.13 19.20",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public DeviceArena view(MemoryPlan other) {
                                requireOpen();
                                throw new UnsupportedOperationException("view: not a method of the arenas of provider"
                                        + " 'reference'; open a second arena");
                            }

                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                arena.view(arena.plan());
                                return arena;
                            }
                        }),
                Mutant.of(
                        "a view has memory of its own",
                        "19.1 19.3 19.4 19.7 19.10 19.11 19.12 19.13 19.20",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                return new ReferenceArena(d, other, o, g);
                            }
                        }),
                view("a view begins with zeros", "19.1 19.4 19.6 19.13", (arena, plan) -> {
                    arena.memory.asSlice(0, Math.min(16, plan.arenaSize())).fill((byte) 0);
                    return new ReferenceArena(arena, plan);
                }),
                view("a view has no scratch", "19.1", (arena, plan) -> new ReferenceArena(arena, plan) {
                    @Override
                    public long scratchOffset() {
                        return super.scratchOffset() + geometry.scratchBytes();
                    }
                }),
                Mutant.of("lengths belong to the memory", "19.2", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private final Map<NodeId, Long> shared = new HashMap<>();

                    @Override
                    ReferenceArena openView(MemoryPlan other) {
                        return new ReferenceArena(this, other) {
                            @Override
                            synchronized long lengthOf(NodeId id, BufferSlot slot) {
                                return Math.min(shared.getOrDefault(id, super.lengthOf(id, slot)), slot.size());
                            }

                            @Override
                            synchronized void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                shared.put(id, bytes);
                            }
                        };
                    }
                }),
                view("a view reports the plan of its arena", "19.2", (arena, plan) -> new ReferenceArena(arena, plan) {
                    @Override
                    public MemoryPlan plan() {
                        super.plan();
                        return arena.open ? arena.plan() : super.plan();
                    }
                }),
                view(
                        "a view finds the values of its arena too",
                        "19.2",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public boolean hasBuffer(NodeId id) {
                                return super.hasBuffer(id) || plan.arenaSize() == 160;
                            }
                        }),
                view(
                        "typed writes of a view wait until it is closed",
                        "19.1 19.3 19.11 19.12",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            private final List<Runnable> waiting = new ArrayList<>();

                            @Override
                            synchronized void writeTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                if (count == 8 || count == 16) {
                                    byte[] bytes = source.toArray(Batches.BYTE);
                                    waiting.add(() ->
                                            super.writeTyped(id, slot, dtype, MemorySegment.ofArray(bytes), count));
                                } else {
                                    super.writeTyped(id, slot, dtype, source, count);
                                }
                            }

                            @Override
                            synchronized void get(long offset, MemorySegment destination) {
                                waiting.forEach(Runnable::run);
                                waiting.clear();
                                super.get(offset, destination);
                            }
                        }),
                view("a view reads its own last bytes", "19.3", (arena, plan) -> new ReferenceArena(arena, plan) {
                    private byte[] last = {};
                    private long place;

                    @Override
                    synchronized void put(long offset, MemorySegment source) {
                        super.put(offset, source);
                        last = source.byteSize() == 32 ? source.toArray(Batches.BYTE) : new byte[0];
                        place = offset;
                    }

                    @Override
                    synchronized void get(long offset, MemorySegment destination) {
                        super.get(offset, destination);
                        if (offset == place && destination.byteSize() == last.length) {
                            destination.copyFrom(MemorySegment.ofArray(last));
                        }
                    }
                }),
                Mutant.of(
                        "views are closed with their arena",
                        "19.4 19.13 19.20",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final List<DeviceArena> views = new ArrayList<>();

                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                ReferenceArena view = new ReferenceArena(this, other);
                                synchronized (views) {
                                    views.add(view);
                                }
                                return view;
                            }

                            @Override
                            public void close() {
                                super.close();
                                synchronized (views) {
                                    views.forEach(DeviceArena::close);
                                }
                            }
                        }),
                Mutant.of(
                        "an arena's bytes are cleared when it is closed before its views",
                        "13.5 19.4 19.13",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void close() {
                                if (open) {
                                    memory.fill((byte) 0);
                                }
                                super.close();
                            }
                        }),
                view(
                        "a second close of a view closes its arena",
                        "19.4",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public void close() {
                                if (!open) {
                                    arena.close();
                                }
                                super.close();
                            }
                        }),
                view("a closed view still answers", "19.5 19.10", (arena, plan) -> new ReferenceArena(arena, plan) {
                    @Override
                    void requireOpen() {
                        if (!arena.open) {
                            super.requireOpen();
                        }
                    }
                }),
                view(
                        "an empty read of a closed view is accepted",
                        "19.5",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public void readBytes(long offset, MemorySegment destination) {
                                if (destination.byteSize() > 0) {
                                    super.readBytes(offset, destination);
                                }
                            }
                        }),
                view("a closed view opens views", "19.5", (arena, plan) -> new ReferenceArena(arena, plan) {
                    @Override
                    public DeviceArena view(MemoryPlan other) {
                        return open ? super.view(other) : arena.view(arena.plan());
                    }

                    @Override
                    public MemoryPlan plan() {
                        return open ? super.plan() : arena.plan();
                    }
                }),
                Mutant.of(
                        "a view may use the scratch for its plan",
                        "19.6",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireView(MemoryPlan other) {
                                if (other.arenaSize() > g.sizeBytes()) {
                                    super.requireView(other);
                                }
                            }
                        }),
                Mutant.of(
                        "a larger plan is refused without figures",
                        "19.6",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireView(MemoryPlan other) {
                                if (other.arenaSize() > g.planBytes()) {
                                    throw new IllegalArgumentException("view: expected a smaller plan");
                                }
                                super.requireView(other);
                            }
                        }),
                view(
                        "a view of a view has the room of its plan",
                        "19.6",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            void requireView(MemoryPlan other) {
                                super.requireView(other);
                                if (other.arenaSize() > plan.arenaSize()) {
                                    throw new IllegalArgumentException(
                                            "view: expected at most 64 bytes, got 65 of a value");
                                }
                            }
                        }),
                Mutant.of("closed views keep their memory", "19.8", (Supplier<DeviceArenaProvider>) () -> {
                    int[] kept = new int[1];
                    return Mutant.of("", "19.8", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                                @Override
                                ReferenceArena openView(MemoryPlan other) {
                                    if (geometry.sizeBytes() == ReferenceProvider.MOST_BYTES / 100 && kept[0]++ > 60) {
                                        throw new ArenaOutOfMemoryException("all memory is in use");
                                    }
                                    return super.openView(other);
                                }
                            })
                            .provider()
                            .get();
                }),
                view(
                        "a view cannot be read once its arena is closed",
                        "19.4 19.9",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            void get(long offset, MemorySegment destination) {
                                if (Meeting.isRacer()) { // another closes the arena at once
                                    arena.closed.join();
                                }
                                if (destination.byteSize() == 93 && !arena.open) {
                                    throw new IllegalStateException("arena: expected it to be open, got it closed");
                                }
                                super.get(offset, destination);
                            }
                        }),
                Mutant.of(
                        "a view is opened on memory that is free already",
                        "19.15",
                        (d, p, o, g) -> new MetByClose(0, d, p, o, g) {
                            @Override
                            void requireView(MemoryPlan other) {
                                super.requireView(other);
                                awaitClose();
                            }

                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                try {
                                    return super.openView(other);
                                } catch (IllegalStateException e) {
                                    return new ReferenceArena(d, other, o, g);
                                }
                            }
                        }),
                view("the host memory of a view is a copy", "19.10", (arena, plan) -> new ReferenceArena(arena, plan) {
                    @Override
                    MemorySegment hostMemory() {
                        return MemorySegment.ofArray(memory.toArray(Batches.BYTE));
                    }
                }),
                view("a view has no mirrors", "19.11", (arena, plan) -> new ReferenceArena(arena, plan) {
                    @Override
                    @Nullable F16Shadow f16Shadow() {
                        return null;
                    }
                }),
                view(
                        "a raw write of a view leaves mirrors fresh",
                        "19.11",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                put(offset, source);
                            }
                        }));
    }

    static List<Mutant> segments() {
        return List.of(
                Mutant.of("a value of a view may cross the end of a segment", "19.7", (Supplier<DeviceArenaProvider>)
                        Crossing::new),
                Mutant.of("a large value of a view may begin anywhere", "19.7", (Supplier<DeviceArenaProvider>)
                        Anywhere::new),
                Mutant.of("no value of a view may be larger than a segment", "19.7", (Supplier<DeviceArenaProvider>)
                        Small::new));
    }

    /** See the list above. */
    public static final class Crossing extends SegmentedProvider {
        /** Made by the kit too. */
        public Crossing() {}

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return new SegmentedArena(device, plan, options, geometry) {
                @Override
                void requireSegment(String value, BufferSlot slot) {
                    if (slot.size() > SEGMENT) {
                        super.requireSegment(value, slot);
                    }
                }
            };
        }
    }

    /** See the list above. */
    public static final class Anywhere extends SegmentedProvider {
        /** Made by the kit too. */
        public Anywhere() {}

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return new SegmentedArena(device, plan, options, geometry) {
                @Override
                void requireSegment(String value, BufferSlot slot) {
                    if (slot.size() <= SEGMENT) {
                        super.requireSegment(value, slot);
                    }
                }
            };
        }
    }

    /** See the list above. */
    public static final class Small extends SegmentedProvider {
        /** Made by the kit too. */
        public Small() {}

        @Override
        ReferenceArena arena(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            return new SegmentedArena(device, plan, options, geometry) {
                @Override
                void requireSegment(String value, BufferSlot slot) {
                    super.requireSegment(value, slot);
                    if (slot.size() > SEGMENT) {
                        throw new IllegalArgumentException(value + ": got more than " + SEGMENT);
                    }
                }
            };
        }
    }

    static List<Mutant> weights() {
        return List.of(
                Mutant.of("weights are ignored", "19.12 19.13", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    Optional<DeviceArena> weights() {
                        return Optional.empty();
                    }

                    @Override
                    DeviceArena hold(DeviceArena arena) {
                        return new ReferenceArena(d, p, ArenaOptions.defaults(), g);
                    }
                }),
                Mutant.of("a view has no weights", "19.12 19.13", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "each arena has a copy of the weights",
                        "19.12",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                DeviceArena copy = new ReferenceArena(
                                        d,
                                        arena.plan(),
                                        ArenaOptions.defaults(),
                                        ArenaGeometry.of(arena.plan(), ArenaOptions.defaults(), d));
                                copy.writeBytes(
                                        0, MemorySegment.ofArray(Check.bytes(arena, 0, (int) copy.sizeBytes())));
                                return copy;
                            }
                        }),
                Mutant.of(
                        "weights have the plan of their user",
                        "19.12 19.13",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                return arena.view(p.arenaSize() < arena.plan().arenaSize() ? p : arena.plan());
                            }
                        }),
                Mutant.of(
                        "weights are closed with their arena", "19.13", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                arena.view(arena.plan()).close();
                                return arena;
                            }
                        }),
                Mutant.of(
                        "weights stay open when their users are closed",
                        "19.13",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                return new ReferenceArena((ReferenceArena) arena, arena.plan()) {
                                    {
                                        keepSilent();
                                    }

                                    @Override
                                    public void close() {}
                                };
                            }
                        }),
                Mutant.of("closed weights are accepted", "19.14", Forgiving::new),
                Mutant.of("weights of other devices are accepted", "19.14", Careless::new),
                Mutant.of("foreign weights are refused without figures", "19.14", Brief::new));
    }

    /** See the list above. */
    public static final class Forgiving extends ReferenceProvider {
        /** Made by the kit too. */
        public Forgiving() {}

        @Override
        public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            boolean closed = options.weights().stream().anyMatch(weights -> !weights.isOpen());
            return super.openArena(device, plan, closed ? ArenaOptions.defaults() : options);
        }
    }

    /** See the list above. */
    public static class Careless extends ReferenceProvider {
        /** Made by the kit too. */
        public Careless() {}

        @Override
        public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            boolean foreign = options.weights()
                    .filter(DeviceArena::isOpen)
                    .map(weights -> weights.device().index() != device.index())
                    .orElse(false);
            return foreign ? refused(device, plan) : super.openArena(device, plan, options);
        }

        DeviceArena refused(ArenaDevice device, MemoryPlan plan) {
            return super.openArena(device, plan, ArenaOptions.defaults());
        }
    }

    /** See the list above. */
    public static final class Brief extends Careless {
        /** Made by the kit too. */
        public Brief() {}

        @Override
        DeviceArena refused(ArenaDevice device, MemoryPlan plan) {
            throw new IllegalArgumentException("weights: expected them on the device");
        }
    }
}
