package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.Transfer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongPredicate;

/** Faults with long floats in one way of them: a batch, a deferred write, a batch of reads, a deferred read. */
final class FloatMutants {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private FloatMutants() {}

    static List<Mutant> all() {
        return List.of(
                written(
                        "a batch repeats an element of F16 at exact blocks",
                        DType.F16,
                        false,
                        count -> count >= 64 * KIB && count % (8 * KIB) == 0),
                written(
                        "a batch repeats an element of BF16 of odd counts",
                        DType.BF16,
                        false,
                        count -> count > 256 * KIB && count % 2 == 1),
                written(
                        "a batch repeats an element of F32 between powers of two",
                        DType.F32,
                        false,
                        count -> count > 600 * KIB && count < 900 * KIB),
                written("a deferred write repeats an element of F32", DType.F32, true, count -> count == 16 * KIB),
                written(
                        "a deferred write repeats an element of BF16",
                        DType.BF16,
                        true,
                        count -> count > 16 * KIB + 9 && count < 64 * KIB - 9),
                written("a deferred write repeats an element of F16", DType.F16, true, count -> count > MIB),
                read("a batch of reads repeats an element of F16", DType.F16, false, count -> count > 256 * KIB),
                read("a batch of reads repeats an element of BF16", DType.BF16, false, count -> count > MIB),
                read(
                        "a deferred read repeats an element of BF16",
                        DType.BF16,
                        true,
                        count -> count > 64 * KIB && count < 128 * KIB),
                read(
                        "a deferred read repeats an element of F32",
                        DType.F32,
                        true,
                        count -> count % (64 * KIB) == 0 && count > 0),
                odd("floats of BF16 at odd bytes begin anew behind 64 Ki", DType.BF16, 64 * KIB),
                odd("floats of F32 at odd bytes begin anew behind 256 Ki", DType.F32, 256 * KIB),
                odd("floats of F16 at odd bytes begin anew behind 1 Mi", DType.F16, MIB));
    }

    /** The last element of a region of floats. */
    private static Mutant written(String fault, DType dtype, boolean deferred, LongPredicate faulty) {
        return Mutant.of(
                fault,
                deferred && dtype == DType.BF16 ? "2.1" : "2.2",
                "expected",
                (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    private boolean later;

                    @Override
                    Transfer begun(List<Batch.Region> regions) {
                        later = true;
                        try {
                            return super.begun(regions);
                        } finally {
                            later = false;
                        }
                    }

                    @Override
                    void writeRegion(Batch.Region region, MemorySegment source) {
                        super.writeRegion(region, source);
                        if (region instanceof Batch.Floats floats && floats.dtype() == dtype && later == deferred) {
                            BufferSlot slot = require(floats.node());
                            long count = Math.min(source.byteSize() / 4, capacity(floats.node(), slot, dtype));
                            if (faulty.test(count)) {
                                long last = slot.offset() + (count - 1) * dtype.bytes();
                                MemorySegment.copy(memory, last - dtype.bytes(), memory, last, dtype.bytes());
                            }
                        }
                    }
                });
    }

    private static Mutant read(String fault, DType dtype, boolean deferred, LongPredicate faulty) {
        return Mutant.of(fault, "2.2", "expected", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            private void repeat(Batch.Region region) {
                if (region instanceof Batch.Floats output && output.dtype() == dtype) {
                    long count = countOf(region);
                    if (faulty.test(count)) {
                        MemorySegment into = region.memory();
                        MemorySegment.copy(into, (count - 2) * 4, into, (count - 1) * 4, 4);
                    }
                }
            }

            @Override
            long readRegions(List<Batch.Region> regions) {
                long total = super.readRegions(regions);
                if (!deferred) {
                    regions.forEach(this::repeat);
                }
                return total;
            }

            @Override
            ReferenceRead begin(List<Batch.Region> regions) {
                return new ReferenceRead(this, regions) {
                    @Override
                    void deliver() {
                        super.deliver();
                        if (deferred) {
                            regions.forEach(region -> repeat(region));
                        }
                    }
                };
            }
        });
    }

    /** Typed writes to a value that begins at an odd byte. */
    private static Mutant odd(String fault, DType faulty, long most) {
        return Mutant.of(fault, "2.2", "expected", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                super.writeTyped(id, slot, dtype, source, count);
                if (dtype == faulty && count > most && slot.offset() % 2 == 1) {
                    long at = slot.offset() + most * dtype.bytes();
                    MemorySegment.copy(memory, slot.offset(), memory, at, dtype.bytes());
                }
            }
        });
    }

    static List<Mutant> mirrors() {
        return List.of(
                mirror("mirrors of odd counts lose their last element", "2.2", (later, count) -> count % 2 == 1),
                mirror("mirrors of a deferred write end early", "2.1", (later, count) -> later),
                mirror(
                        "mirrors between powers of two lose their last element",
                        "2.1",
                        (later, count) -> count > 70 * KIB && count < 120 * KIB));
    }

    private interface Wrong {
        boolean test(boolean later, long count);
    }

    private static Mutant mirror(String fault, String clause, Wrong wrong) {
        return Mutant.of(fault, clause, "mirror of value", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            private boolean later;

            @Override
            Transfer begun(List<Batch.Region> regions) {
                later = true;
                try {
                    return super.begun(regions);
                } finally {
                    later = false;
                }
            }

            private boolean isLater() {
                return later;
            }

            @Override
            ReferenceShadow shadow(F16ShadowMode mode) {
                return new ReferenceShadow(this, mode) {
                    @Override
                    void cast(BufferSlot slot, long elements) {
                        boolean cut = elements > 16 * KIB && wrong.test(isLater(), elements);
                        super.cast(slot, cut ? elements - 1 : elements);
                    }
                };
            }
        });
    }
}
