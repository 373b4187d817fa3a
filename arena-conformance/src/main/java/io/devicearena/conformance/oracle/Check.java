package io.devicearena.conformance.oracle;

import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** Assertions whose messages say where two values begin to differ, and how. */
public final class Check {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Bytes or elements shown on either side of a difference. */
    private static final int SHOWN = 8;

    /** Sizes of which an {@code int} keeps another one, and the largest. */
    public static final List<Long> HUGE =
            List.of(1L << 31, (1L << 31) + 8, (1L << 32) - 8, 1L << 32, (1L << 32) + 8, 1L << 62, Long.MAX_VALUE - 8);

    private Check() {}

    /** Every byte of an arena, read raw. */
    public static byte[] all(DeviceArena arena) {
        return bytes(arena, 0, Math.toIntExact(arena.sizeBytes()));
    }

    /** Some bytes of an arena, read raw. */
    public static byte[] bytes(DeviceArena arena, long offset, int length) {
        byte[] bytes = new byte[length];
        arena.readBytes(offset, MemorySegment.ofArray(bytes));
        return bytes;
    }

    /** Compares the bytes of an arena from an offset on with those expected. */
    public static void holds(String what, DeviceArena arena, long offset, byte[] expected) {
        same(what, offset, expected, bytes(arena, offset, expected.length));
    }

    /** Compares bytes at an offset of an arena or segment. */
    public static void same(String what, long offset, byte[] expected, byte[] actual) {
        int at = Arrays.mismatch(expected, actual);
        if (at >= 0) {
            MemorySegment rest = MemorySegment.ofArray(expected).asSlice(Math.min(at, expected.length));
            throw new AssertionFailedError(difference(what, offset, at, rest, MemorySegment.ofArray(actual)));
        }
    }

    /** Where bytes that were read from an offset on begin to differ from those expected there. */
    public static String difference(String what, long offset, long at, MemorySegment expected, MemorySegment actual) {
        return what + ": expected " + shown(expected) + " at offset " + (offset + at) + ", byte " + at + " of "
                + actual.byteSize() + ", got " + shown(actual.asSlice(Math.min(at, actual.byteSize())));
    }

    private static String shown(MemorySegment bytes) {
        MemorySegment first = bytes.asSlice(0, Math.min(SHOWN, bytes.byteSize()));
        return bytes.byteSize() == 0 ? "the end" : HEX.formatHex(first.toArray(ValueLayout.JAVA_BYTE));
    }

    /** Compares floats by their bits, so that the sign of a zero and the payload of a NaN count. */
    public static void same(String what, float[] expected, float[] actual) {
        int length = Math.min(expected.length, actual.length);
        for (int i = 0; i < length; i++) {
            if (Float.floatToRawIntBits(expected[i]) != Float.floatToRawIntBits(actual[i])) {
                String figures = ": expected " + shown(expected[i]) + ", got " + shown(actual[i]);
                throw new AssertionFailedError(what + ", element " + i + figures);
            }
        }
        if (expected.length != actual.length) {
            throw new AssertionFailedError(what + ": expected " + expected.length + " elements, got " + actual.length);
        }
    }

    private static String shown(float value) {
        return HEX.toHexDigits(Float.floatToRawIntBits(value)) + " (" + value + ")";
    }

    public static void same(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new AssertionFailedError(what + ": expected " + expected + ", got " + actual, expected, actual);
        }
    }

    /** Compares a number with the least and the most that it may be. */
    public static void within(String what, long least, long most, long actual) {
        isTrue(what + ": expected " + least + " to " + most + ", got " + actual, actual >= least && actual <= most);
    }

    public static void isTrue(String what, boolean condition) {
        if (!condition) {
            throw new AssertionFailedError(what);
        }
    }

    /** Makes a call that must throw an exception of some class whose message contains some texts, and returns it. */
    public static <T extends Throwable> T assertRefused(Class<T> how, String what, Executable call, Object... texts) {
        try {
            call.execute();
        } catch (VirtualMachineError | TestAbortedException e) {
            throw e;
        } catch (Throwable thrown) {
            if (how.isInstance(thrown)) {
                contains(what, thrown, texts);
                return how.cast(thrown);
            }
            throw new AssertionFailedError(what + ": expected " + how.getSimpleName() + ", got " + thrown, thrown);
        }
        throw new AssertionFailedError(what + ": expected " + how.getSimpleName() + ", got a call that was accepted");
    }

    /** The message of what was thrown contains some texts. */
    public static void contains(String what, Throwable thrown, Object... texts) {
        String message = String.valueOf(thrown.getMessage());
        for (Object text : texts) {
            isTrue(
                    what + ": expected a message with '" + text + "', got '" + message + "'",
                    message.contains(text.toString()));
        }
    }

    /** Makes a call on what is closed. */
    public static void assertClosed(String what, Executable call) {
        assertRefused(IllegalStateException.class, what, call);
    }

    /** Makes a call with a wrong argument, whose message must contain some texts. */
    public static void assertInvalid(String what, Executable call, Object... texts) {
        assertRefused(IllegalArgumentException.class, what, call, texts);
    }
}
