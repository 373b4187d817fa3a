package io.devicearena.conformance;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.conformance.oracle.TestData;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Faults in typed writes and reads. */
final class MoveMutants {
    private MoveMutants() {}

    static List<Mutant> writes() {
        return List.of(
                Mutant.of(
                        "the last chunk of a long upload is lost",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                super.writeTyped(id, slot, dtype, source, count > 20_000 ? count - 1 : count);
                            }
                        }),
                Mutant.of(
                        "too much data throws instead of being cut",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: data",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
                                BufferSlot slot = find(id);
                                if (slot != null
                                        && dtype.isHostFloat()
                                        && data.byteSize() / 4 > slot.size() / dtype.bytes()) {
                                    throw new IllegalArgumentException("data: expected less");
                                }
                                return super.writeInputF32(id, dtype, data);
                            }
                        }),
                Mutant.of(
                        "the count is that of the data, not of what was written",
                        "2.1",
                        "count of floats written",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
                                super.writeInputF32(id, dtype, data);
                                return data.byteSize() / 4;
                            }
                        }),
                Mutant.of(
                        "a cut write touches the byte after the slot",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, MemorySegment data) {
                                long count = super.writeInputF32(id, dtype, data);
                                BufferSlot slot = require(id);
                                if (count < data.byteSize() / 4 && slot.end() < geometry.sizeBytes()) {
                                    put(slot.end(), TestData.memory((byte) 0));
                                }
                                return count;
                            }
                        }),
                Mutant.of(
                        "a last element that fits in part is written",
                        "2.1",
                        "count of floats written",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long capacity(NodeId id, BufferSlot slot, DType dtype) {
                                return (slot.size() + dtype.bytes() - 1) / dtype.bytes();
                            }
                        }),
                Mutant.of(
                        "capacity is counted in f32 for every dtype",
                        "2.1",
                        "future of a transfer",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long capacity(NodeId id, BufferSlot slot, DType dtype) {
                                return slot.size() / 4;
                            }
                        }),
                Mutant.of(
                        "an odd number of 2-byte elements is padded to 4 bytes",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                super.writeTyped(id, slot, dtype, source, count);
                                long end = slot.offset() + count * dtype.bytes();
                                if (count * dtype.bytes() % 4 == 2 && end + 2 <= geometry.sizeBytes()) {
                                    put(end, MemorySegment.ofArray(new byte[2]));
                                }
                            }
                        }),
                Mutant.of(
                        "read-only sources are refused",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: destination: expected writable memory, got read-only",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireAccess(MemorySegment memory) {
                                requireWritable(memory);
                                super.requireAccess(memory);
                            }
                        }),
                Mutant.of(
                        "typed sources at odd addresses are read from even ones",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void encode(DType dtype, MemorySegment floats, MemorySegment encoded, long count) {
                                if (floats.address() % 2 == 1 && count > 1) {
                                    super.encode(
                                            dtype,
                                            MemorySegment.ofArray(new byte[Math.toIntExact(floats.byteSize())]),
                                            encoded,
                                            count);
                                } else {
                                    super.encode(dtype, floats, encoded, count);
                                }
                            }
                        }),
                Mutant.of(
                        "uploads read the caller's memory after the call",
                        "2.1",
                        "bytes at the end",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private MemorySegment later = TestData.memory();
                            private long place;

                            @Override
                            synchronized void writeRaw(long offset, MemorySegment source) {
                                catchUp();
                                if (source.isNative() && source.byteSize() > 1000) {
                                    super.writeRaw(offset, source);
                                    place = offset;
                                    later = source;
                                } else {
                                    super.writeRaw(offset, source);
                                }
                            }

                            @Override
                            synchronized void get(long offset, MemorySegment destination) {
                                catchUp();
                                super.get(offset, destination);
                            }

                            private void catchUp() {
                                if (later.scope().isAlive()) {
                                    put(place, later);
                                } else {
                                    memory.asSlice(place, later.byteSize()).fill((byte) 0xDD);
                                }
                                later = TestData.memory();
                            }
                        }),
                Mutant.of(
                        "the caller's data is changed",
                        "2.1",
                        "the source of a write",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long writeInputF32(NodeId id, DType dtype, float[] data) {
                                long count = super.writeInputF32(id, dtype, data);
                                if (data.length > 100) {
                                    Arrays.fill(data, 0);
                                }
                                return count;
                            }
                        }),
                Mutant.of(
                        "writes stop at the actual length",
                        "2.1",
                        "count of floats written",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long capacity(NodeId id, BufferSlot slot, DType dtype) {
                                return lengthOf(id, slot) / dtype.bytes();
                            }
                        }),
                Mutant.of(
                        "a write resets the actual length",
                        "2.1",
                        "count of a batch",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeTyped(NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                super.writeTyped(id, slot, dtype, source, count);
                                storeLength(id, slot, slot.size());
                            }
                        }));
    }

    static List<Mutant> reads() {
        return List.of(
                Mutant.of(
                        "actual length is stored and ignored",
                        "2.1",
                        "count of a batch",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readable(NodeId id, BufferSlot slot, DType dtype) {
                                return slot.size() / dtype.bytes();
                            }
                        }),
                Mutant.of(
                        "wanting more than there is throws",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: elements",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public float[] readOutputF32(NodeId id, DType dtype, long elements) {
                                float[] floats = super.readOutputF32(id, dtype, elements);
                                if (floats.length < elements) {
                                    throw new IllegalArgumentException("elements: expected fewer");
                                }
                                return floats;
                            }
                        }),
                Mutant.of(
                        "the array has as many elements as wanted, zeros at its end",
                        "2.1",
                        "count of floats read",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public float[] readOutputF32(NodeId id, DType dtype, long elements) {
                                float[] floats = super.readOutputF32(id, dtype, elements);
                                return Arrays.copyOf(floats, (int) Math.min(elements, 10_000_000));
                            }
                        }),
                Mutant.of(
                        "destinations are cleared first",
                        "2.1",
                        "the rest",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
                                requireFloats(destination);
                                requireType(dtype);
                                requireWritable(destination);
                                requireOpen();
                                require(id);
                                requireAccess(destination);
                                destination.fill((byte) 0);
                                return super.readOutputF32(id, dtype, destination);
                            }
                        }),
                Mutant.of(
                        "the whole padded slot is copied",
                        "2.1",
                        "the rest",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
                                long count = super.readOutputF32(id, dtype, destination);
                                BufferSlot slot = require(id);
                                readTyped(
                                        id,
                                        slot,
                                        dtype,
                                        destination,
                                        Math.min(slot.size() / dtype.bytes(), destination.byteSize() / 4));
                                return count;
                            }
                        }),
                Mutant.of(
                        "a read rounds the slot's size up",
                        "2.1",
                        "count of floats read",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readable(NodeId id, BufferSlot slot, DType dtype) {
                                long length = lengthOf(id, slot);
                                return length == slot.size()
                                        ? (length + dtype.bytes() - 1) / dtype.bytes()
                                        : length / dtype.bytes();
                            }
                        }),
                Mutant.of(
                        "segments at odd addresses get nothing",
                        "2.1",
                        "count of floats read",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long readOutputF32(NodeId id, DType dtype, MemorySegment destination) {
                                return destination.address() % 2 == 1
                                        ? destination.byteSize() / 4
                                        : super.readOutputF32(id, dtype, destination);
                            }
                        }),
                Mutant.of(
                        "stale bytes of pooled staging are returned",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final byte[] staging = new byte[256];
                            private boolean filled;

                            @Override
                            synchronized void get(long offset, MemorySegment destination) {
                                super.get(offset, destination);
                                if (destination.byteSize() >= 4096) {
                                    super.get(offset, MemorySegment.ofArray(staging));
                                    filled = true;
                                } else if (destination.byteSize() <= 16 && filled) {
                                    destination.copyFrom(
                                            MemorySegment.ofArray(staging).asSlice(0, destination.byteSize()));
                                }
                            }
                        }),
                Mutant.of(
                        "the arena remembers types and converts",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Map<NodeId, DType> types = new HashMap<>();

                            @Override
                            synchronized void writeTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment source, long count) {
                                types.put(id, dtype);
                                super.writeTyped(id, slot, dtype, source, count);
                            }

                            @Override
                            synchronized void writeRaw(long offset, MemorySegment source) {
                                types.clear();
                                super.writeRaw(offset, source);
                            }

                            @Override
                            synchronized void readTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
                                DType known = types.getOrDefault(id, dtype);
                                super.readTyped(
                                        id, slot, known.bytes() == dtype.bytes() ? known : dtype, destination, count);
                            }
                        }),
                Mutant.of(
                        "a read leaves a trace in the slot's padding",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
                                super.readTyped(id, slot, dtype, destination, count);
                                if (slot.size() % 4 != 0) {
                                    put(slot.end() - 1, TestData.memory((byte) 0));
                                }
                            }
                        }),
                Mutant.of(
                        "a read into own memory makes a copy on the heap",
                        "3.4",
                        "2 reads of 1 MiB as F32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readTyped(
                                    NodeId id, BufferSlot slot, DType dtype, MemorySegment destination, long count) {
                                float[] copy = new float[Math.toIntExact(count)];
                                super.readTyped(id, slot, dtype, MemorySegment.ofArray(copy), count);
                                MemorySegment.copy(MemorySegment.ofArray(copy), 0, destination, 0, count * 4);
                            }
                        }));
    }
}
