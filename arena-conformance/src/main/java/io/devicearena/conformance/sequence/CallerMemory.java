package io.devicearena.conformance.sequence;

import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

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
        BYTES("byte", 1, count -> MemorySegment.ofArray(new byte[count])),
        /** An array of chars. */
        CHARS("char", 2, count -> MemorySegment.ofArray(new char[count])),
        /** An array of shorts. */
        SHORTS("short", 2, count -> MemorySegment.ofArray(new short[count])),
        /** An array of ints. */
        INTS("int", 4, count -> MemorySegment.ofArray(new int[count])),
        /** An array of floats. */
        FLOATS("float", 4, count -> MemorySegment.ofArray(new float[count])),
        /** An array of longs. */
        LONGS("long", 8, count -> MemorySegment.ofArray(new long[count])),
        /** An array of doubles. */
        DOUBLES("double", 8, count -> MemorySegment.ofArray(new double[count])),
        /** Memory of the system. */
        NATIVE,
        /** A mapped file. */
        FILE,
        /** Host memory of this arena or another; where none is free, memory of the system. */
        HOST,
        /** Memory of the system in which the regions of a batch lie side by side; with an odd shift, backwards. */
        PACKED;

        final String element;
        final int unit;

        @SuppressWarnings("ImmutableEnumChecker") // it makes an array, and has no state
        final @Nullable IntFunction<MemorySegment> array;

        Kind() {
            this("", 1, null);
        }

        Kind(String element, int unit, @Nullable IntFunction<MemorySegment> array) {
            this.element = element;
            this.unit = unit;
            this.array = array;
        }
    }

    /** An array of bytes. */
    static final CallerMemory PLAIN = new CallerMemory(Kind.BYTES, 0, false);

    /** The same for a destination. */
    CallerMemory writable() {
        return new CallerMemory(kind, shift, false);
    }
}
