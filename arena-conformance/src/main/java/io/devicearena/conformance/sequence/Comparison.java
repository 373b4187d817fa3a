package io.devicearena.conformance.sequence;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HexFormat;
import org.opentest4j.AssertionFailedError;

/** Compares what arenas hold and return with what they must; a difference is a failure, and a check in Java. */
final class Comparison {
    private static final int SHOWN = 8;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final Journal journal;

    Comparison(Journal journal) {
        this.journal = journal;
    }

    /** Compares a number; {@code %s} in its Java is what the last call returned. */
    void same(String what, String java, long expected, long actual) {
        if (expected != actual) {
            throw failed(what + ": expected " + expected + ", got " + actual, "(" + java + ") != " + expected + "L");
        }
    }

    /** Compares bytes of an arena that were read from an offset on. */
    void model(String what, Model model, long offset, MemorySegment actual) {
        long at = model.mismatch(offset, actual);
        if (at >= 0) {
            throw differ(what, offset, at, actual, model.read(offset + at, Math.min(SHOWN, actual.byteSize() - at)));
        }
    }

    void bytes(String what, long offset, MemorySegment actual, MemorySegment expected) {
        long at = expected.mismatch(actual);
        if (at >= 0) {
            throw differ(what, offset, at, actual, expected.asSlice(Math.min(at, expected.byteSize())));
        }
    }

    private AssertionFailedError differ(
            String what, long offset, long at, MemorySegment actual, MemorySegment expected) {
        String message = what + ": expected " + shown(expected) + " at offset " + (offset + at) + ", byte " + at
                + " of " + actual.byteSize() + ", got " + shown(actual.asSlice(Math.min(at, actual.byteSize())));
        boolean isShort = expected.byteSize() == 0 || at == actual.byteSize();
        return failed(
                message,
                journal.of(actual)
                        + (isShort
                                ? ".byteSize() != " + (at + expected.byteSize())
                                : ".get(ValueLayout.JAVA_BYTE, " + at + "L) != (byte) "
                                        + expected.get(ValueLayout.JAVA_BYTE, 0)));
    }

    private static String shown(MemorySegment bytes) {
        return bytes.byteSize() == 0
                ? "the end"
                : HEX.formatHex(
                        bytes.asSlice(0, Math.min(SHOWN, bytes.byteSize())).toArray(ValueLayout.JAVA_BYTE));
    }

    /** What a comparison throws; in Java, its condition. */
    AssertionFailedError failed(String message, String condition) {
        journal.fail(condition, message);
        return new AssertionFailedError(message);
    }
}
