package io.devicearena.conformance;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.spi.DeviceArenaProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Faults in where the bytes are. */
final class GeometryMutants {
    private GeometryMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "an empty plan gets an arena of no byte",
                        "1.1",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long sizeBytes() {
                                return super.sizeBytes() == 1 ? 0 : super.sizeBytes();
                            }
                        }),
                Mutant.of(
                        "memory is not zeroed",
                        "1.2 1.10 8.8 16.9 22.1 22.3 22.4 22.5 22.6 22.7 22.9 22.10 22.11 22.13 22.15",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment allocate(Arena owner, long bytes) {
                                return super.allocate(owner, bytes).fill((byte) 0x5A);
                            }
                        }),
                Mutant.of("memory is zeroed only the first time", "1.2 1.10 16.9", GeometryMutants::pooled),
                Mutant.of(
                        "offsets are rounded up to the alignment",
                        "1.3",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public OptionalLong byteOffset(NodeId id) {
                                OptionalLong offset = super.byteOffset(id);
                                return offset.isEmpty() ? offset : OptionalLong.of((offset.getAsLong() + 15) / 16 * 16);
                            }
                        }),
                Mutant.of(
                        "a slot without bytes is no slot",
                        "1.3 1.8 2.2 3.8 5.14",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @Nullable BufferSlot find(NodeId id) {
                                BufferSlot slot = super.find(id);
                                return slot != null && slot.size() == 0 ? null : slot;
                            }
                        }),
                Mutant.of("byteOffset of a fused value throws", "1.4", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    public OptionalLong byteOffset(NodeId id) {
                        require(id);
                        return super.byteOffset(id);
                    }
                }),
                Mutant.of(
                        "actual length is kept per offset",
                        "1.5 7.3 17.3 17.9",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                return Math.min(slot.size(), super.lengthOf(NodeId.of(1000 + slot.offset()), slot));
                            }

                            @Override
                            void storeLength(NodeId id, BufferSlot slot, long bytes) {
                                super.storeLength(NodeId.of(1000 + slot.offset()), slot, bytes);
                            }
                        }),
                Mutant.of(
                        "a length past the slot is accepted",
                        "1.6 11.6 11.7",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireLength(NodeId id, BufferSlot slot, long bytes) {}
                        }),
                Mutant.of(
                        "each value has storage of its own", "1.7 7.3", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Map<NodeId, MemorySegment> own = new ConcurrentHashMap<>();

                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                own.put(id, source.asSlice(0, count * 4));
                                super.writeTyped(id, slot, dtype, source, count);
                            }

                            @Override
                            void readTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
                                super.readTyped(id, slot, dtype, destination, count);
                                if (own.size() > 0 && !own.containsKey(id)) {
                                    destination.asSlice(0, count * 4).fill((byte) 0);
                                }
                            }
                        }),
                Mutant.of(
                        "typed writes begin at a multiple of 4",
                        "1.8 1.10 3.1 7.3 14.14 17.3 18.1 18.2 18.5 18.6",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                super.writeTyped(
                                        id, new BufferSlot(slot.offset() / 4 * 4, slot.size()), dtype, source, count);
                            }
                        }));
    }

    private static DeviceArenaProvider pooled() {
        Set<Long> used = ConcurrentHashMap.newKeySet();
        return Mutant.of("", "1.1", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    MemorySegment allocate(Arena owner, long bytes) {
                        MemorySegment memory = super.allocate(owner, bytes);
                        return used.add(bytes) ? memory : memory.fill((byte) 0xFF);
                    }
                })
                .provider()
                .get();
    }
}
