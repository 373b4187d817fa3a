package io.devicearena.conformance.sequence;

import io.devicearena.conformance.oracle.SparseFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;
import java.util.function.BiFunction;

/**
 * Which memory of the caller a region has.
 *
 * @param kind where it is
 * @param shift bytes before it: at which address it begins
 * @param isReadOnly whether the arena gets a source that it can only read
 */
record CallerMemory(Kind kind, int shift, boolean isReadOnly) {
    /** Where memory is. */
    enum Kind {
        /** An array of bytes. */
        BYTES("byte", 1, (count, memory) -> MemorySegment.ofArray(new byte[count])),
        /** An array of chars. */
        CHARS("char", 2, (count, memory) -> MemorySegment.ofArray(new char[count])),
        /** An array of shorts. */
        SHORTS("short", 2, (count, memory) -> MemorySegment.ofArray(new short[count])),
        /** An array of ints. */
        INTS("int", 4, (count, memory) -> MemorySegment.ofArray(new int[count])),
        /** An array of floats. */
        FLOATS("float", 4, (count, memory) -> MemorySegment.ofArray(new float[count])),
        /** An array of longs. */
        LONGS("long", 8, (count, memory) -> MemorySegment.ofArray(new long[count])),
        /** An array of doubles. */
        DOUBLES("double", 8, (count, memory) -> MemorySegment.ofArray(new double[count])),
        /** Memory of the system. */
        NATIVE(1, Kind.OF_THE_SYSTEM, (count, memory) -> memory.allocate(count, 8)),
        /** A mapped file. */
        FILE(1, Kind.OF_A_FILE, SparseFile::map),
        /** Host memory of this arena or another; where none is free, memory of the system. */
        HOST(1, Kind.OF_THE_SYSTEM, NATIVE.maker),
        /** Memory of the system in which the regions of a batch lie side by side; with an odd shift, backwards. */
        PACKED(1, Kind.OF_THE_SYSTEM, NATIVE.maker);

        private static final String OF_THE_SYSTEM = "memory.allocate(%d, 8)";
        private static final String OF_A_FILE = "FileChannel.open(Files.createTempFile(\"arena\", \".bin\"),"
                + " StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)"
                + ".map(FileChannel.MapMode.READ_WRITE, 0, %d, memory)";

        private final int unit;
        private final String java;

        @SuppressWarnings("ImmutableEnumChecker") // it makes memory of so many units, and has no state
        private final BiFunction<Integer, Arena, MemorySegment> maker;

        Kind(String element, int unit, BiFunction<Integer, Arena, MemorySegment> maker) {
            this(unit, "MemorySegment.ofArray(new " + element + "[%d])", maker);
        }

        Kind(int unit, String java, BiFunction<Integer, Arena, MemorySegment> maker) {
            this.unit = unit;
            this.java = java;
            this.maker = maker;
        }

        MemorySegment make(long bytes, Arena memory) {
            return maker.apply(count(bytes), memory);
        }

        /** What makes it, in Java. */
        String java(long bytes) {
            return String.format(Locale.ROOT, java, count(bytes));
        }

        private int count(long bytes) {
            return Math.toIntExact((bytes + unit - 1) / unit);
        }
    }

    /** An array of bytes. */
    static final CallerMemory PLAIN = new CallerMemory(Kind.BYTES, 0, false);

    /** The same for a destination. */
    CallerMemory writable() {
        return new CallerMemory(kind, shift, false);
    }
}
