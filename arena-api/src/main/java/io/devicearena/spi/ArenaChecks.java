package io.devicearena.spi;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.cast.TypedCasts;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Checks of the arguments of an arena's calls; {@link CallerMemory} has those of the memory. Each throws before
 * anything has changed. Threads: safe for any thread.
 */
final class ArenaChecks {
    private ArenaChecks() {}

    static void requireHostFloat(DType dtype) {
        Objects.requireNonNull(dtype, "dtype");
        if (!dtype.isHostFloat()) {
            throw new IllegalArgumentException("dtype: expected f32, f16 or bf16, got " + dtype.label()
                    + "; move other types as elements of a batch, or with writeValueBytes and readValueBytes");
        }
    }

    static void requireFloats(String name, MemorySegment floats) {
        Objects.requireNonNull(floats, name);
        if (floats.byteSize() % Float.BYTES != 0) {
            throw new IllegalArgumentException(
                    name + ": expected a multiple of 4 bytes, got " + floats.byteSize() + "; pass whole f32 elements");
        }
    }

    static void requireNotNegative(long elements) {
        if (elements < 0) {
            throw new IllegalArgumentException(
                    "elements: expected 0 or more, got " + elements + "; lengthBytes is the length of a value");
        }
    }

    /** The length of a new array for elements to be read. */
    static int arrayLength(long elements) {
        if (elements > TypedCasts.MAX_ARRAY_ELEMENTS) {
            throw new IllegalArgumentException("elements: expected at most " + TypedCasts.MAX_ARRAY_ELEMENTS
                    + ", what an array holds, got " + elements + "; read into a MemorySegment");
        }
        return (int) elements;
    }

    static void requireRange(long offset, long length, long arenaBytes) {
        if (offset < 0 || length > arenaBytes || offset > arenaBytes - length) {
            throw new IllegalArgumentException("range: expected one within the arena of " + arenaBytes
                    + " bytes, got offset " + offset + " and length " + length
                    + "; sizeBytes is the size of plan and scratch together");
        }
    }

    static void requireLength(long length) {
        if (length < 0) {
            throw new IllegalArgumentException("length: expected 0 or more bytes, got " + length);
        }
    }

    /** The part lies within the value. */
    static void requirePart(SlotTable slots, NodeId id, long firstByte, long length, long valueBytes) {
        if (firstByte < 0 || length > valueBytes || firstByte > valueBytes - length) {
            throw new IllegalArgumentException(
                    slots.describe(id) + ": expected a part within its " + valueBytes + " bytes, got " + length
                            + " bytes from byte " + firstByte + "; plan the value with more elements");
        }
    }
}
