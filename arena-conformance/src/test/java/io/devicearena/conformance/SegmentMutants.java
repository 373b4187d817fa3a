package io.devicearena.conformance;

import static io.devicearena.conformance.SegmentedProvider.SEGMENT;

import io.devicearena.ArenaDevice;
import io.devicearena.ArenaLimits;
import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.SegmentLayout;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.ExamplePlan;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Faults of arenas that lie in several segments. */
final class SegmentMutants {
    /** More bytes than the small ranges of 16.3, 16.5 and 16.8 have, fewer than its values. */
    private static final int SMALL = 64;

    private SegmentMutants() {}

    static List<Mutant> moves() {
        return List.of(
                Mutant.ofSegments(
                        "a small write stops at a segment's end",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            void putPart(long offset, MemorySegment source, boolean first) {
                                if (first || source.byteSize() > SMALL) {
                                    super.putPart(offset, source, first);
                                }
                            }
                        }),
                Mutant.ofSegments(
                        "the last word before a segment's end is lost",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            void putPart(long offset, MemorySegment source, boolean first) {
                                long size = source.byteSize();
                                boolean lost = size >= 4 && size < SMALL && (offset + size) % SEGMENT == 0;
                                super.putPart(offset, lost ? source.asSlice(0, size - 4) : source, first);
                            }
                        }),
                Mutant.ofSegments(
                        "odd bytes before a segment's end are lost",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            void putPart(long offset, MemorySegment source, boolean first) {
                                long size = source.byteSize();
                                boolean lost = size < SMALL && (offset + size) % SEGMENT == 0;
                                super.putPart(offset, lost ? source.asSlice(0, size / 4 * 4) : source, first);
                            }
                        }),
                Mutant.ofSegments(
                        "a read across an end repeats the first segment",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            void getPart(long offset, MemorySegment destination, boolean first) {
                                boolean wrong = !first && destination.byteSize() < SMALL;
                                super.getPart(wrong ? offset - SEGMENT : offset, destination, first);
                            }
                        }),
                Mutant.ofSegments(
                        "a large value is cast anew in each segment",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                super.writeTyped(id, slot, dtype, source, count);
                                long behind = count * dtype.bytes() - SEGMENT;
                                if (dtype == DType.BF16 && slot.size() == 2 * SEGMENT + 20 && behind > 0) {
                                    MemorySegment.copy(memory, 0, memory, SEGMENT, Math.min(behind, SEGMENT));
                                }
                            }
                        }),
                Mutant.ofSegments(
                        "a value that ends with its segment loses its last element",
                        "2.1",
                        "mirror of value",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                boolean lost = slot.offset() > 0 && slot.end() % SEGMENT == 0 && count > 1000;
                                super.writeTyped(id, slot, dtype, source, lost ? count - 1 : count);
                            }
                        }),
                Mutant.ofSegments(
                        "a batch region across an end is read by half",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                long total = super.readRegions(regions);
                                regions.forEach(region -> clearBehind(this, region));
                                return total;
                            }
                        }),
                Mutant.ofSegments(
                        "a deferred region across an end is read by half",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    void deliver() {
                                        super.deliver();
                                        regions.forEach(region -> clearBehind((SegmentedArena) arena, region));
                                    }
                                };
                            }
                        }),
                Mutant.ofSegments(
                        "a deferred read sees later writes to its second segment",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    void deliver() {
                                        super.deliver();
                                        regions.forEach(region -> readBehind((SegmentedArena) arena, region));
                                    }
                                };
                            }
                        }),
                Mutant.ofSegments(
                        "a mapped view is zero behind a segment's end",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                                byte[] right = super.withCopy(offset, length, view -> view.toArray(Batches.BYTE));
                                MemorySegment copy = MemorySegment.ofArray(right);
                                if (length > 0) {
                                    copy.asSlice(inFirst(offset, length)).fill((byte) 0);
                                }
                                return reader.apply(copy.asReadOnly());
                            }
                        }));
    }

    /** Clears the bytes of a raw region that lie behind the segment in which it begins. */
    private static void clearBehind(SegmentedArena arena, Batch.Region region) {
        if (region instanceof Batch.Bytes bytes && bytes.memory().byteSize() > 0) {
            MemorySegment destination = bytes.memory();
            destination
                    .asSlice(arena.inFirst(bytes.offset(), destination.byteSize()))
                    .fill((byte) 0);
        }
    }

    /** Reads those bytes again. */
    private static void readBehind(SegmentedArena arena, Batch.Region region) {
        if (region instanceof Batch.Bytes bytes && bytes.memory().byteSize() > 0) {
            MemorySegment destination = bytes.memory();
            long first = arena.inFirst(bytes.offset(), destination.byteSize());
            arena.get(bytes.offset() + first, destination.asSlice(first));
        }
    }

    static List<Mutant> others() {
        return List.of(
                Mutant.ofSegmentsProvider(
                        "the largest segment has no name", "11.1", "expected", () -> new SegmentedProvider() {
                            @Override
                            ArenaLimits limits() {
                                return super.limits().withSegments(SEGMENT, " ");
                            }
                        }),
                Mutant.ofSegmentsProvider(
                        "a crossing value is accepted", "11.3", "expected", () -> new SegmentedProvider() {
                            @Override
                            public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                                return super.openArena(
                                        device,
                                        plan.arenaSize() == SEGMENT + 1 ? ExamplePlan.bytes(SEGMENT + 1) : plan,
                                        options);
                            }
                        }),
                Mutant.ofSegmentsProvider(
                        "a crossing value is refused without figures",
                        "11.3",
                        "expected",
                        () -> new SegmentedProvider() {
                            @Override
                            public DeviceArena openArena(ArenaDevice device, MemoryPlan plan, ArenaOptions options) {
                                try {
                                    return super.openArena(device, plan, options);
                                } catch (IllegalArgumentException e) {
                                    if (String.valueOf(e.getMessage()).contains("PlanOptions.forDevice")) {
                                        throw new IllegalArgumentException("plan: expected another one", e);
                                    }
                                    throw e;
                                }
                            }
                        }),
                Mutant.ofSegments(
                        "segments are half as large",
                        "2.2",
                        "threw java.lang.IllegalArgumentException: node",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            public SegmentLayout segments() {
                                requireOpen();
                                return SegmentLayout.of(p.slots(), g.sizeBytes(), SEGMENT / 2, 16);
                            }
                        }),
                Mutant.ofSegments(
                        "segments end inside values",
                        "11.2",
                        "expected",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            public SegmentLayout segments() {
                                requireOpen();
                                return SegmentLayout.of(Map.of(), g.sizeBytes(), SEGMENT, 16);
                            }
                        }),
                Mutant.ofSegments(
                        "a closed arena still has segments",
                        "8.1",
                        "expected",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            public SegmentLayout segments() {
                                return layout;
                            }
                        }),
                Mutant.ofSegments(
                        "the second segment is not zeroed",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            @Override
                            MemorySegment allocate(Arena owner, long bytes) {
                                MemorySegment memory = super.allocate(owner, bytes);
                                if (bytes > 2 * SEGMENT) {
                                    memory.set(Batches.BYTE, SEGMENT + 7, (byte) 1);
                                }
                                return memory;
                            }
                        }),
                shadow("the shadow of the second segment is missing", "2.1", "mirror of value", Unshadowed::new),
                shadow("a refresh casts the first segment only", "12.4", "expected", HalfRefreshed::new),
                shadow("a raw write makes mirrors stale up to a segment's end", "12.4", "expected", HalfStale::new),
                Mutant.ofSegments(
                        "words beside a segment's end are read and written back",
                        "9.2",
                        "expected",
                        (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
                            private final Meeting meeting = new Meeting();

                            @Override
                            void put(long offset, MemorySegment source) {
                                long from = offset / 4 * 4;
                                long to = (offset + source.byteSize() + 3) / 4 * 4;
                                long end = (offset + SMALL) / SEGMENT * SEGMENT;
                                if (to > g.sizeBytes() || end == 0 || offset < end - SMALL || to > end + SMALL) {
                                    super.put(offset, source);
                                    return;
                                }
                                boolean across = offset < end && offset + source.byteSize() > end;
                                if (!across || !meeting.becomesFirst()) {
                                    meeting.becomeSecond(); // shares a word with the one across
                                    super.put(offset, source);
                                    meeting.pass();
                                    return;
                                }
                                MemorySegment words = MemorySegment.ofArray(
                                        memory.asSlice(from, to - from).toArray(Batches.BYTE));
                                meeting.awaitSecond();
                                words.asSlice(offset - from, source.byteSize()).copyFrom(source);
                                super.put(from, words);
                            }
                        }));
    }

    /** Makes a faulty shadow. */
    private interface Shadow {
        ReferenceShadow of(ReferenceArena arena, F16ShadowMode mode);
    }

    private static Mutant shadow(String fault, String clause, String text, Shadow wrong) {
        return Mutant.ofSegments(fault, clause, text, (d, p, o, g) -> new SegmentedArena(d, p, o, g) {
            @Override
            ReferenceShadow shadow(F16ShadowMode mode) {
                return wrong.of(this, mode);
            }
        });
    }

    /** See the list above. */
    private static final class Unshadowed extends ReferenceShadow {
        Unshadowed(ReferenceArena arena, F16ShadowMode mode) {
            super(arena, mode);
        }

        @Override
        void cast(BufferSlot slot, long elements) {
            super.cast(slot, Math.clamp((SEGMENT - slot.offset()) / 4, 0, elements));
        }
    }

    /** See the list above. */
    private static final class HalfRefreshed extends ReferenceShadow {
        HalfRefreshed(ReferenceArena arena, F16ShadowMode mode) {
            super(arena, mode);
        }

        @Override
        public synchronized void refresh(NodeId id) {
            BufferSlot slot = arena.require(id);
            if (slot.size() <= SEGMENT) {
                super.refresh(id);
            } else {
                cast(slot, SEGMENT / 4);
                fresh(slot, slot.size());
            }
        }
    }

    /** See the list above. */
    private static final class HalfStale extends ReferenceShadow {
        HalfStale(ReferenceArena arena, F16ShadowMode mode) {
            super(arena, mode);
        }

        @Override
        synchronized void touched(long offset, long length) {
            super.touched(offset, Math.min(length, SEGMENT - offset % SEGMENT));
        }
    }
}
