package io.devicearena.conformance;

import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.PlanValue;
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
                        "17.1 17.2 17.4 17.5 17.10 17.12 17.14 19.3",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                throw new UnsupportedOperationException("elements: call writeBytes");
                            }
                        }),
                Mutant.of(
                        "a NaN is quieted on its way",
                        "17.1 17.5 17.9",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void get(long offset, MemorySegment destination) {
                                super.get(offset, destination);
                                if (destination.byteSize() == 10
                                        && !destination.isNative()
                                        && p.slots().size() > 9) {
                                    if (destination.get(SHORT, 0) == 0x7C01) {
                                        destination.set(SHORT, 0, (short) 0x7E01);
                                    }
                                }
                            }
                        }),
                Mutant.of(
                        "elements of 8 bytes are written as two of 4, the halves swapped",
                        "17.1 17.5",
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
                        "17.1 17.12 18.9",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                super.writeElements(id, dtype, source.asSlice(0, Math.min(source.byteSize(), 1 << 16)));
                            }
                        }),
                Mutant.of(
                        "elements are padded to words",
                        "17.1 17.2 17.5 18.1",
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
                        "17.6 17.9 17.10",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long offsetOfPart(NodeId id, long firstByte, long length) {
                                super.offsetOfPart(id, firstByte, length);
                                return firstByte;
                            }
                        }),
                Mutant.of("a part ends at the actual length", "17.6", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                Mutant.of("a part begins at an even byte", "17.6", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    long offsetOfPart(NodeId id, long firstByte, long length) {
                        long offset = super.offsetOfPart(id, firstByte, length);
                        return length < 9 ? offset - firstByte % 2 : offset;
                    }
                }),
                Mutant.of(
                        "the progress of a part is that of its pieces",
                        "5.9 16.3",
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
                        "9.8 17.9",
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
                        "5.14 9.8 17.9",
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
                                                elements.memory().set(Batches.BYTE, end - 1, (byte) 0);
                                            }
                                        }
                                    }
                                };
                            }
                        }),
                Mutant.of(
                        "elements of heap memory at odd bytes begin before it",
                        "17.10",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                if (source.address() % 4 == 3 && source.byteSize() == 10) {
                                    writeRaw(require(id).offset(), source.asSlice(1));
                                } else {
                                    super.writeElements(id, dtype, source);
                                }
                            }
                        }),
                Mutant.of(
                        "a value ends where its first segment ends",
                        "17.12",
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
                        "17.13",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            private final Meeting meeting = new Meeting();

                            @Override
                            public void writeBytes(long offset, MemorySegment source) {
                                meeting.becomeSecond();
                                super.writeBytes(offset, source);
                                meeting.pass();
                            }

                            @Override
                            void writeElements(NodeId id, DType dtype, MemorySegment source) {
                                if (!meeting.becomesFirst()) {
                                    super.writeElements(id, dtype, source);
                                    return;
                                }
                                byte[] before = new byte[3];
                                get(require(id).offset() - 3, MemorySegment.ofArray(before));
                                meeting.awaitSecond();
                                super.writeElements(id, dtype, source);
                                put(require(id).offset() - 3, MemorySegment.ofArray(before));
                            }
                        }),
                Mutant.of("elements leave a mirror fresh", "17.14", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "17.2 18.3",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                super.requirePart(
                                        id, firstByte, length, require(id).size());
                            }
                        }),
                Mutant.of("more elements are cut to the value", "17.2", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    void requirePart(NodeId id, long firstByte, long length, long bytes) {
                        if (firstByte != 0 || bytes == require(id).size()) {
                            super.requirePart(id, firstByte, length, bytes);
                        }
                    }

                    @Override
                    void writeElements(NodeId id, DType dtype, MemorySegment source) {
                        long most = valueBytes(id, require(id));
                        super.writeElements(id, dtype, source.byteSize() > most ? source.asSlice(0, most) : source);
                    }
                }),
                Mutant.of(
                        "more elements overwrite the next value",
                        "17.2 17.5 17.7 18.3",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePart(NodeId id, long firstByte, long length, long bytes) {
                                requireRange(require(id).offset() + firstByte, length);
                            }
                        }),
                Mutant.of(
                        "messages leave the name of the value out",
                        "17.2 17.7",
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
                        "17.3 17.9",
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
                        "17.3 18.1",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            long capacity(NodeId id, BufferSlot slot, DType dtype) {
                                return slot.size() / dtype.bytes();
                            }
                        }),
                Mutant.of(
                        "elements are read past the actual length",
                        "9.8 17.3",
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
                        "9.8 17.3",
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
                Mutant.of("any type is accepted", "17.4 18.3", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    void requirePlanned(NodeId id, DType dtype) {}
                }),
                Mutant.of(
                        "types of the same size are accepted",
                        "17.4 18.3",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            void requirePlanned(NodeId id, DType dtype) {
                                PlanValue value = known(id);
                                if (value != null && value.dtype().bytes() != dtype.bytes()) {
                                    super.requirePlanned(id, dtype);
                                }
                            }
                        }),
                Mutant.of("batches do not check types", "17.4", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "17.4",
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
                Mutant.of("reinterpretation is ignored", "17.5", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                    @Override
                    @Nullable PlanValue known(NodeId id) {
                        return p.values().get(id);
                    }
                }),
                Mutant.of(
                        "reinterpretation allows types of the same size alone",
                        "17.5",
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
                        "5.7 5.8 5.13 17.7 21.11",
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
                        "a part may reach into the next value", "17.7", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
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
                        "17.11",
                        (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
                            @Override
                            BufferSlot require(NodeId id) {
                                return id.equals(ValuePlan.FUSED) && reading
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
                        "17.11",
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
                        "8.1 17.4 17.11",
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
