package io.devicearena.weights.internal.gguf;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.devicearena.weights.reader.MappedFile;
import io.devicearena.weights.reader.TensorSizes;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Reads a file from front to back, and never past its end.
 *
 * <p>A file is most often opened once, by a JVM that has just begun. So bytes come through an array: reading it costs
 * little before it is compiled, while the first access to mapped memory sets up method handles for 50 ms. For the same
 * reason messages are put together only where something is wrong.
 */
final class GgufCursor {
    /** The longest text outside of arrays: templates of chats have some ten thousand bytes. */
    private static final long LONGEST_TEXT = 16 << 20;
    /** Heap for each text, beside its bytes and its characters, which take three bytes for each in the file. */
    private static final int TEXT_COST = 150;

    private static final int WINDOW_BYTES = 1 << 16;
    /** Texts that are skipped by one call: a method is compiled after some hundred calls. */
    private static final int SKIPPED_AT_ONCE = 32;

    private static final int BYTE_MASK = 0xff;

    private final MappedFile file;
    private final byte[] window;
    private final ByteBuffer numbers;
    private long budget = Runtime.getRuntime().maxMemory() / 4;
    private long windowBegin;
    private int windowEnd;
    private int at;

    GgufCursor(MappedFile file, long position) {
        this.file = file;
        this.windowBegin = position;
        this.window = new byte[(int) Math.min(WINDOW_BYTES, Math.max(0, file.size() - position))];
        this.numbers = ByteBuffer.wrap(window).order(LITTLE_ENDIAN);
    }

    MappedFile file() {
        return file;
    }

    long position() {
        return windowBegin + at;
    }

    long remaining() {
        return file.size() - position();
    }

    /** Steps over bytes. */
    void skip(long count, String subject) {
        if (count < 0 || count > remaining()) {
            throw ended(count, subject);
        }
        if (count <= windowEnd - at) {
            at += (int) count;
        } else {
            windowBegin = position() + count;
            windowEnd = 0;
            at = 0;
        }
    }

    private RuntimeException ended(long count, String subject) {
        return file.fault(
                position(),
                subject + ": expected " + Long.toUnsignedString(count) + " bytes, got the end of the file after "
                        + remaining());
    }

    /** Steps over the bytes of a number, and returns where they are in the window. */
    private int take(int bytes, String subject) {
        if (bytes > windowEnd - at) {
            if (bytes > remaining()) {
                throw ended(bytes, subject);
            }
            windowBegin += at;
            windowEnd = (int) Math.min(window.length, file.size() - windowBegin);
            at = 0;
            file.read(windowBegin, ByteBuffer.wrap(window, 0, windowEnd));
        }
        at += bytes;
        return at - bytes;
    }

    long u32(String subject) {
        return Integer.toUnsignedLong(numbers.getInt(take(Integer.BYTES, subject)));
    }

    long u64(String subject) {
        return numbers.getLong(take(Long.BYTES, subject));
    }

    /** Reads a count or a length, of {@code what} of the subject: 0 to {@code most}. */
    long count(String what, String subject, long most) {
        long begin = position();
        long count = u64(subject);
        if (count < 0 || count > most) {
            throw file.fault(
                    begin,
                    what + " " + subject + ": expected at most " + most + ", got " + Long.toUnsignedString(count));
        }
        return count;
    }

    /** Reads a name: a text without characters that a terminal obeys. */
    String name(String subject) {
        long begin = position();
        byte[] utf8 = textBytes(subject, TensorSizes.LONGEST_NAME);
        if (isPlain(utf8)) {
            return new String(utf8, StandardCharsets.ISO_8859_1);
        }
        String name = decode(utf8);
        if (!TensorSizes.isPrintable(name)) {
            throw file.fault(
                    begin, subject + ": expected no control characters, got '" + TensorSizes.escaped(name) + "'");
        }
        return name;
    }

    private static boolean isPlain(byte[] utf8) {
        for (byte unit : utf8) {
            if (unit < ' ' || unit > '~') {
                return false;
            }
        }
        return true;
    }

