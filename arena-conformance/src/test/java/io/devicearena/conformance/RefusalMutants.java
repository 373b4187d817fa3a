package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Faults in limits, scratch and errors. */
final class RefusalMutants {
    private RefusalMutants() {}

    /** Works the sizes of an arena out in a wrong way. */
    private interface Sizes {
        ArenaGeometry of(MemoryPlan plan, ArenaOptions options, ArenaDevice device);
    }

    private static Mutant sizes(String fault, String clause, String text, Sizes sizes) {
        return Mutant.ofProvider(fault, clause, text, () -> new ReferenceProvider() {
            @Override
            ArenaGeometry geometry(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                return sizes.of(plan, options, device);
            }
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
                sizes(
                        "scratch is rounded up to 4",
                        "1.1",
                        "size with 10 bytes of scratch asked for",
                        (plan, options, device) -> {
                            ArenaGeometry right = ArenaGeometry.of(plan, options, device);
                            long scratch = (options.scratchBytes() + 3) / 4 * 4;
                            return new ArenaGeometry(
                                    right.planBytes(),
                                    scratch,
                                    Math.max(right.planBytes() + scratch, 1),
                                    right.segments());
                        }),
                sizes("scratch overlaps the last slot", "1.1", "its scratch offset", (plan, options, device) -> {
                    ArenaGeometry right = ArenaGeometry.of(plan, options, device);
                    long begin = right.scratchBytes() == 0 ? right.planBytes() : right.planBytes() / 16 * 16;
                    return new ArenaGeometry(begin, right.scratchBytes(), right.sizeBytes(), right.segments());
                }),
                sizes(
                        "a plan past the limit is opened",
                        "14.5",
                        "a plan of 4194305 bytes where 4194304 are allowed",
                        (plan, options, device) ->
                                ArenaGeometry.of(plan, options, allowing(device, ReferenceProvider.MOST_BYTES + 1024))),
                sizes(
                        "a plan past the limit is refused without figures",
                        "7.6",
                        "weights of another device",
                        (plan, options, device) -> {
                            try {
                                return ArenaGeometry.of(plan, options, device);
                            } catch (IllegalArgumentException e) {
                                throw new IllegalArgumentException("arena: expected a smaller one", e);
                            }
                        }),
                sizes(
                        "the limit is held against the plan alone",
                        "14.5",
                        "a plan of 4194304 bytes, the limit, with a byte of scratch",
                        (plan, options, device) -> {
                            ArenaGeometry.of(plan, ArenaOptions.defaults(), device);
                            return ArenaGeometry.of(
                                    plan, options, allowing(device, ReferenceProvider.MOST_BYTES + 1024));
                        }),
                sizes(
                        "an arena must fit one binding",
                        "2.2",
                        "threw java.lang.IllegalArgumentException: arena",
                        (plan, options, device) -> ArenaGeometry.of(
                                plan, options, allowing(device, device.limits().maxBindingBytes()))));
    }

    static List<Mutant> errors() {
        return List.of(
                Mutant.of(
                        "a fused value is the bytes at offset 0",
                        "5.1",
                        "readBatch of floats of a fused value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            BufferSlot require(NodeId id) {
                                BufferSlot slot = find(id);
                                return slot == null && p.schedule().contains(id)
                                        ? new BufferSlot(0, 32)
                                        : super.require(id);
                            }
                        }),
                Mutant.of(
                        "a refused value is not named",
                        "14.1",
                        "writeInputF32 of node 8 as host floats of f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            BufferSlot require(NodeId id) {
                                if (find(id) == null) {
                                    throw new IllegalArgumentException("value: expected one with a slot");
                                }
                                return super.require(id);
                            }
                        }),
                Mutant.of(
                        "integers are written as floats",
                        "3.2",
                        "writeInputF32 of an array of node 1 as host floats of i32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, float[] data) {
                                return super.writeInputF32(id, dtype == DType.I32 ? DType.F32 : dtype, data);
                            }
                        }),
                Mutant.of(
                        "a null array is taken for an empty one",
                        "14.2",
                        "writeInputF32 of a null array",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, float @Nullable [] data) {
                                return super.writeInputF32(id, dtype, data == null ? new float[0] : data);
                            }
                        }),
                Mutant.of(
                        "data of 7 bytes is cut to one element",
                        "12.4",
                        "a write of 7 bytes to a mirror",
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
                        "12.8",
                        "a read of the shadow into read-only memory",
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
                        "5.1",
                        "isOpen after writeBatch of a source that is closed",
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
                        "4.1",
                        "arena after writeBytes of",
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
                        "14.1",
                        "for node 1 of 32 bytes",
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
