package io.devicearena.conformance;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
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
                        "size of an empty plan",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long sizeBytes() {
                                return super.sizeBytes() == 1 ? 0 : super.sizeBytes();
                            }
                        }),
                Mutant.of(
                        "memory is not zeroed",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            MemorySegment allocate(Arena owner, long bytes) {
                                return super.allocate(owner, bytes).fill((byte) 0x5A);
                            }
                        }),
                Mutant.ofState(
                        "memory is zeroed only the first time",
                        "2.1",
                        "bytes read from offset",
                        GeometryMutants::pooled),
                Mutant.of(
                        "offsets are rounded up to the alignment",
                        "1.2",
                        "byteOffset of node 4",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public OptionalLong byteOffset(NodeId id) {
                                OptionalLong offset = super.byteOffset(id);
                                return offset.isEmpty() ? offset : OptionalLong.of((offset.getAsLong() + 15) / 16 * 16);
                            }
                        }),
                Mutant.of(
                        "a slot without bytes is no slot",
                        "1.2",
                        "hasBuffer of node 7",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @Nullable BufferSlot find(NodeId id) {
                                BufferSlot slot = super.find(id);
                                return slot != null && slot.size() == 0 ? null : slot;
                            }
                        }),
                Mutant.of(
                        "byteOffset of a fused value throws",
                        "1.2",
                        "threw java.lang.IllegalArgumentException: node 8",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public OptionalLong byteOffset(NodeId id) {
                                require(id);
                                return super.byteOffset(id);
                            }
                        }),
                Mutant.of(
                        "actual length is kept per offset",
                        "2.1",
                        "count of a batch",
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
                        "a negative length is accepted",
                        "14.1",
                        "length -1 for node 1 of 32 bytes",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireLength(NodeId id, BufferSlot slot, long bytes) {
                                super.requireLength(id, slot, Math.max(bytes, 0));
                            }
                        }),
                Mutant.of(
                        "each value has storage of its own",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                super.writeTyped(
                                        id, new BufferSlot(slot.offset() / 4 * 4, slot.size()), dtype, source, count);
                            }
                        }));
    }

    private static Mutant.Maker pooled() {
        Set<Long> used = ConcurrentHashMap.newKeySet();
        return (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            MemorySegment allocate(Arena owner, long bytes) {
                MemorySegment memory = super.allocate(owner, bytes);
                return used.add(bytes) ? memory : memory.fill((byte) 0xFF);
            }
        };
    }
}
