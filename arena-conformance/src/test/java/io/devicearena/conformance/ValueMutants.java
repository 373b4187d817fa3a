package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
import io.devicearena.conformance.calls.Batches;
import io.devicearena.conformance.oracle.ValuePlan;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Faults in the access to values by their types. */
final class ValueMutants {
    private ValueMutants() {}

    static List<Mutant> moves() {
        return List.of(
                Mutant.of(
                        "elements are not implemented",
                        "2.1",
                        "threw java.lang.UnsupportedOperationException: elements: call writeBytes",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                throw new UnsupportedOperationException("elements: call writeBytes");
                            }
                        }),
                Mutant.of(
                        "a NaN is quieted on its way",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void get(long offset, MemorySegment destination) {
                                super.get(offset, destination);
                                short first = destination.byteSize() < 2 ? 0 : destination.get(SHORT, 0);
                                if ((first & 0x7E00) == 0x7C00 && (first & 0x1FF) != 0) {
                                    destination.set(SHORT, 0, (short) (first | 0x0200));
                                }
                            }
                        }),
                Mutant.of(
                        "elements of 8 bytes are written as two of 4, the halves swapped",
                        "2.2",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                super.writeElements(id, dtype, source);
                                for (long i = 0; dtype == DType.F64 && i < source.byteSize(); i += 8) {
                                    writeRaw(require(id).offset() + i, source.asSlice(i + 4, 4));
                                    writeRaw(require(id).offset() + i + 4, source.asSlice(i, 4));
                                }
                            }
                        }),
                Mutant.of(
                        "long uploads of elements end after 64 KiB",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                super.writeElements(id, dtype, source.asSlice(0, Math.min(source.byteSize(), 1 << 16)));
                            }
                        }),
                Mutant.of(
                        "elements are padded to words",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                super.writeElements(id, dtype, source);
                                long end = require(id).offset() + source.byteSize();
                                long padding = -source.byteSize() & 3;
                                if (padding > 0 && end + padding < geometry.sizeBytes()) {
                                    put(end, MemorySegment.ofArray(new byte[(int) padding]));
                                }
                            }
                        }),
                Mutant.of(
                        "a part is written at the arena's start",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long offsetOfPart(NodeId id, long firstByte, long length) {
                                super.offsetOfPart(id, firstByte, length);
                                return firstByte;
                            }
                        }),
                Mutant.of(
                        "a part ends at the actual length",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public void readValueBytes(NodeId id, long firstByte, MemorySegment destination) {
                                offsetOfPart(id, firstByte, destination.byteSize());
                                requireWritable(destination);
                                requireAccess(destination);
                                long most = Math.max(0, lengthBytes(id) - firstByte);
                                super.readValueBytes(
                                        id, firstByte, destination.asSlice(0, Math.min(most, destination.byteSize())));
                            }
                        }),
                Mutant.of(
                        "a part begins at an even byte",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long offsetOfPart(NodeId id, long firstByte, long length) {
                                long offset = super.offsetOfPart(id, firstByte, length);
                                return length < 9 ? offset - firstByte % 2 : offset;
                            }
                        }),
                Mutant.of(
                        "the progress of a part is that of its pieces",
                        "2.1",
                        "progress of a write",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writePieces(long offset, MemorySegment source, LongConsumer progress) {
                                long[] before = new long[1];
                                super.writePieces(offset, source, done -> {
                                    progress.accept(done - before[0]);
                                    before[0] = done;
                                });
                            }
                        }),
                Mutant.of(
                        "a batch counts the bytes of elements",
                        "2.1",
                        "count",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long readRegions(List<Batch.Region> regions) {
                                long total = super.readRegions(regions);
                                for (Batch.Region region : regions) {
                                    if (region instanceof Batch.Elements elements) {
                                        total += countOf(region)
                                                * (elements.dtype().bytes() - 1);
                                    }
                                }
                                return total;
                            }
                        }),
                Mutant.of(
                        "a deferred read of elements leaves out the last byte",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            ReferenceRead begin(List<Batch.Region> regions) {
                                return new ReferenceRead(this, regions) {
                                    @Override
                                    void deliver() {
                                        super.deliver();
                                        for (Batch.Region region : regions) {
                                            if (region instanceof Batch.Elements elements) {
                                                long end = countOf(region)
                                                        * elements.dtype().bytes();
                                                if (end > 0) {
                                                    elements.memory().set(Batches.BYTE, end - 1, (byte) 0);
                                                }
                                            }
                                        }
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "elements of heap memory at odd bytes begin before it",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                if (!source.isNative() && source.address() % 2 == 1 && source.byteSize() > 1) {
                                    writeRaw(require(id).offset(), source.asSlice(1));
                                } else {
                                    super.writeElements(id, dtype, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a value ends where its first segment ends",
                        "2.1",
                        "bytes read from offset",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readElements(NodeId id, DType dtype, MemorySegment destination) {
                                super.readElements(id, dtype, destination);
                                if (dtype == DType.I32 && destination.byteSize() > 1 << 16) {
                                    destination.asSlice(1 << 16).fill((byte) 0);
                                }
                            }
                        }),
                Mutant.of(
                        "a small write of elements writes its last word back",
                        "9.2",
                        "expected",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Meeting meeting = new Meeting();

                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                if (!id.equals(NodeId.of(2)) || !meeting.becomesFirst()) {
                                    meeting.becomeSecond();
                                    super.writeElements(id, dtype, source);
                                    meeting.pass();
                                    return;
                                }
                                byte[] before = new byte[3];
                                get(require(id).offset() - 3, MemorySegment.ofArray(before));
                                meeting.awaitSecond();
                                super.writeElements(id, dtype, source);
                                put(require(id).offset() - 3, MemorySegment.ofArray(before));
                            }
                        }),
                Mutant.of(
                        "elements leave a mirror fresh",
                        "12.5",
                        "isStale of node 1 after writeBatch of elements to bytes of two values",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                put(require(id).offset(), source);
                            }
                        }));
    }

    static List<Mutant> refusals() {
        return List.of(
                Mutant.of(
                        "elements may fill the padding of the slot",
                        "3.1",
                        "6 elements for 5 of f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                super.requirePart(
                                        id, firstByte, length, require(id).size());
                            }
                        }),
                Mutant.of(
                        "more elements are cut to the value",
                        "3.1",
                        "6 elements for 5 of f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                if (firstByte != 0 || bytes == require(id).size()) {
                                    super.requirePart(id, firstByte, length, bytes);
                                }
                            }

                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                long most = valueBytes(id, require(id));
                                super.writeElements(
                                        id, dtype, source.byteSize() > most ? source.asSlice(0, most) : source);
                            }
                        }),
                Mutant.of(
                        "more elements overwrite the next value",
                        "3.1",
                        "6 elements for 5 of f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                requireRange(require(id).offset() + firstByte, length);
                            }
                        }),
                Mutant.of(
                        "messages leave the name of the value out",
                        "3.1",
                        "6 elements for 5 of f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                try {
                                    super.requirePart(id, firstByte, length, bytes);
                                } catch (IllegalArgumentException e) {
                                    throw new IllegalArgumentException(
                                            id + ": got " + length + " bytes from " + firstByte + " of " + bytes, e);
                                }
                            }
                        }),
                Mutant.of(
                        "the padding of a slot is read as data",
                        "2.1",
                        "count of a batch",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long lengthOf(NodeId id, BufferSlot slot) {
                                long length = super.lengthOf(id, slot);
                                PlanValue value = p.values().get(id);
                                return value != null && length == value.bytes() ? slot.size() : length;
                            }
                        }),
                Mutant.of(
                        "host floats fill the padding of the slot",
                        "2.1",
                        "count of floats written",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long capacity(NodeId id, BufferSlot slot, DType dtype) {
                                return slot.size() / dtype.bytes();
                            }
                        }),
                Mutant.of(
                        "elements are read past the actual length",
                        "2.1",
                        "count of a batch",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long countOf(Batch.Region region) {
                                return region instanceof Batch.Elements elements
                                        ? Math.min(
                                                        region.memory().byteSize(),
                                                        valueBytes(elements.node(), require(elements.node())))
                                                / elements.dtype().bytes()
                                        : super.countOf(region);
                            }
                        }),
                Mutant.of(
                        "the rest of a long destination is cleared",
                        "2.1",
                        "the rest",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void readRegion(Batch.Region region, MemorySegment destination, long count) {
                                super.readRegion(region, destination, count);
                                if (region instanceof Batch.Elements elements) {
                                    destination
                                            .asSlice(count * elements.dtype().bytes())
                                            .fill((byte) 0);
                                }
                            }
                        }),
                Mutant.of(
                        "any type is accepted",
                        "3.2",
                        "writeInputF32 of node 2 as host floats of f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePlanned(NodeId id, DType dtype) {}
                        }),
                Mutant.of(
                        "types of the same size are accepted",
                        "3.2",
                        "writeInputF32 of node 7 as host floats of f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePlanned(NodeId id, DType dtype) {
                                PlanValue value = known(id);
                                if (value != null && value.dtype().bytes() != dtype.bytes()) {
                                    super.requirePlanned(id, dtype);
                                }
                            }
                        }),
                Mutant.of(
                        "batches do not check types",
                        "3.2",
                        "readBatch of node 2 as f32",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireRegion(Batch.Region region) {
                                if (region instanceof Batch.Elements elements && find(elements.node()) != null) {
                                    requireAccess(region.memory());
                                } else {
                                    super.requireRegion(region);
                                }
                            }
                        }),
                Mutant.of(
                        "a value without a type is one of bytes",
                        "2.1",
                        "threw java.lang.IllegalArgumentException: node",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePlanned(NodeId id, DType dtype) {
                                super.requirePlanned(id, dtype);
                                if (!p.values().isEmpty()
                                        && known(id) == null
                                        && !o.reinterpretation()
                                        && dtype == DType.BOOL) {
                                    throw new IllegalArgumentException(id + ": expected u8, got bool");
                                }
                            }
                        }),
                Mutant.of(
                        "reinterpretation is ignored",
                        "3.2",
                        "threw java.lang.IllegalArgumentException: node 1",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            @Nullable PlanValue known(NodeId id) {
                                return p.values().get(id);
                            }
                        }),
                Mutant.of(
                        "reinterpretation allows types of the same size alone",
                        "3.2",
                        "threw java.lang.IllegalArgumentException: node 1",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePlanned(NodeId id, DType dtype) {
                                super.requirePlanned(id, dtype);
                                PlanValue value = p.values().get(id);
                                if (o.reinterpretation()
                                        && value != null
                                        && value.dtype().bytes() != dtype.bytes()) {
                                    throw new IllegalArgumentException(id + ": expected elements of the same size");
                                }
                            }
                        }),
                Mutant.of(
                        "the check of a part overflows",
                        "4.1",
                        "fillBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                if (firstByte < 0 || firstByte + length > bytes) {
                                    super.requirePart(id, firstByte, length, bytes);
                                }
                            }

                            @Override
                            void requireRange(long offset, long length) {
                                if (offset >= 0) {
                                    super.requireRange(offset, length);
                                }
                            }

                            @Override
                            public void readBytes(long offset, MemorySegment destination) {
                                if (offset >= 0) {
                                    super.readBytes(offset, destination);
                                }
                            }

                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                if (offset >= 0) {
                                    super.writeBytes(offset, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a part may reach into the next value",
                        "4.1",
                        "writeValueBytes of",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long offsetOfPart(NodeId id, long firstByte, long length) {
                                requireOpen();
                                requirePart(
                                        id,
                                        firstByte,
                                        Math.min(length, 1),
                                        require(id).size());
                                return require(id).offset() + firstByte;
                            }
                        }),
                Mutant.of(
                        "a fused value has its elements at the arena's start",
                        "5.1",
                        "readBatch of floats of a fused value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            BufferSlot require(NodeId id) {
                                return reading && find(id) == null
                                        ? new BufferSlot(0, ValuePlan.SLOT)
                                        : super.require(id);
                            }

                            private boolean reading;

                            @Override
                            public long readBatch(Batch batch) {
                                reading = true;
                                try {
                                    return super.readBatch(batch);
                                } finally {
                                    reading = false;
                                }
                            }
                        }),
                Mutant.of(
                        "elements of another thread's memory are accepted",
                        "5.1",
                        "of a source of another thread",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requireAccess(MemorySegment memory) {
                                if (memory.isAccessibleBy(Thread.currentThread())) {
                                    super.requireAccess(memory);
                                }
                            }

                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                if (source.isAccessibleBy(Thread.currentThread())) {
                                    super.writeElements(id, dtype, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a destination that is refused was cleared before",
                        "2.1",
                        "floats of value",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            public long readBatch(Batch batch) {
                                for (Batch.Region region : batch.regions()) {
                                    MemorySegment memory = region.memory();
                                    if (memory.byteSize() < 9 && !memory.isReadOnly() && !memory.isNative()) {
                                        memory.fill((byte) 0);
                                    }
                                }
                                return super.readBatch(batch);
                            }
                        }));
    }
}
