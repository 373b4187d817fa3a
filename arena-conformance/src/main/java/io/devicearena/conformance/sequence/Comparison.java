package io.devicearena.conformance.sequence;

import io.devicearena.conformance.oracle.Check;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.opentest4j.AssertionFailedError;

/** Compares what arenas hold and return with what they must; a difference is a failure, and a check in Java. */
final class Comparison {
    private static final int SHOWN = 8;

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
        boolean isShort = expected.byteSize() == 0 || at == actual.byteSize();
        return failed(
                Check.difference(what, offset, at, expected, actual),
                journal.of(actual)
                        + (isShort
                                ? ".byteSize() != " + (at + expected.byteSize())
                                : ".get(ValueLayout.JAVA_BYTE, " + at + "L) != (byte) "
                                        + expected.get(ValueLayout.JAVA_BYTE, 0)));
    }

    /** What a comparison throws; in Java, its condition. */
    AssertionFailedError failed(String message, String condition) {
        journal.fail(condition, message);
        return new AssertionFailedError(message);
    }
}
