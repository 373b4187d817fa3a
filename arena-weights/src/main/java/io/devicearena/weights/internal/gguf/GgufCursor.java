package io.devicearena.weights.internal.gguf;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.devicearena.weights.file.MappedFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Reads a file from front to back, and never past its end. */
final class GgufCursor {
    static final ValueLayout.OfShort U16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(LITTLE_ENDIAN);
    static final ValueLayout.OfDouble F64 = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(LITTLE_ENDIAN);
    /** The longest text outside of arrays: templates of chats have some ten thousand bytes. */
    private static final long LONGEST_TEXT = 16 << 20;

    private static final int WINDOW_BYTES = 1 << 16;

    private final MappedFile file;
    private final MemorySegment bytes;
    private long position;

    GgufCursor(MappedFile file, long position) {
        this.file = file;
        this.bytes = file.bytes();
        this.position = position;
    }

    MappedFile file() {
        return file;
    }

    long position() {
        return position;
    }

    long remaining() {
        return bytes.byteSize() - position;
    }

    /** Steps over bytes and returns where they begin. */
    long skip(long count, String subject) {
        if (count < 0 || count > remaining()) {
            throw file.fault(
                    position,
                    subject + ": expected " + Long.toUnsignedString(count) + " bytes, got the end of the file after "
                            + remaining());
        }
        position += count;
        return position - count;
    }

    long u32(String subject) {
        return Integer.toUnsignedLong(bytes.get(U32, skip(Integer.BYTES, subject)));
    }

    /** Reads a count or a length: 0 to {@code most}. */
    long count(String subject, long most) {
        long at = skip(Long.BYTES, subject);
        long count = bytes.get(U64, at);
        if (count < 0 || count > most) {
            throw file.fault(at, subject + ": expected at most " + most + ", got " + Long.toUnsignedString(count));
        }
        return count;
    }

    long u64(String subject) {
        return bytes.get(U64, skip(Long.BYTES, subject));
    }

    String text(String subject) {
        return text(subject, LONGEST_TEXT);
    }

    String text(String subject, long longest) {
        long length = count("length of " + subject, Math.min(longest, Math.max(0, remaining() - Long.BYTES)));
        long at = skip(length, subject);
        return decode(file, at, length, subject);
    }

    /** Steps over a text without reading it. */
    void skipText(String subject) {
        skip(u64(subject), subject);
    }

    /**
     * Steps over texts. A vocabulary has hundreds of thousands of them, most often read once by a JVM that has just
     * begun, so their lengths are read from an array, which is fast before it is compiled.
     */
    void skipTexts(long count, String subject) {
        byte[] window = new byte[WINDOW_BYTES];
        long begin = 0;
        long end = 0;
        for (long i = 0; i < count; i++) {
            if (position + Long.BYTES > end) {
                begin = position;
                end = position + Math.min(WINDOW_BYTES, remaining());
                MemorySegment.copy(bytes, JAVA_BYTE, begin, window, 0, (int) (end - begin));
            }
            long length = position + Long.BYTES <= end ? u64(window, (int) (position - begin)) : -1;
            if (length >= 0 && length <= remaining() - Long.BYTES) {
                position += Long.BYTES + length;
            } else {
                skipText(subject); // throws, with the place
            }
        }
    }

    private static long u64(byte[] window, int at) {
        long value = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            value = (value << Byte.SIZE) | (window[at + i] & 0xff);
        }
        return value;
    }

    static String decode(MappedFile file, long at, long length, String subject) {
        byte[] utf8 = file.bytes().asSlice(at, length).toArray(JAVA_BYTE);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(utf8))
                    .toString();
        } catch (CharacterCodingException e) {
            throw file.fault(at, subject + ": expected UTF-8, got other bytes");
        }
    }

    /** Reads a value that is no array. */
    Object scalar(GgufType type, String subject) {
        if (type == GgufType.STRING) {
            return text(subject);
        }
        return scalar(bytes, type, skip(type.bytes, subject));
    }

    private static Object scalar(MemorySegment bytes, GgufType type, long at) {
        return switch (type) {
            case FLOAT32, FLOAT64 -> real(bytes, type, at);
            case BOOL -> bytes.get(JAVA_BYTE, at) != 0;
            case UINT64 -> new BigInteger(Long.toUnsignedString(bytes.get(U64, at)));
            default -> BigInteger.valueOf(integer(bytes, type, at));
        };
    }

    static long integer(MemorySegment bytes, GgufType type, long at) {
        return switch (type) {
            case UINT8, BOOL -> Byte.toUnsignedLong(bytes.get(JAVA_BYTE, at));
            case INT8 -> bytes.get(JAVA_BYTE, at);
            case UINT16 -> Short.toUnsignedLong(bytes.get(U16, at));
            case INT16 -> bytes.get(U16, at);
            case UINT32 -> Integer.toUnsignedLong(bytes.get(U32, at));
            case INT32 -> bytes.get(U32, at);
            case UINT64, INT64 -> bytes.get(U64, at);
            case FLOAT32, FLOAT64, STRING, ARRAY -> throw new IllegalArgumentException(type + " is no integer");
        };
    }

    static double real(MemorySegment bytes, GgufType type, long at) {
        return switch (type) {
            case FLOAT32 -> bytes.get(F32, at);
            case FLOAT64 -> bytes.get(F64, at);
            default -> integer(bytes, type, at);
        };
    }
}
