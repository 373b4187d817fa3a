package io.devicearena.conformance;

import static io.devicearena.conformance.LongDataMutants.dirty;
import static io.devicearena.conformance.LongDataMutants.getting;
import static io.devicearena.conformance.LongDataMutants.hosting;
import static io.devicearena.conformance.LongDataMutants.putting;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/** Faults with one kind of memory, at one length: sources, destinations, views, and memory that is not zeroed. */
final class CallerMemoryMutants {
    private static final int KIB = 1 << 10;
    private static final int MIB = 1 << 20;

    private CallerMemoryMutants() {}

    static List<Mutant> all() {
        return List.of(
                late("long[] sources are read again later", source -> isOver(source, long[].class)),
                late(
                        "short[] sources of more than a page are read again later",
                        source -> isOver(source, short[].class) && source.byteSize() > 4 * KIB),
                late(
                        "native sources of 200 to 4,000 bytes are read again later",
                        source -> source.isNative() && source.byteSize() > 200 && source.byteSize() < 4000),
                late(
                        "read-only arrays of 20 to 60 KiB are read again later",
                        source -> !source.isNative()
                                && source.isReadOnly()
                                && source.byteSize() > 20 * KIB
                                && source.byteSize() < 60 * KIB),
                cut("double[] destinations lose their last byte", 200, memory -> isOver(memory, double[].class)),
                cut("char[] destinations of a page lose their last byte", 4096, memory -> isOver(memory, char[].class)),
                cut(
                        "native destinations at odd addresses lose their last byte",
                        80 * KIB,
                        memory -> memory.isNative() && memory.address() % 2 == 1),
                open("views of 4 bytes or less stay open", 0, 4),
                open("views of 200 to 8,000 bytes stay open", 200, 8000),
                open("views of more than 64 KiB stay open", 64 * KIB, Long.MAX_VALUE),
                scratch("the last byte of 512 bytes of scratch is lost", 512),
                scratch("the last byte of 2,048 bytes of scratch is lost", 2048),
                scratch("the last byte of 3,056 bytes of scratch is lost", 3056),
                Mutant.of(
                        "the last bytes of an arena of 2 to 4 MiB are not zeroed",
                        "2.2",
                        "at the end",
                        dirty(memory -> {
                            if (memory.byteSize() > 2 * MIB && memory.byteSize() < 4 * MIB - MIB / 2) {
                                memory.asSlice(memory.byteSize() - 1).fill((byte) 0x5A);
                            }
                        })),
                unzeroed("a line of host memory is not zeroed", "2.2", 256, 300),
                unzeroed("the end of a page of host memory is not zeroed", "2.1", 4095, 4098),
                unzeroed("the end of host memory of 2 to 4 MiB is not zeroed", "2.2", 2 * MIB, 4 * MIB));
    }

    private static boolean isOver(MemorySegment memory, Class<?> array) {
        return memory.heapBase().filter(array::isInstance).isPresent();
    }

    private static Mutant late(String fault, Predicate<MemorySegment> which) {
        return putting(fault, "2.1", "expected", (arena, offset, source) -> {
            if (which.test(source)) {
                arena.putAgainLater(offset, source);
            } else {
                arena.usualPut(offset, source);
            }
        });
    }

    private static Mutant cut(String fault, long from, Predicate<MemorySegment> which) {
        return getting(fault, "2.1", "expected", (arena, offset, memory) -> {
            boolean faulty = memory.byteSize() > from && which.test(memory);
            arena.usualGet(offset, faulty ? memory.asSlice(0, memory.byteSize() - 1) : memory);
        });
    }

    /** Views of some lengths, on devices whose memory is not the host's. */
    private static Mutant open(String fault, long from, long to) {
        return Mutant.of(fault, "4.2", "native memory of a view of", (d, p, o, g) -> new ReferenceArena(d, p, o, g) {
            @Override
            @SuppressWarnings("resource") // what is wrong
            <R> R withCopy(long offset, long length, Function<MemorySegment, R> reader) {
                if (length < from || length > to || length == 0) {
                    return super.withCopy(offset, length, reader);
                }
                MemorySegment copy = Arena.ofShared().allocate(length);
                get(offset, copy);
                return reader.apply(copy.asReadOnly());
            }
        });
    }

    private static Mutant scratch(String fault, long bytes) {
        return putting(fault, "2.1", "expected", (arena, offset, source) -> {
            boolean last =
                    arena.geometry.scratchBytes() == bytes && offset + source.byteSize() == arena.geometry.sizeBytes();
            arena.usualPut(offset, source.asSlice(0, source.byteSize() - (last ? 1 : 0)));
        });
    }

    private static Mutant unzeroed(String fault, String clause, long from, long to) {
        return hosting(fault, clause, "bytes, new", (bytes, segment) -> {
            if (bytes >= from && bytes < to) {
                segment.asSlice(bytes - 1).fill((byte) 0x5A);
            }
        });
    }
}
