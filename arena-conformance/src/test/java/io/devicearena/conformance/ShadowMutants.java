package io.devicearena.conformance;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.conformance.calls.Batches;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Faults in shadows. */
final class ShadowMutants {
    private ShadowMutants() {}

    /** Makes a shadow that is wrong. */
    private interface Shadow {
        ReferenceShadow of(ReferenceArena arena, F16ShadowMode mode);
    }

    private static Mutant shadow(String fault, String clause, String text, Shadow wrong) {
        return Mutant.of(fault, clause, text, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            ReferenceShadow shadow(F16ShadowMode mode) {
                return wrong.of(this, mode);
            }
        });
    }

    static List<Mutant> all() {
        return List.of(
                shadow(
                        "mirrors begin at multiples of 16",
                        "12.1",
                        "mirror of a slot at 16 of 20 bytes",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            long mirror(BufferSlot slot) {
                                return super.mirror(slot) / 16 * 16;
                            }
                        }),
                shadow(
                        "the shadow is half of the arena",
                        "12.1",
                        "size of the shadow for one slot at 16 of 20 bytes",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            long size() {
                                return Math.clamp(arena.plan().arenaSize() / 2, 1, cap());
                            }
                        }),
                shadow(
                        "the shadow is longer than a binding",
                        "12.2",
                        "size of the shadow of an arena of 2098176 bytes",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            long cap() {
                                return Long.MAX_VALUE;
                            }
                        }),
                shadow(
                        "a value whose mirror does not fit is lost",
                        "12.2",
                        "the value past the shadow, element 0",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            synchronized void wrote(NodeId id, BufferSlot slot, DType dtype, long count) {
                                super.wrote(id, slot, dtype, count);
                                if (slot.offset() % 8 == 0 && !hasMirror(slot)) {
                                    arena.memory
                                            .asSlice(slot.offset(), slot.size())
                                            .fill((byte) 0);
                                }
                            }
                        }),
                shadow(
                        "an odd mirror is padded with chance",
                        "12.1",
                        "shadow after a write to a slot at 32 of 12 bytes",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            void pad(BufferSlot slot, long elements) {
                                if (elements == slot.size() / 4 && elements == 3) {
                                    bytes.set(ReferenceArena.SHORT, mirror(slot) + elements * 2, (short) 0x3C00);
                                }
                            }
                        }),
                shadow(
                        "mirrors are truncated",
                        "12.3",
                        "shadow after",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            short narrow(int bits) {
                                short right = super.narrow(bits);
                                return bits == 0x3F803000 ? (short) (right - 1) : right;
                            }
                        }),
                shadow(
                        "a write to a mirror writes the value too",
                        "12.4",
                        "arena after a write to a mirror",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            public synchronized long write(NodeId id, MemorySegment data) {
                                long count = super.write(id, data);
                                if (count == 8) {
                                    arena.memory.asSlice(0, 4).copyFrom(data.asSlice(0, 4));
                                }
                                return count;
                            }
                        }),
                shadow(
                        "a write to a mirror leaves it stale",
                        "12.4",
                        "isStale of node",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            public synchronized long write(NodeId id, MemorySegment data) {
                                boolean stale = isStale(id);
                                long count = super.write(id, data);
                                if (stale) {
                                    touched(arena.require(id).offset(), 1);
                                }
                                return count;
                            }
                        }),
                shadow(
                        "raw writes leave mirrors fresh",
                        "12.5",
                        "isStale of node 1 after fillBytes to bytes of two values",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            synchronized void touched(long offset, long length) {
                                if (mode != F16ShadowMode.ON_WRITE || length != 1) {
                                    super.touched(offset, length);
                                }
                            }
                        }),
                shadow(
                        "a write makes its neighbours' mirrors stale",
                        "12.5",
                        "isStale of node 2 after a raw write to a byte that one of",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            synchronized void touched(long offset, long length) {
                                super.touched(offset, length == 1 ? 8 : length);
                            }
                        }),
                shadow(
                        "a refreshed mirror stays stale",
                        "12.4",
                        "isStale of node 1 after a refresh",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            public synchronized void refresh(NodeId id) {
                                super.refresh(id);
                                if (mode == F16ShadowMode.ON_WRITE
                                        && arena.require(id).offset() < 32) {
                                    touched(arena.require(id).offset(), 1);
                                }
                            }
                        }),
                shadow(
                        "a refresh takes what the host wrote last",
                        "12.4",
                        "shadow after a refresh",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            public synchronized void refresh(NodeId id) {
                                if (mode == F16ShadowMode.ON_WRITE
                                        && arena.require(id).size() > 1000) {
                                    fresh(arena.require(id), arena.require(id).size());
                                } else {
                                    super.refresh(id);
                                }
                            }
                        }),
                shadow(
                        "a new shadow is not zero",
                        "12.1",
                        "shadow after the opening",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            {
                                if (bytes.byteSize() == 32 && mode == F16ShadowMode.ON_WRITE) {
                                    bytes.set(Batches.BYTE, 20, (byte) 1);
                                }
                            }
                        }),
                shadow(
                        "a new mirror is stale",
                        "12.1",
                        "isStale of",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            {
                                touched(0, arena.geometry.sizeBytes());
                            }
                        }),
                Mutant.of(
                        "the shadow cannot be turned off",
                        "7.2",
                        "shadow of a view without",
                        (d, p, o, g) -> new ReferenceArena(
                                d,
                                p,
                                o.f16Shadow() == F16ShadowMode.OFF ? o.withF16Shadow(F16ShadowMode.ON_REQUEST) : o,
                                g)),
                shadow(
                        "mirrors are made on every write",
                        "12.6",
                        "shadow after a typed write",
                        (arena, mode) -> new ReferenceShadow(arena, F16ShadowMode.ON_WRITE)),
                shadow(
                        "mirrors begin at any multiple of 4",
                        "12.1",
                        "fits of a slot at 4",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            boolean hasMirror(BufferSlot slot) {
                                return slot.offset() % 4 == 0 && end(slot) <= bytes.byteSize();
                            }
                        }),
                shadow(
                        "a short odd write pads over the next element",
                        "12.3",
                        "shadow after a write of 1 of 8 elements",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            void pad(BufferSlot slot, long elements) {
                                if (elements % 2 == 1) {
                                    bytes.set(ReferenceArena.SHORT, mirror(slot) + elements * 2, (short) 0);
                                }
                            }
                        }),
                shadow(
                        "the shadow is read from even offsets",
                        "12.8",
                        "destination of 1 bytes from 3",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            public synchronized void readBytes(long offset, MemorySegment destination) {
                                super.readBytes(offset == 3 ? 2 : offset, destination);
                            }
                        }),
                shadow(
                        "the shadow outlives its arena",
                        "12.8",
                        "sizeBytes on the shadow of a closed arena",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            public long sizeBytes() {
                                return bytes.byteSize();
                            }
                        }));
    }
}
