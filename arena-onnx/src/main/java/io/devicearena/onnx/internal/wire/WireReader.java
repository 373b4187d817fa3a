package io.devicearena.onnx.internal.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.devicearena.weights.reader.MappedFile;

/** Reads the fields of a protobuf message from a mapped file, and checks every length. */
final class WireReader {
    static final int VARINT = 0;
    static final int FIXED64 = 1;
    static final int DELIMITED = 2;
    static final int FIXED32 = 5;

    private static final int LONGEST_VARINT = 10;

    private final MappedFile file;
    private final long end;
    private long position;
    private int field;
    private int wireType;
    private long start;
    private long length;

    WireReader(MappedFile file, long begin, long end) {
        this.file = file;
        this.position = begin;
        this.end = end;
    }

    /** Moves to the next field; false at the end of the message. */
    boolean next() {
        if (position == end) {
            return false;
        }
        start = position;
        long tag = varint();
        field = (int) (tag >>> 3);
        wireType = (int) (tag & 7);
        if (tag >>> 32 != 0 || field == 0) {
            throw file.fault(start, "expected a field of the ONNX format, got " + Long.toUnsignedString(tag));
        }
        switch (wireType) {
            case VARINT -> {
                long begin = position;
                varint();
                length = position - begin;
            }
            case FIXED64 -> skip(Long.BYTES);
            case FIXED32 -> skip(Integer.BYTES);
            case DELIMITED -> skip(varint());
            default ->
                throw file.fault(
                        start,
                        "field " + field + ": expected a number or a length, got neither (code " + wireType + ")");
        }
        return true;
    }

    private void skip(long bytes) {
        if (bytes < 0 || bytes > end - position) {
            throw file.fault(
                    start,
                    "field " + field + ": expected at most " + (end - position) + " bytes, which are left, got "
                            + Long.toUnsignedString(bytes)
                            + (end == file.size() ? "; the file is cut short or damaged" : ""));
        }
        length = bytes;
        position += bytes;
    }

    private long varint() {
        long value = 0;
        for (int i = 0; i < LONGEST_VARINT; i++) {
            if (position == end) {
                throw file.fault(
                        start,
                        "expected a number, got its end"
                                + (end == file.size() ? "; the file is cut short or damaged" : ""));
            }
            byte part = file.bytes().get(JAVA_BYTE, position++);
            value |= (long) (part & 0x7F) << (7 * i);
            if (part >= 0) {
                return value;
            }
        }
        throw file.fault(start, "expected a number of at most " + LONGEST_VARINT + " bytes, got more");
    }

    /** Whether the content is numbers of a wire type; {@code all} checks each, else only where the last one ends. */
    boolean isListOf(int numbers, boolean all) {
        if (numbers == FIXED32 || numbers == FIXED64) {
            return length % (numbers == FIXED32 ? Integer.BYTES : Long.BYTES) == 0;
        }
        int bytes = 0;
        for (long i = all ? contentBegin() : Math.max(contentBegin(), position - 1); i < position; i++) {
            bytes++;
            if (bytes > LONGEST_VARINT) {
                return false;
            }
            bytes = file.bytes().get(JAVA_BYTE, i) < 0 ? bytes : 0;
        }
        return bytes == 0;
    }

    int field() {
        return field;
    }

    int wireType() {
        return wireType;
    }

    /** Where the field begins, with its tag. */
    long start() {
        return start;
    }

    /** Where the bytes of the field begin. */
    long contentBegin() {
        return position - length;
    }

    /** Where the field ends. */
    long contentEnd() {
        return position;
    }

    /** How long the content is. */
    long length() {
        return length;
    }
}
