package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.ArenaGeometry;
import io.devicearena.spi.DeviceArenaProvider;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Faults in limits, scratch and errors. */
final class RefusalMutants {
    private RefusalMutants() {}

    /** Works the sizes of an arena out in a wrong way. */
    private interface Sizes {
        ArenaGeometry of(MemoryPlan plan, ArenaOptions options, ArenaDevice device);
    }

    /** A right provider of right arenas of wrong sizes. */
    public static final class WrongSizes extends ReferenceProvider {
        private static Sizes sizes = ArenaGeometry::of;

        /** Made by the kit too. */
        public WrongSizes() {}

        @Override
        public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
            if (!device.provider().equals(NAME)) {
                return super.openArena(device, plan, options);
            }
            return arena(device, plan, options, sizes.of(plan, options, device));
        }
    }

    private static Mutant sizes(String fault, String clauses, Sizes sizes) {
        return Mutant.of(fault, clauses, (Supplier<DeviceArenaProvider>) () -> {
            WrongSizes.sizes = sizes;
            return new WrongSizes();
        });
    }

    private static ArenaDevice allowing(ArenaDevice device, long bytes) {
        return new ArenaDevice(
                device.provider(),
                device.index(),
                device.name(),
                device.description(),
                device.kind(),
                device.priority(),
                new ArenaLimits(bytes, device.limits().maxArenaName(), 16, 1 << 20),
                device.capabilities());
    }

    static List<Mutant> limits() {
        return List.of(
                sizes("scratch is rounded up to 4", "1.1 1.2 1.10 10.1", (plan, options, device) -> {
                    ArenaGeometry right = ArenaGeometry.of(plan, options, device);
                    long scratch = (options.scratchBytes() + 3) / 4 * 4;
                    return new ArenaGeometry(
                            right.planBytes(), scratch, Math.max(right.planBytes() + scratch, 1), right.segments());
                }),
                sizes(
                        "scratch overlaps the last slot",
                        "1.1 8.1 9.10 10.1 10.2 16.9 19.3 19.4 19.5 19.10",
                        (plan, options, device) -> {
                            ArenaGeometry right = ArenaGeometry.of(plan, options, device);
                            long begin = right.scratchBytes() == 0 ? right.planBytes() : right.planBytes() / 16 * 16;
                            return new ArenaGeometry(begin, right.scratchBytes(), right.sizeBytes(), right.segments());
                        }),
                sizes(
                        "a plan past the limit is opened",
                        "10.3 10.4",
                        (plan, options, device) ->
                                ArenaGeometry.of(plan, options, allowing(device, ReferenceProvider.MOST_BYTES + 1024))),
                sizes(
                        "a plan past the limit is refused without figures",
                        "10.3 10.4 19.14",
                        (plan, options, device) -> {
                            try {
                                return ArenaGeometry.of(plan, options, device);
                            } catch (IllegalArgumentException e) {
                                throw new IllegalArgumentException("arena: expected a smaller one", e);
                            }
                        }),
                sizes("the limit is held against the plan alone", "10.4", (plan, options, device) -> {
                    ArenaGeometry.of(plan, ArenaOptions.defaults(), device);
                    return ArenaGeometry.of(plan, options, allowing(device, ReferenceProvider.MOST_BYTES + 1024));
                }),
                sizes(
                        "an arena must fit one binding",
                        "1.2 5.9 5.15 10.3 10.5 13.5 14.3 14.4 21.2 21.3 21.7 21.9 21.10",
                        (plan, options, device) -> ArenaGeometry.of(
                                plan, options, allowing(device, device.limits().maxBindingBytes()))));
    }

    static List<Mutant> errors() {
        return List.of(
                Mutant.of(
                        "a fused value is the bytes at offset 0",
                        "1.6 6.4 11.1 11.6 17.11 18.3",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            BufferSlot require(NodeId id) {
                                BufferSlot slot = find(id);
                                return slot == null && p.schedule().contains(id)
                                        ? new BufferSlot(0, 32)
                                        : super.require(id);
                            }
                        }),
                Mutant.of("a refused value is not named", "11.1 17.11", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    BufferSlot require(NodeId id) {
                        if (find(id) == null) {
                            throw new IllegalArgumentException("value: expected one with a slot");
                        }
                        return super.require(id);
                    }
                }),
                Mutant.of(
                        "integers are written as floats", "11.2 11.6", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, float[] data) {
                                return super.writeInputF32(id, dtype == DType.I32 ? DType.F32 : dtype, data);
                            }
                        }),
                Mutant.of(
                        "a null array is taken for an empty one",
                        "11.3",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, float @Nullable [] data) {
                                return super.writeInputF32(id, dtype, data == null ? new float[0] : data);
                            }
                        }),
                Mutant.of(
                        "data of 7 bytes is cut to one element",
                        "11.4 11.6 14.7",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireFloats(MemorySegment floats) {
                                if (floats.byteSize() % 4 != 3) {
                                    super.requireFloats(floats);
                                }
                            }
                        }),
                Mutant.of(
                        "a read-only destination is found too late",
                        "11.4 14.16 17.11",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireWritable(MemorySegment destination) {
                                if (destination.isReadOnly()) {
                                    throw new UnsupportedOperationException("destination: read-only");
                                }
                            }
                        }),
                Mutant.of(
                        "closed memory of the caller closes the arena",
                        "11.5 17.11 18.3 21.4",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireAccess(MemorySegment memory) {
                                if (!memory.scope().isAlive()) {
                                    close();
                                }
                                super.requireAccess(memory);
                            }
                        }),
                Mutant.of(
                        "an error comes after half of the write",
                        "5.7 11.6",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                requireOpen();
                                long size = geometry.sizeBytes();
                                if (offset >= 0 && offset < size && source.byteSize() > size - offset) {
                                    put(offset, source.asSlice(0, size - offset));
                                }
                                super.writeBytes(offset, source);
                            }
                        }),
                Mutant.of(
                        "the message about a refused length has no figures",
                        "11.7",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireLength(NodeId id, BufferSlot slot, long bytes) {
                                if (bytes < 0 || bytes > slot.size()) {
                                    throw new IllegalArgumentException("length: expected a smaller one");
                                }
                            }
                        }));
    }
}
