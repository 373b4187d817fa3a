package io.devicearena.conformance.data;

import io.devicearena.DeviceArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import org.opentest4j.AssertionFailedError;

/**
 * An arena for long data, with a copy of the bytes that it must hold.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class LongArena implements AutoCloseable {
    /** Bytes on each side of a range that are checked with it. */
    private static final int BESIDE = 64;

    /** Data begins at another word each time, within so many. */
    private static final int BEGINNINGS = 8192;

    /** Bytes of one read of a check: the long reads have clauses of their own. */
    private static final int PIECE = 1 << 20;

    private static final byte UNTOUCHED = 0x3C;

    /** Bytes shown of a difference. */
    private static final int SHOWN = 8;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final DeviceArena arena;
    private final MemorySegment model;
    private final MemorySegment piece = MemorySegment.ofArray(new byte[PIECE]);
    private final MemorySegment words;
    private int places;
    private int beginnings;
    private int reads;

    /**
     * A way of the bytes into the arena, or out of it.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public interface Way {
        /**
         * Moves bytes.
         *
         * @param offset where in the arena
         * @param memory the source or the destination
         */
        void move(long offset, MemorySegment memory);
    }

    /**
     * Takes a new arena, all bytes of which are 0.
     *
     * @param arena the arena, closed with this
     */
    public LongArena(DeviceArena arena) {
        this.arena = arena;
        int size = Math.toIntExact(arena.sizeBytes());
        this.model = MemorySegment.ofArray(new byte[size]);
        this.words = LongData.words(size + (long) BEGINNINGS * Integer.BYTES);
    }

    /** {@return the arena} */
    public DeviceArena arena() {
        return arena;
    }

    /** {@return the size of the arena in bytes} */
    public long size() {
        return model.byteSize();
    }

    /**
     * Chooses where a range begins: by turns anywhere, at the end, and at the start of the arena.
     *
     * @param length bytes of the range
     * @return an offset in bytes
     */
    public long place(long length) {
        long last = size() - length;
        places++;
        return switch (places % 3) {
            case 0 -> 0;
            case 1 -> last;
            default -> places * 4099L % (last + 1);
        };
    }

    /**
     * Returns data that begins at another word each time.
     *
     * @param length bytes
     * @return the data, not to be changed
     */
    public MemorySegment words(long length) {
        beginnings += 37;
        return words.asSlice((long) beginnings % BEGINNINGS * Integer.BYTES, length);
    }

    /** Fills the arena with words. */
    public void fill() {
        write(0, words(size()));
    }

    /**
     * Writes ranges of different lengths anywhere, changes the source after each, and checks the arena.
     *
     * @param what the way, for messages
     * @param source memory of the caller
     * @param lengths in bytes
     * @param way writes one range
     */
    public void writes(String what, LongSource source, long[] lengths, Way way) {
        for (long length : lengths) {
            write(what, source, place(length), length, way);
        }
    }

    /**
     * Writes a range, changes the source, and checks the arena.
     *
     * @param what the way, for messages
     * @param source memory of the caller
     * @param offset bytes from the start of the arena
     * @param length bytes
     * @param way writes the range
     */
    public void write(String what, LongSource source, long offset, long length, Way way) {
        MemorySegment bytes = words(length);
        way.move(offset, source.hold(bytes));
        source.change();
        expect(offset, bytes);
        check(what + " from " + source + ", " + length + " bytes", offset, length);
    }

    /**
     * Reads ranges of different lengths from anywhere into a part of a destination.
     *
     * @param what the way, for messages
     * @param destination at least 16 bytes longer than the longest range
     * @param lengths in bytes
     * @param way reads one range
     */
    public void reads(String what, MemorySegment destination, long[] lengths, Way way) {
        for (long length : lengths) {
            read(what, destination, place(length), length, way);
        }
    }

    /**
     * Reads a range into a part of a destination, and checks the bytes beside the part.
     *
     * @param what the way, for messages
     * @param destination at least 16 bytes longer than the range
     * @param offset bytes from the start of the arena
     * @param length bytes
     * @param way reads the range
     */
    public void read(String what, MemorySegment destination, long offset, long length, Way way) {
        long from = reads++ % 2 == 0 ? Long.BYTES : 1;
        MemorySegment before = destination.asSlice(0, from);
        MemorySegment part = destination.asSlice(from, length);
        MemorySegment after = destination.asSlice(from + length, Long.BYTES - 1);
        before.fill(UNTOUCHED);
        after.fill(UNTOUCHED);
        way.move(offset, part);
        String range = what + ", " + length + " bytes";
        compare(range, offset, part);
        byte[] untouched = new byte[Long.BYTES];
        Arrays.fill(untouched, UNTOUCHED);
        MemorySegment expected = MemorySegment.ofArray(untouched);
        same(range + ", bytes before its destination", 0, expected.asSlice(0, before.byteSize()), before);
        same(range + ", bytes behind its destination", 0, expected.asSlice(0, after.byteSize()), after);
    }

    /**
     * Returns what the arena must hold.
     *
     * @param offset bytes from the start of the arena
     * @param length bytes
     * @return a part of the copy
     */
    public MemorySegment expected(long offset, long length) {
        return model.asSlice(offset, length);
    }

    /**
     * Writes to the copy.
     *
     * @param offset bytes from the start of the arena
     * @param bytes what the arena must hold from now on
     */
    public void expect(long offset, MemorySegment bytes) {
        MemorySegment.copy(bytes, 0, model, offset, bytes.byteSize());
    }

    /**
     * Writes to the arena and to the copy.
     *
     * @param offset bytes from the start of the arena
     * @param bytes the bytes
     */
    public void write(long offset, MemorySegment bytes) {
        arena.writeBytes(offset, bytes);
        expect(offset, bytes);
    }

    /**
     * Compares a range of the arena, some bytes beside it, and both ends of the arena with the copy.
     *
     * @param what how the range was written
     * @param offset bytes from the start of the arena
     * @param length bytes
     */
    public void check(String what, long offset, long length) {
        long to = Math.min(size(), offset + length + BESIDE);
        for (long from = Math.max(0, offset - BESIDE); from < to; from += PIECE) {
            checkPiece(what, from, Math.min(PIECE, to - from));
        }
        long end = Math.min(BESIDE, size());
        if (offset > BESIDE) {
            checkPiece(what + ", start of the arena", 0, end);
        }
        if (to < size()) {
            checkPiece(what + ", end of the arena", size() - end, end);
        }
    }

    private void checkPiece(String what, long offset, long length) {
        MemorySegment actual = piece.asSlice(0, length);
        arena.readBytes(offset, actual);
        compare(what, offset, actual);
    }

    /**
     * Compares the whole arena with the copy.
     *
     * @param what what was done before
     */
    public void check(String what) {
        check(what, 0, size());
    }

    /**
     * Compares what was read from an offset on with the copy.
     *
     * @param what how it was read
     * @param offset bytes from the start of the arena
     * @param actual what was read
     */
    public void compare(String what, long offset, MemorySegment actual) {
        same(what, offset, expected(offset, actual.byteSize()), actual);
    }

    /**
     * Compares bytes.
     *
     * @param what what they are
     * @param offset where they begin, for the message
     * @param expected the right bytes
     * @param actual as many bytes
     */
    public static void same(String what, long offset, MemorySegment expected, MemorySegment actual) {
        long at = expected.mismatch(actual);
        if (at >= 0) {
            throw new AssertionFailedError(what + ": expected " + shown(expected, at) + " at byte " + at + " of "
                    + expected.byteSize() + " from offset " + offset + " on, got " + shown(actual, at));
        }
    }

    private static String shown(MemorySegment bytes, long at) {
        long length = Math.clamp(bytes.byteSize() - at, 0, SHOWN);
        return length == 0
                ? "the end"
                : HEX.formatHex(
                        bytes.asSlice(Math.min(at, bytes.byteSize()), length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void close() {
        arena.close();
    }
}
