package io.devicearena.conformance.sequence;

import io.devicearena.DType;

/**
 * A range of an arena, or a part of a value, and memory of the caller for it.
 *
 * @param type how it is named
 * @param value which value, where it is named by one
 * @param dtype the type, where the plan knows none
 * @param place where it begins: in the arena, or from the start of the value
 * @param length bytes in the arena
 * @param memory the caller's
 * @param content what a source holds
 */
record Region(Type type, int value, DType dtype, Place place, long length, CallerMemory memory, Content content) {
    /** How a region is named. */
    enum Type {
        /** A range of the arena. */
        BYTES,
        /** Bytes of a value, from any on. */
        PART,
        /** Elements of a value, from its start on. */
        ELEMENTS,
        /** Host floats for a value, from its start on. */
        FLOATS;

        boolean isTyped() {
            return this == ELEMENTS || this == FLOATS;
        }
    }

    /** The same as an arena can name it: without values as a range, and floats of other types as elements. */
    Region in(Held held) {
        if (held.layout.count() == 0) {
            return new Region(Type.BYTES, 0, dtype, place, length, memory, content);
        }
        int number = value % held.layout.count();
        DType known = held.layout.value(number).dtype();
        DType there = known == null ? dtype : known;
        Type named = type == Type.FLOATS && !there.isHostFloat() ? Type.ELEMENTS : type;
        return new Region(named, number, there, place, length, memory, content);
    }

    /** A range of the arena and an array. */
    static Region bytes(Place place, long length, int from) {
        return new Region(
                Type.BYTES, 0, DType.F32, place, length, CallerMemory.PLAIN, new Content(Content.Kind.BYTES, from));
    }

    Region with(CallerMemory other) {
        return new Region(type, value, dtype, place, length, other, content);
    }

    Region with(Content other) {
        return new Region(type, value, dtype, place, length, memory, other);
    }
}
