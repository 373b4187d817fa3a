package io.devicearena.conformance;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Faults in shadows. */
final class ShadowMutants {
    private ShadowMutants() {}

    /** Makes a shadow that is wrong. */
    private interface Shadow {
        ReferenceShadow of(ReferenceArena arena, F16ShadowMode mode);
    }

    private static Mutant shadow(String fault, String clauses, Shadow wrong) {
        return Mutant.of(fault, clauses, (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "14.1 14.7 14.13",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            long mirror(BufferSlot slot) {
                                return super.mirror(slot) / 16 * 16;
                            }
                        }),
                shadow(
                        "the shadow is half of the arena",
                        "14.2 14.6 14.9",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            long size() {
                                return Math.clamp(arena.plan().arenaSize() / 2, 1, cap());
                            }
                        }),
                shadow(
                        "the shadow is longer than a binding",
                        "14.3 14.4",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            long cap() {
                                return Long.MAX_VALUE;
                            }
                        }),
                shadow(
                        "a value whose mirror does not fit is lost",
                        "14.4",
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
                        "14.1 14.5",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            void pad(BufferSlot slot, long elements) {
                                if (elements == slot.size() / 4 && elements == 3) {
                                    bytes.set(ReferenceArena.SHORT, mirror(slot) + elements * 2, (short) 0x3C00);
                                }
                            }
                        }),
                shadow("mirrors are truncated", "14.6 14.9", (arena, mode) -> new ReferenceShadow(arena, mode) {
                    @Override
                    short narrow(int bits) {
                        short right = super.narrow(bits);
                        return bits == 0x3F803000 ? (short) (right - 1) : right;
                    }
                }),
                shadow(
                        "a write to a mirror writes the value too",
                        "14.7",
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
                        "14.7",
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
                shadow("raw writes leave mirrors fresh", "14.8", (arena, mode) -> new ReferenceShadow(arena, mode) {
                    @Override
                    synchronized void touched(long offset, long length) {
                        if (mode != F16ShadowMode.ON_WRITE || length != 1) {
                            super.touched(offset, length);
                        }
                    }
                }),
                shadow(
                        "a write makes its neighbours' mirrors stale",
                        "14.8",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            synchronized void touched(long offset, long length) {
                                super.touched(offset, length == 1 ? 8 : length);
                            }
                        }),
                shadow(
                        "a refreshed mirror stays stale",
                        "14.9 16.7 19.11",
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
                        "14.9 16.7",
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
                        "14.7 14.11 14.14",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            {
                                if (bytes.byteSize() == 32 && mode == F16ShadowMode.ON_WRITE) {
                                    bytes.set(Batches.BYTE, 20, (byte) 1);
                                }
                            }
                        }),
                shadow(
                        "a new mirror is stale",
                        "14.8 14.11 14.13 16.7",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            {
                                touched(0, arena.geometry.sizeBytes());
                            }
                        }),
                Mutant.of(
                        "the shadow cannot be turned off",
                        "14.12",
                        (d, p, o, g) -> new ReferenceArena(
                                d,
                                p,
                                o.f16Shadow() == F16ShadowMode.OFF ? o.withF16Shadow(F16ShadowMode.ON_REQUEST) : o,
                                g)),
                shadow(
                        "mirrors are made on every write",
                        "14.13",
                        (arena, mode) -> new ReferenceShadow(arena, F16ShadowMode.ON_WRITE)),
                shadow(
                        "mirrors begin at any multiple of 4",
                        "14.14",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            boolean hasMirror(BufferSlot slot) {
                                return slot.offset() % 4 == 0 && end(slot) <= bytes.byteSize();
                            }
                        }),
                shadow(
                        "a short odd write pads over the next element",
                        "14.15",
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
                        "14.16",
                        (arena, mode) -> new ReferenceShadow(arena, mode) {
                            @Override
                            public synchronized void readBytes(long offset, MemorySegment destination) {
                                super.readBytes(offset == 3 ? 2 : offset, destination);
                            }
                        }),
                shadow("the shadow outlives its arena", "14.17", (arena, mode) -> new ReferenceShadow(arena, mode) {
                    @Override
                    public long sizeBytes() {
                        return bytes.byteSize();
                    }
                }));
    }
}