    /** Reads the bytes of a text that is a value. */
    byte[] text(String subject) {
        return textBytes(subject, LONGEST_TEXT);
    }

    private byte[] textBytes(String subject, long longest) {
        long begin = position();
        long length = count("length of", subject, Math.min(longest, Math.max(0, remaining() - Long.BYTES)));
        pay(begin, TEXT_COST + 3 * length);
        return bytes((int) length, subject);
    }

    /** Reads bytes, of which there are as many. */
    byte[] bytes(int length, String subject) {
        byte[] bytes = new byte[length];
        int buffered = Math.min(length, windowEnd - at);
        System.arraycopy(window, at, bytes, 0, buffered);
        if (buffered < length) {
            file.read(position() + buffered, ByteBuffer.wrap(bytes, buffered, length - buffered));
        }
        skip(length, subject);
        return bytes;
    }

    /**
     * Decodes a text. Files have texts that are no UTF-8, such as tokens that end within a character: other bytes
     * become U+FFFD.
     */
    static String decode(byte[] utf8) {
        return new String(utf8, isPlain(utf8) ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    }

    /** Takes heap from what a file may use: a file of texts alone could need more than there is. */
    void pay(long offset, long bytes) {
        budget -= bytes;
        if (budget < 0) {
            throw file.fault(
                    offset, "expected names and texts that fit a quarter of the heap, got more; try a larger -Xmx");
        }
    }

    /** Steps over a text without reading it. */
    void skipText(String subject) {
        skip(u64(subject), subject);
    }

    /** Steps over texts. A vocabulary has hundreds of thousands of them. */
    void skipTexts(long count, String subject) {
        long left = count;
        while (left > 0) {
            int skipped = skipShortTexts((int) Math.min(left, SKIPPED_AT_ONCE));
            left -= skipped;
            if (skipped == 0) {
                skipText(subject);
                left--;
            }
        }
    }

    /** Steps over texts of less than 256 bytes, as far as the window has them whole; returns how many. */
    private int skipShortTexts(int most) {
        byte[] bytes = window;
        int begin = at;
        for (int skipped = 0; skipped < most; skipped++) {
            if (Long.BYTES > windowEnd - begin) {
                at = begin;
                return skipped;
            }
            int length = bytes[begin] & BYTE_MASK;
            boolean isShort = (bytes[begin + 1]
                            | bytes[begin + 2]
                            | bytes[begin + 3]
                            | bytes[begin + 4]
                            | bytes[begin + 5]
                            | bytes[begin + 6]
                            | bytes[begin + 7])
                    == 0;
            if (!isShort || length > windowEnd - begin - Long.BYTES) {
                at = begin;
                return skipped;
            }
            begin += Long.BYTES + length;
        }
        at = begin;
        return most;
    }

    /** Reads a value that is neither a text nor an array. */
    Object scalar(GgufType type, String subject) {
        return switch (type) {
            case FLOAT32, FLOAT64 -> real(type, subject);
            case BOOL -> integer(type, subject) != 0;
            case UINT64 -> new BigInteger(Long.toUnsignedString(u64(subject)));
            default -> BigInteger.valueOf(integer(type, subject));
        };
    }

    long integer(GgufType type, String subject) {
        int place = take(type.bytes, subject);
        return switch (type) {
            case UINT8, BOOL -> Byte.toUnsignedLong(numbers.get(place));
            case INT8 -> numbers.get(place);
            case UINT16 -> Short.toUnsignedLong(numbers.getShort(place));
            case INT16 -> numbers.getShort(place);
            case UINT32 -> Integer.toUnsignedLong(numbers.getInt(place));
            case INT32 -> numbers.getInt(place);
            case UINT64, INT64 -> numbers.getLong(place);
            case FLOAT32, FLOAT64, STRING, ARRAY -> throw new IllegalArgumentException(type + " is no integer");
        };
    }

    double real(GgufType type, String subject) {
        return switch (type) {
            case FLOAT32 -> numbers.getFloat(take(type.bytes, subject));
            case FLOAT64 -> numbers.getDouble(take(type.bytes, subject));
            default -> integer(type, subject);
        };
    }
}
