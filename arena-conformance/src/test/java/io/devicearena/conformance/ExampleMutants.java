package io.devicearena.conformance;

import static io.devicearena.conformance.oracle.ExamplePlan.NODE_2;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16Shadow;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.calls.CheckedRun;
import io.devicearena.conformance.oracle.ExamplePlan;
import io.devicearena.spi.ArenaGeometry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Faults of one length, place or number alone. */
final class ExampleMutants {
    private ExampleMutants() {}

    /** Arenas of the example plan that know of each other. */
    private static class Neighbour extends ReferenceArena {
        final List<Neighbour> all;
        final boolean isExample;

        Neighbour(List<Neighbour> all, ArenaDevice d, MemoryPlan p, ArenaOptions o, ArenaGeometry g) {
            super(d, p, o, g);
            this.all = all;
            this.isExample = g.sizeBytes() == ExamplePlan.BYTES + 16 && p.arenaSize() == ExamplePlan.BYTES;
            if (isExample) {
                all.add(this);
            }
        }

        /** What the others of the example plan do with a length of this one. */
        void share(NodeId id, BufferSlot slot, long bytes) {
            super.storeLength(id, slot, bytes);
        }

        @Override
        public void close() {
            all.remove(this);
            super.close();
        }
    }

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>(moves());
        all.addAll(others());
        return all;
    }

    private static List<Mutant> moves() {
        return List.of(
                Mutant.ofState("the length of node 2 is one of all arenas", "2.1", "count of floats read", () -> {
                    List<Neighbour> all = new ArrayList<>();
                    return (d, p, o, g) -> new Neighbour(all, d, p, o, g) {
                        @Override
                        void storeLength(NodeId id, BufferSlot slot, long bytes) {
                            super.storeLength(id, slot, bytes);
                            if (isExample && id.equals(NODE_2)) {
                                all.stream()
                                        .filter(other -> !other.equals(this))
                                        .forEach(other -> other.share(id, slot, bytes));
                            }
                        }
                    };
                }),
                Mutant.of(
                        "a thousand elements are counted with one more",
                        "2.1",
                        "count of floats written",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
                                return super.writeInputF32(id, dtype, data) + (data.byteSize() == 4000 ? 1 : 0);
                            }
                        }),
                Mutant.of(
                        "the element after a length of 20 bytes is cleared",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
                                super.readTyped(id, slot, dtype, destination, count);
                                if (slot.size() == 32 && count == 5 && destination.byteSize() > 100) {
                                    destination.set(INT, 20, 0);
                                }
                            }
                        }),
                Mutant.of(
                        "one of all patterns of F16 is read as the next",
                        "3.3",
                        "read as F",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void decode(DType dtype, MemorySegment encoded, MemorySegment floats, long count) {
                                super.decode(dtype, encoded, floats, count);
                                if (dtype == DType.F16 && count == 1 << 16 && encoded.get(SHORT, 2468) == 1234) {
                                    floats.set(INT, 4936, floats.get(INT, 4940));
                                }
                            }
                        }),
                Mutant.of(
                        "a write of 13 bytes at 11 ends a byte early",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                boolean faulty = p.arenaSize() == 64 && offset == 11 && source.byteSize() == 13;
                                super.writeBytes(offset, faulty ? source.asSlice(0, 12) : source);
                            }
                        }),
                Mutant.of(
                        "a view of the whole example is writable",
                        "2.1",
                        "bytes of a mapped view, which is read-only",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                return length == 93 && p.arenaSize() == ExamplePlan.BYTES
                                        ? reader.apply(memory.asSlice(offset, length))
                                        : super.withCopy(offset, length, reader);
                            }
                        }),
                Mutant.of(
                        "an upload of 50 bytes at 5 is reported before it is made",
                        "2.1",
                        "bytes reported by a write that was ended",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                if (offset == 5 && source.byteSize() == 50) {
                                    progress.accept(50);
                                }
                                super.writePieces(offset, source, progress);
                            }
                        }),
                Mutant.ofSegments(
                        "a fill of all but the ends of an arena ends a byte early",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            void fill(long offset, long length, byte value) {
                                boolean faulty = offset == 1 && length == g.sizeBytes() - 2;
                                super.fill(offset, faulty ? length - 1 : length, value);
                            }
                        }),
                Mutant.of(
                        "the second of two deferred regions is read late",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private List<Batch.Region> late = List.of();

                            @Override
                            void writeRegions(List<Batch.Region> regions) {
                                super.writeRegions(regions);
                                boolean faulty = regions.size() == 2
                                        && regions.getLast() instanceof Batch.Bytes bytes
                                        && bytes.offset() == 1
                                        && bytes.memory().byteSize() == 4;
                                late = faulty ? List.of(regions.getLast()) : List.of();
                            }

                            @Override
                            void get(long offset, MemorySegment destination) {
                                writeRegions(late);
                                super.get(offset, destination);
                            }
                        }),
                Mutant.ofState("two floats are lost after a close beside them", "2.1", "mirror of value", () -> {
                    List<Neighbour> all = new ArrayList<>();
                    return (d, p, o, g) -> new Neighbour(all, d, p, o, g) {
                        private final int beside = all.size();

                        @Override
                        void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                            boolean lost = isExample && all.size() < beside && count == 2;
                            super.writeTyped(id, slot, dtype, source, lost ? 0 : count);
                        }
                    };
                }),
                Mutant.of(
                        "65,535 bytes of host memory end a byte early",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                boolean faulty = offset == 3 && source.byteSize() == 65_535 && g.sizeBytes() > 262_000;
                                super.writeBytes(offset, faulty ? source.asSlice(0, 65_534) : source);
                            }
                        }));
    }

    private static List<Mutant> others() {
        return List.of(
                Mutant.of(
                        "the shadow of an arena of zeros ends with a one",
                        "12.1",
                        "shadow after the opening",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceShadow shadow(F16ShadowMode mode) {
                                return new ReferenceShadow(this, mode) {
                                    @Override
                                    public synchronized void readBytes(long offset, MemorySegment destination) {
                                        super.readBytes(offset, destination);
                                        boolean fresh = memory.mismatch(
                                                        MemorySegment.ofArray(new byte[(int) memory.byteSize()]))
                                                < 0;
                                        if (fresh && g.planBytes() == 64 && destination.byteSize() == 32) {
                                            destination.set(Batches.BYTE, 31, (byte) 1);
                                        }
                                    }
                                };
                            }
                        }),
                Mutant.ofProvider(
                        "arenas have checks without being asked for them",
                        "13.1",
                        "checks of an arena",
                        () -> new ReferenceProvider() {
                            @Override
                            ReferenceArena arena(
                                    ArenaDevice device, MemoryPlan plan, ArenaOptions options, ArenaGeometry geometry) {
                                return super.arena(
                                        device,
                                        plan,
                                        plan.equals(CheckedRun.plan()) ? options.withChecks() : options,
                                        geometry);
                            }
                        }),
                Mutant.ofChecks(
                        "the checks see no byte behind a value",
                        "13.9",
                        "a step that writes beside its value, at 224",
                        (d, p, o, g) -> new CheckedReferenceArena(d, p, o, g) {
                            private final byte[] last = new byte[Math.toIntExact(g.sizeBytes())];
                            private final BitSet written = new BitSet();

                            @Override
                            public void write(long offset, MemorySegment source) {
                                super.write(offset, source);
                                int begin = Math.toIntExact(offset);
                                int length = Math.toIntExact(source.byteSize());
                                MemorySegment.copy(source, 0, MemorySegment.ofArray(last), begin, length);
                                written.set(begin, begin + length);
                            }

                            @Override
                            public void read(long offset, MemorySegment destination) {
                                super.read(offset, destination);
                                p.values().forEach((id, value) -> {
                                    BufferSlot slot = require(id);
                                    for (long at = slot.offset() + value.bytes(); at < slot.end(); at++) {
                                        long there = at - offset;
                                        if (there >= 0 && there < destination.byteSize() && written.get((int) at)) {
                                            destination.set(Batches.BYTE, there, last[(int) at]);
                                        }
                                    }
                                });
                            }
                        }),
                Mutant.of(
                        "an upload from closed memory is dropped",
                        "14.4",
                        "with closed memory",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void writeBytes(long offset, MemorySegment source, LongConsumer progress) {
                                if (source.scope().isAlive()) {
                                    super.writeBytes(offset, source, progress);
                                }
                            }
                        }),
                Mutant.of(
                        "a read of a value without slot clears its destination",
                        "14.1",
                        "after",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
                                if (find(id) == null && !destination.isReadOnly()) {
                                    destination.fill((byte) 0);
                                }
                                return super.readOutputF32(id, dtype, destination);
                            }
                        }),
                Mutant.of(
                        "each unwrap makes a new shadow",
                        "15.6",
                        "a second unwrap of interface io.devicearena.F16Shadow",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @Nullable F16Shadow f16Shadow() {
                                return super.f16Shadow() instanceof ReferenceShadow shadow
                                        ? new ReferenceShadow(this, shadow)
                                        : null;
                            }
                        }));
    }
}
