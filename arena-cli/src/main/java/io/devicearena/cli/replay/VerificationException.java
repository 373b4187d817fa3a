package io.devicearena.cli.replay;

import io.devicearena.NodeId;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;

/**
 * A byte that was read from an arena differs from what was written.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class VerificationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    VerificationException(NodeId id, long slotOffset, long place, MemorySegment expected, MemorySegment got, long at) {
        super(String.format(
                Locale.ROOT,
                "%s: expected byte %d of its slot at offset %d to be 0x%02x, got 0x%02x",
                id,
                place,
                slotOffset,
                expected.get(ValueLayout.JAVA_BYTE, at),
                got.get(ValueLayout.JAVA_BYTE, at)));
    }
}
