package io.devicearena.kernels.step;

import io.devicearena.NodeId;
import io.devicearena.kernels.HostValues;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where a model is in its text, in host memory, U32 [4]: the position of the first row, the number of valid rows, the
 * token of the last choice, and the number of tokens that were chosen.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class Cursor {
    /** The bytes of a cursor. */
    public static final long BYTES = 4 * Integer.BYTES;

    private final MemorySegment words;

    private Cursor(MemorySegment words) {
        this.words = words;
    }

    /**
     * Returns the cursor in a value.
     *
     * @param host the values
     * @param id the cursor
     * @return a view of its bytes
     * @throws IllegalArgumentException if the value has no slot, or one that is too small
     */
    public static Cursor of(HostValues host, NodeId id) {
        return new Cursor(HostFloats.bytes(host, id, BYTES));
    }

    /**
     * Returns the number of valid rows, and checks it.
     *
     * @param host the values
     * @param id the cursor, or null: all rows are valid
     * @param rows the rows that there are
     * @return 1 to {@code rows}
     * @throws IllegalArgumentException if the cursor has another number of rows
     */
    public static int requireRows(HostValues host, @Nullable NodeId id, int rows) {
        int count = rows(host, id, rows);
        if (count < 1 || count > rows) {
            throw new IllegalArgumentException(
                    "cursor " + id + ": expected a count of 1 to " + rows + ", got " + count);
        }
        return count;
    }

    /**
     * Returns the number of valid rows, as kernels take it.
     *
     * @param host the values
     * @param id the cursor, or null: all rows are valid
     * @param rows the rows that there are
     * @return 0 to {@code rows}; {@code rows} if the cursor has more, or fewer than 0
     */
    public static int validRows(HostValues host, @Nullable NodeId id, int rows) {
        int count = rows(host, id, rows);
        return count < 0 ? rows : Math.min(count, rows);
    }

    private static int rows(HostValues host, @Nullable NodeId id, int rows) {
        return id == null ? rows : HostFloats.word(HostFloats.bytes(host, id, BYTES), 1);
    }

    /** {@return the position of the first row} */
    public int position() {
        return HostFloats.word(words, 0);
    }

    /** {@return the number of valid rows, as the cursor has it} */
    public int rows() {
        return HostFloats.word(words, 1);
    }

    /** {@return the token that was chosen last} */
    public int token() {
        return HostFloats.word(words, 2);
    }

    /** {@return the number of tokens that were chosen} */
    public int generated() {
        return HostFloats.word(words, 3);
    }

    /**
     * Moves the cursor behind the rows of a step, to the token that was chosen.
     *
     * @param token the token
     */
    public void advance(int token) {
        HostFloats.setWord(words, 0, position() + rows());
        HostFloats.setWord(words, 1, 1);
        HostFloats.setWord(words, 2, token);
        HostFloats.setWord(words, 3, generated() + 1);
    }
}
