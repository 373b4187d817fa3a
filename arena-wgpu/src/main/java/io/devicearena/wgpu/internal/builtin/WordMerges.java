package io.devicearena.wgpu.internal.builtin;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * Bytes of words that wait for one dispatch of {@link WordScatter}. A word has one entry, in which later bytes replace
 * earlier ones, so the dispatch may write all words at once.
 *
 * <p>Threads: one thread at a time.
 */
public final class WordMerges {
    /** The most words of one dispatch: their entries fill one write of the queue to an eighth. */
    static final int MAX_WORDS = 4096;

    /** The word, a mask of the bytes to write, their bits, and nothing. */
    private static final int ENTRY_BYTES = 4 * Integer.BYTES;

    /** The size of the list on the device. */
    static final long MAX_BYTES = (long) MAX_WORDS * ENTRY_BYTES;

    private static final long WORD = Integer.BYTES;
    private static final int TABLE_BITS = 13;
    private static final int FIBONACCI = 0x9E37_79B9;

    private final MemorySegment entries;
    /** Finds the entry of a word: 1 more than its index, in a hash table that is at most half full. */
    private final int[] table = new int[1 << TABLE_BITS];

    private long start;
    private int count;

    /** Allocates the list in native memory. */
    public WordMerges(Arena memory) {
        entries = memory.allocate(MAX_BYTES, Long.BYTES);
    }

    /** Removes all entries. */
    public void clear() {
        if (count > 0) {
            Arrays.fill(table, 0);
            count = 0;
        }
    }

    /** Whether there are no entries. */
    public boolean isEmpty() {
        return count == 0;
    }

    /** Where the window of all entries begins. */
    public long start() {
        return start;
    }

    /**
     * Adds bytes of a word.
     *
     * @param window where the window begins that holds the word
     * @param offset where the word begins
     * @param mask the bits to write, of a little-endian word
     * @param bits their new values
     * @return false if the entries must be dispatched before: they are of another window, or too many
     */
    public boolean add(long window, long offset, int mask, int bits) {
        if (count > 0 && (window != start || count == MAX_WORDS)) {
            return false;
        }
        start = window;
        int word = (int) ((offset - window) / WORD);
        int place = place(word);
        if (table[place] == 0) {
            table[place] = ++count;
            set(count - 1, word, mask, bits & mask);
        } else {
            long at = (table[place] - 1L) * ENTRY_BYTES;
            int before = entries.get(ValueLayout.JAVA_INT, at + 4);
            int kept = entries.get(ValueLayout.JAVA_INT, at + 8) & ~mask;
            set(table[place] - 1, word, before | mask, kept | (bits & mask));
        }
        return true;
    }

    /** Forgets the bytes of whole words, which a later write covers. */
    public void drop(long offset, long bytes) {
        long first = Math.max(0, (offset - start) / WORD);
        long end = Math.min(Integer.MAX_VALUE, (offset + bytes - start) / WORD);
        if (end - first < count) {
            for (long word = first; word < end; word++) {
                int index = table[place((int) word)] - 1;
                if (index >= 0) {
                    set(index, (int) word, 0, 0);
                }
            }
        } else {
            for (int i = 0; i < count; i++) {
                int word = word(i);
                if (word >= first && word < end) {
                    set(i, word, 0, 0);
                }
            }
        }
    }

    private int place(int word) {
        int place = (word * FIBONACCI) >>> (32 - TABLE_BITS);
        while (table[place] != 0 && word(table[place] - 1) != word) {
            place = (place + 1) & (table.length - 1);
        }
        return place;
    }

    private int word(int index) {
        return entries.get(ValueLayout.JAVA_INT, (long) index * ENTRY_BYTES);
    }

    private void set(int index, int word, int mask, int bits) {
        long at = (long) index * ENTRY_BYTES;
        entries.set(ValueLayout.JAVA_INT, at, word);
        entries.set(ValueLayout.JAVA_INT, at + 4, mask);
        entries.set(ValueLayout.JAVA_INT, at + 8, bits);
    }

    /** Fills the last workgroup with entries that write nothing; returns the number of workgroups. */
    int pad() {
        for (int i = count; i < workgroups() * WordScatter.WORKGROUP; i++) {
            set(i, 0, 0, 0);
        }
        return workgroups();
    }

    private int workgroups() {
        return (count + WordScatter.WORKGROUP - 1) / WordScatter.WORKGROUP;
    }

    /** The address of the list. */
    public long address() {
        return entries.address();
    }

    /** The bytes of the list, for whole workgroups. */
    public long bytes() {
        return (long) workgroups() * WordScatter.WORKGROUP * ENTRY_BYTES;
    }
}
