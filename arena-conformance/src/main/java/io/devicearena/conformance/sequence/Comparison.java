package io.devicearena.conformance.sequence;

import io.devicearena.conformance.oracle.Check;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.opentest4j.AssertionFailedError;

/** Compares what arenas hold and return with what they must; a difference is a failure, and a check in Java. */
final class Comparison {
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
        bytes(what, offset, actual, model.read(offset, actual.byteSize()));
    }

    void bytes(String what, long offset, MemorySegment actual, MemorySegment expected) {
        long at = expected.mismatch(actual);
        if (at >= 0) {
            boolean isShort = at == expected.byteSize() || at == actual.byteSize();
            String condition = isShort
                    ? ".byteSize() != " + expected.byteSize()
                    : ".get(ValueLayout.JAVA_BYTE, " + at + "L) != (byte) " + expected.get(ValueLayout.JAVA_BYTE, at);
            throw failed(
                    Check.difference(what, offset, at, expected.asSlice(at), actual), journal.of(actual) + condition);
        }
    }

    /** What a comparison throws; in Java, its condition. */
    AssertionFailedError failed(String message, String condition) {
        journal.fail(condition, message);
        return new AssertionFailedError(message);
    }
}
