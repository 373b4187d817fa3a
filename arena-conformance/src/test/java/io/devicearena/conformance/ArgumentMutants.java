package io.devicearena.conformance;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.HostMemory;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.function.Function;

/** Faults in what a call takes: read-only memory, sizes past 2^31 and 2^32, and messages without their figures. */
final class ArgumentMutants {
    private ArgumentMutants() {}

    /** What an int on the way makes of a figure. */
    private static long asInt(long figure) {
        return (int) figure;
    }

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "read-only native memory is written",
                        "14.3",
                        "into read-only native memory",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @SuppressWarnings("restricted") // as native code does, which does not look
                            public void readBytes(long offset, MemorySegment destination) {
                                boolean isForced = destination.isNative() && destination.isReadOnly();
                                long bytes = destination.byteSize();
                                super.readBytes(
                                        offset,
                                        isForced
                                                ? MemorySegment.ofAddress(destination.address())
                                                        .reinterpret(bytes)
                                                : destination);
                            }
                        }),
                Mutant.of(
                        "the offset of a range is an int",
                        "4.1",
                        "fillBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireRange(long offset, long length) {
                                super.requireRange(asInt(offset), length);
                            }

                            @Override
                            public void fillBytes(long offset, long length, byte value) {
                                requireRange(offset, length);
                                super.fillBytes(asInt(offset), length, value);
                            }
                        }),
                Mutant.of(
                        "the length of a fill is an int",
                        "4.1",
                        "fillBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void fillBytes(long offset, long length, byte value) {
                                super.fillBytes(offset, length > 0 ? asInt(length) : length, value);
                            }
                        }),
                Mutant.of(
                        "the length of a copy is an int",
                        "4.1",
                        "copyBytes from of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void copyBytes(long from, long to, long length) {
                                super.copyBytes(from, to, length > 1L << 32 ? asInt(length) : length);
                            }
                        }),
                Mutant.of(
                        "a mapped view counts in ints",
                        "4.1",
                        "withBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public <R> R withBytes(long offset, long length, Function<MemorySegment, R> reader) {
                                return super.withBytes(offset > 1L << 32 ? asInt(offset) : offset, length, reader);
                            }
                        }),
                Mutant.of(
                        "a long source is cut to an int",
                        "4.1",
                        "writeBytes of 2147483648 bytes at 0",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                super.writeBytes(offset, source.asSlice(0, asInt(source.byteSize())));
                            }
                        }),
                Mutant.of(
                        "a long destination is cut to an int",
                        "4.1",
                        "readBytes of 2147483648 bytes at 0",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void readBytes(long offset, MemorySegment destination) {
                                super.readBytes(offset, destination.asSlice(0, asInt(destination.byteSize())));
                            }
                        }),
                Mutant.of(
                        "a part of a value begins at an int",
                        "4.1",
                        "writeValueBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                super.requirePart(
                                        id, firstByte > 1L << 32 ? asInt(firstByte) : firstByte, length, bytes);
                            }

                            @Override
                            long offsetOfPart(NodeId id, long firstByte, long length) {
                                return super.offsetOfPart(
                                        id, firstByte > 1L << 32 ? asInt(firstByte) : firstByte, length);
                            }
                        }),
                Mutant.of(
                        "an actual length is an int",
                        "14.1",
                        "for node 1 of 32 bytes",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireLength(NodeId id, BufferSlot slot, long bytes) {
                                super.requireLength(id, slot, bytes > 1L << 31 ? (int) bytes : bytes);
                            }
                        }),
                Mutant.of(
                        "the size of a view is an int",
                        "7.3",
                        "a view of 4294967304 bytes",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireView(MemoryPlan other) {
                                if (other.arenaSize() != (1L << 32) + 8) {
                                    super.requireView(other);
                                }
                            }
                        }),
                Mutant.of(
                        "the number of elements wanted is an int",
                        "14.3",
                        "threw java.lang.IllegalArgumentException: elements",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public float[] readOutputF32(NodeId id, DType dtype, long elements) {
                                return super.readOutputF32(
                                        id, dtype, elements == Long.MAX_VALUE ? elements : (int) elements);
                            }
                        }),
                Mutant.of(
                        "host memory of a huge size is small",
                        "10.3",
                        "host memory of 1152921504606846976 bytes",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public HostMemory allocateHost(long bytes) {
                                return super.allocateHost(bytes > 1L << 40 ? 64 : bytes);
                            }
                        }),
                Mutant.of(
                        "a refused range has no figures",
                        "5.1",
                        "of a range past the end",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireRange(long offset, long length) {
                                without(
                                        () -> super.requireRange(offset, length),
                                        "range: expected one within the arena");
                            }
                        }),
                Mutant.of(
                        "a refused fill has no figures",
                        "4.1",
                        "fillBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void fillBytes(long offset, long length, byte value) {
                                requireOpen();
                                without(() -> requireRange(offset, length), "fill: expected less");
                                fill(offset, length, value);
                            }
                        }),
                Mutant.of(
                        "a refused copy has no figures",
                        "4.1",
                        "copyBytes from of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void copyBytes(long from, long to, long length) {
                                requireOpen();
                                without(() -> requireRange(to, length), "copy: expected less");
                                super.copyBytes(from, to, length);
                            }
                        }),
                Mutant.of(
                        "a refused mapped view has no figures",
                        "4.1",
                        "withBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public <R> R withBytes(long offset, long length, Function<MemorySegment, R> reader) {
                                requireOpen();
                                without(() -> requireRange(offset, length), "view: expected less");
                                return super.withBytes(offset, length, reader);
                            }
                        }),
                Mutant.of(
                        "a refused number of elements is not shown",
                        "14.3",
                        "-3 elements wanted",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public float[] readOutputF32(NodeId id, DType dtype, long elements) {
                                if (elements < 0) {
                                    throw new IllegalArgumentException("elements: expected 0 or more");
                                }
                                return super.readOutputF32(id, dtype, elements);
                            }
                        }),
                Mutant.of(
                        "memory of a part of an element is not measured",
                        "14.3",
                        "with 19 bytes",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireFloats(MemorySegment floats) {
                                without(() -> super.requireFloats(floats), "memory: expected whole elements");
                            }
                        }),
                Mutant.of(
                        "a null batch is found late",
                        "14.2",
                        "writeBatch(null)",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBatch(Batch batch) {
                                if (batch != null) {
                                    super.writeBatch(batch);
                                }
                            }
                        }),
                Mutant.of(
                        "a view of a view of a view has its own memory",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new Deep(d, p, o, g)));
    }

    /** Makes a check, whose message loses its figures. */
    private static void without(Runnable check, String message) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(message, e);
        }
    }

    /** An arena whose views of views know how deep they are. */
    private static final class Deep extends ReferenceArena {
        private static final int MOST = 2;

        Deep(ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
            super(device, plan, options, geometry);
        }

        @Override
        ReferenceArena openView(MemoryPlan other) {
            return new DeepView(this, other, 1);
        }
    }

    private static final class DeepView extends ReferenceArena {
        private final int depth;

        DeepView(ReferenceArena arena, MemoryPlan plan, int depth) {
            super(arena, plan);
            this.depth = depth;
        }

        @Override
        ReferenceArena openView(MemoryPlan other) {
            return depth < Deep.MOST ? new DeepView(this, other, depth + 1) : new Apart(this, other);
        }
    }

    /** A view that writes elsewhere. */
    private static final class Apart extends ReferenceArena {
        private final MemorySegment own;

        Apart(ReferenceArena arena, MemoryPlan plan) {
            super(arena, plan);
            this.own = MemorySegment.ofArray(arena.memory.toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        void put(long offset, MemorySegment source) {
            MemorySegment.copy(source, 0, own, offset, source.byteSize());
        }
    }
}
