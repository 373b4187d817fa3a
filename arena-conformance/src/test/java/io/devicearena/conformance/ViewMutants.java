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
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.Check;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Faults in views and in the use of another arena's weights. */
final class ViewMutants {
    private ViewMutants() {}

    /** Makes a view that is wrong. */
    private interface Views {
        ReferenceArena open(ReferenceArena arena, MemoryPlan plan);
    }

    private static Mutant view(String fault, String clause, String text, Views views) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "2.1",
                        "threw java.lang.UnsupportedOperationException: view: not a method of the arenas of provider 'reference'",
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
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceArena openView(MemoryPlan other) {
                                return new ReferenceArena(d, other, o, g);
                            }
                        }),
                view("a view begins with zeros", "2.1", "bytes read from offset", (arena, plan) -> {
                    arena.memory.asSlice(0, Math.min(16, plan.arenaSize())).fill((byte) 0);
                    return new ReferenceArena(arena, plan);
                }),
                view(
                        "a view has no scratch",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: view",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public long scratchOffset() {
                                return super.scratchOffset() + geometry.scratchBytes();
                            }
                        }),
                Mutant.of(
                        "lengths belong to the memory",
                        "2.3",
                        "count of floats read",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                view(
                        "a view reports the plan of its arena",
                        "7.1",
                        "plan of the first view",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public MemoryPlan plan() {
                                super.plan();
                                return arena.open ? arena.plan() : super.plan();
                            }
                        }),
                view(
                        "a view finds the values of its arena too",
                        "7.1",
                        "hasBuffer in another graph",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public boolean hasBuffer(NodeId id) {
                                return super.hasBuffer(id) || plan.arenaSize() == 160;
                            }
                        }),
                view(
                        "typed writes of a view wait until it is closed",
                        "2.1",
                        "mirror of value",
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
                view(
                        "a view reads its own last bytes",
                        "2.1",
                        "bytes read from offset",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
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
                        "2.3",
                        "threw java.lang.IllegalStateException: arena: expected it to be open, got it cl",
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
                        "2.1",
                        "bytes at the end",
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
                        "8.3",
                        "isOpen of what is left",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public void close() {
                                if (!open) {
                                    arena.close();
                                }
                                super.close();
                            }
                        }),
                view(
                        "a closed view still answers",
                        "8.1",
                        "device on a closed view",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            void requireOpen() {
                                if (!arena.open) {
                                    super.requireOpen();
                                }
                            }
                        }),
                view(
                        "an empty read of a closed view is accepted",
                        "8.1",
                        "readBytes of no byte on a closed view",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            public void readBytes(long offset, MemorySegment destination) {
                                if (destination.byteSize() > 0) {
                                    super.readBytes(offset, destination);
                                }
                            }
                        }),
                view(
                        "a closed view opens views",
                        "8.1",
                        "plan on a closed view",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
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
                        "7.3",
                        "a view of 65 bytes",
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
                        "7.3",
                        "a view of 65 bytes",
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
                        "7.3",
                        "threw java.lang.IllegalArgumentException: view",
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
                Mutant.ofState(
                        "closed views keep their memory",
                        "8.3",
                        "threw io.devicearena.ArenaOutOfMemoryException: all memory",
                        () -> {
                            int[] kept = new int[1];
                            return (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                                @Override
                                ReferenceArena openView(MemoryPlan other) {
                                    if (geometry.sizeBytes() == ReferenceProvider.MOST_BYTES / 100 && kept[0]++ > 60) {
                                        throw new ArenaOutOfMemoryException("all memory is in use");
                                    }
                                    return super.openView(other);
                                }
                            };
                        }),
                view(
                        "a view cannot be read once its arena is closed",
                        "8.3",
                        "threw java.lang.IllegalStateException",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            void get(long offset, MemorySegment destination) {
                                if (Meeting.isRacer()) { // another closes the arena at once
                                    arena.closed.join();
                                }
                                if (destination.byteSize() == 1024 && !arena.open) {
                                    throw new IllegalStateException("arena: expected it to be open, got it closed");
                                }
                                super.get(offset, destination);
                            }
                        }),
                Mutant.of(
                        "a view is opened on memory that is free already",
                        "9.8",
                        "readBytes of a view during a close",
                        (d, p, o, g) -> new MetByClose(2, d, p, o, g) {
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
                view(
                        "the host memory of a view is a copy",
                        "2.1",
                        "expected",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            MemorySegment hostMemory() {
                                return MemorySegment.ofArray(memory.toArray(Batches.BYTE));
                            }
                        }),
                view(
                        "a view has no mirrors",
                        "12.7",
                        "threw java.util.NoSuchElementException: No value present",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            @Nullable F16Shadow f16Shadow() {
                                return null;
                            }
                        }),
                view(
                        "a raw write of a view leaves mirrors fresh",
                        "12.7",
                        "isStale of node 1 after a raw write",
                        (arena, plan) -> new ReferenceArena(arena, plan) {
                            @Override
                            void writeRaw(long offset, MemorySegment source) {
                                put(offset, source);
                            }
                        }));
    }

    static List<Mutant> segments() {
        return List.of(
                Mutant.ofSegmentsProvider(
                        "a value of a view may cross the end of a segment",
                        "11.4",
                        "expected",
                        () -> new SegmentedProvider() {
                            @Override
                            ReferenceArena arena(
                                    ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                                return new SegmentedArena(device, plan, options, geometry) {
                                    @Override
                                    void requireSegment(String value, BufferSlot slot) {
                                        if (slot.size() > SEGMENT) {
                                            super.requireSegment(value, slot);
                                        }
                                    }
                                };
                            }
                        }),
                Mutant.ofSegmentsProvider(
                        "a large value of a view may begin anywhere",
                        "11.4",
                        "expected",
                        () -> new SegmentedProvider() {
                            @Override
                            ReferenceArena arena(
                                    ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                                return new SegmentedArena(device, plan, options, geometry) {
                                    @Override
                                    void requireSegment(String value, BufferSlot slot) {
                                        if (slot.size() <= SEGMENT) {
                                            super.requireSegment(value, slot);
                                        }
                                    }
                                };
                            }
                        }),
                Mutant.ofSegmentsProvider(
                        "no value of a view may be larger than a segment",
                        "11.4",
                        "threw java.lang.IllegalArgumentException: node",
                        () -> new SegmentedProvider() {
                            @Override
                            ReferenceArena arena(
                                    ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
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
                        }));
    }

    static List<Mutant> weights() {
        return List.of(
                Mutant.of(
                        "weights are ignored",
                        "7.2",
                        "plan of the weights of a view",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            Optional<DeviceArena> weights() {
                                return Optional.empty();
                            }

                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                return new ReferenceArena(d, p, ArenaOptions.defaults(), g);
                            }
                        }),
                Mutant.of(
                        "a view has no weights",
                        "7.2",
                        "plan of the weights of a view",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "7.4",
                        "weights, element 0",
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
                        "7.4",
                        "plan of the weights",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                return arena.view(p.arenaSize() < arena.plan().arenaSize() ? p : arena.plan());
                            }
                        }),
                Mutant.of(
                        "weights are closed with their arena",
                        "7.5",
                        "threw java.lang.IllegalStateException: arena",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            DeviceArena hold(DeviceArena arena) {
                                arena.view(arena.plan()).close();
                                return arena;
                            }
                        }),
                Mutant.of(
                        "weights stay open when their users are closed",
                        "7.5",
                        "isOpen of weights whose users are closed",
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
                Mutant.ofProvider(
                        "closed weights are accepted", "7.6", "weights that are closed", () -> new ReferenceProvider() {
                            @Override
                            public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                                boolean closed = options.weights().stream().anyMatch(weights -> !weights.isOpen());
                                return super.openArena(device, plan, closed ? ArenaOptions.defaults() : options);
                            }
                        }),
                foreign("weights of other devices are accepted", options -> ArenaOptions.defaults()),
                foreign("foreign weights are refused without figures", options -> {
                    throw new IllegalArgumentException("weights: expected them on the device");
                }));
    }

    /** What becomes of weights of another device. */
    private static Mutant foreign(String fault, UnaryOperator<ArenaOptions> options) {
        return Mutant.ofProvider(fault, "7.6", "weights of another device", () -> new ReferenceProvider() {
            @Override
            public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions asked) {
                boolean isForeign = asked.weights()
                        .filter(DeviceArena::isOpen)
                        .map(weights -> weights.device().index() != device.index())
                        .orElse(false);
                return super.openArena(device, plan, isForeign ? options.apply(asked) : asked);
            }
        });
    }
}
