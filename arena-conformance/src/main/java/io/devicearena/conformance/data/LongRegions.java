package io.devicearena.conformance.data;

import java.util.List;

/**
 * Many ranges of an arena, each with a part of one long source or destination.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param name for messages
 * @param most how many ranges, where the arena has room for them
 * @param shortest bytes of the shortest range
 * @param longest bytes of the longest range
 * @param gap bytes between two ranges; negative where they overlap
 * @param isReversed whether the parts lie in the opposite order
 * @param kind where the parts are
 * @param isDeferred whether the ranges are written or read later
 */
public record LongRegions(
        String name,
        int most,
        int shortest,
        int longest,
        int gap,
        boolean isReversed,
        LongSource.Kind kind,
        boolean isDeferred) {
    private static final int MIB = 1 << 20;

    /** Where the first range begins. */
    private static final int FIRST = 4;

    /**
     * Takes the ranges, one by one.
     *
     * <p><b>Threads:</b> one thread at a time.
     */
    public interface Action {
        /**
         * Takes a range.
         *
         * @param offset where in the arena
         * @param part where in the source or destination
         * @param length bytes
         */
        void accept(long offset, long part, long length);
    }

    /**
     * Ranges that a device may merge, reorder, or have no room for.
     *
     * @return small and long ones, neighbours and others
     */
    public static List<LongRegions> every() {
        return List.of(
                new LongRegions("small neighbours", 1030, 1, 9, 0, false, LongSource.Kind.BYTES, false),
                new LongRegions(
                        "small neighbours from the end of a source",
                        270,
                        1,
                        20,
                        0,
                        true,
                        LongSource.Kind.NATIVE,
                        false),
                new LongRegions("words with gaps", 4200, 4, 4, 4, false, LongSource.Kind.NATIVE, true),
                new LongRegions(
                        "neighbouring words from the end of a source",
                        2100,
                        8,
                        8,
                        0,
                        true,
                        LongSource.Kind.NATIVE,
                        false),
                new LongRegions(
                        "middle regions with gaps of a byte",
                        300,
                        100,
                        9000,
                        1,
                        true,
                        LongSource.Kind.READ_ONLY_BYTES,
                        false),
                new LongRegions(
                        "neighbours of 64 KiB", 130, 1 << 16, 1 << 16, 0, false, LongSource.Kind.MAPPED_FILE, false),
                new LongRegions(
                        "neighbours of 64 KiB written later",
                        70,
                        1 << 16,
                        1 << 16,
                        0,
                        true,
                        LongSource.Kind.NATIVE,
                        true),
                new LongRegions(
                        "overlapping regions",
                        70,
                        60_000,
                        70_000,
                        -999,
                        false,
                        LongSource.Kind.READ_ONLY_NATIVE,
                        false),
                new LongRegions("neighbours of 1 MiB", 9, MIB - 1, MIB + 1, 0, false, LongSource.Kind.BYTES, true),
                new LongRegions(
                        "regions of 4 MiB", 4, 4 * MIB - 3, 4 * MIB + 5, 7, true, LongSource.Kind.NATIVE, false));
    }

    /**
     * Makes each range.
     *
     * @param room bytes of the source or destination, which the arena has twice
     * @param action what to do with it
     * @return where the last range ends in the arena
     */
    public long forEach(long room, Action action) {
        long offset = FIRST;
        long done = 0;
        for (int i = 0; i < most; i++) {
            long length = shortest + i * 7919L % (longest - shortest + 1);
            if (done + length > room || offset + length > 2 * room) {
                break;
            }
            action.accept(offset, isReversed ? room - done - length : done, length);
            done += length;
            offset += length + gap;
        }
        return offset - gap;
    }

    @Override
    public String toString() {
        return name;
    }
}
