package com.example.mlp.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.IntStream;

/**
 * The words of an arena on the host, a chunk at a time: each word is a hash of its index, so a chunk in the wrong place
 * is noticed. Words whose indexes are less than 2³² apart, 16 GiB, differ. Chunks are made and compared by all
 * processors.
 */
final class HostWords implements AutoCloseable {
    private static final int MAX_CHUNK = 256 << 20;
    private static final int SLICE_WORDS = 1 << 18;

    private final Arena memory = Arena.ofShared();
    private final MemorySegment buffer;

    HostWords(long mostBytes) {
        buffer = memory.allocate(Math.min(mostBytes, MAX_CHUNK), 64);
    }

    /** Bytes of the largest chunk. */
    long chunkBytes() {
        return buffer.byteSize();
    }

    /** Memory for a chunk, used for all of them. */
    MemorySegment chunk(long bytes) {
        return buffer.asSlice(0, bytes);
    }

    /** The word of an index: a bijection of the lower 32 bits, another one for each value of the upper bits. */
    static int word(long index) {
        return mix((int) index ^ mix((int) (index >>> 32)));
    }

    private static int mix(int value) {
        int x = value;
        x = (x ^ x >>> 16) * 0x45d9f3b;
        x = (x ^ x >>> 16) * 0x45d9f3b;
        return x ^ x >>> 16;
    }

    /** Writes the words of a chunk; returns their sum modulo 2³². */
    int fill(MemorySegment chunk, long firstIndex) {
        int words = Math.toIntExact(chunk.byteSize() / Integer.BYTES);
        return slices(words)
                .map(slice -> {
                    int sum = 0;
                    int end = Math.min((slice + 1) * SLICE_WORDS, words);
                    for (int i = slice * SLICE_WORDS; i < end; i++) {
                        int word = word(firstIndex + i);
                        chunk.setAtIndex(ValueLayout.JAVA_INT, i, word);
                        sum += word;
                    }
                    return sum;
                })
                .sum();
    }

    /** Compares every word of a chunk; throws at a wrong one. */
    void verify(MemorySegment chunk, long firstIndex) {
        int words = Math.toIntExact(chunk.byteSize() / Integer.BYTES);
        slices(words).forEach(slice -> {
            int end = Math.min((slice + 1) * SLICE_WORDS, words);
            for (int i = slice * SLICE_WORDS; i < end; i++) {
                int got = chunk.getAtIndex(ValueLayout.JAVA_INT, i);
                if (got != word(firstIndex + i)) {
                    throw new IllegalStateException("arena: expected " + Integer.toHexString(word(firstIndex + i))
                            + " at byte " + (firstIndex + i) * Integer.BYTES + ", got " + Integer.toHexString(got));
                }
            }
        });
    }

    private static IntStream slices(int words) {
        return IntStream.range(0, (words - 1) / SLICE_WORDS + 1).parallel();
    }

    @Override
    public void close() {
        memory.close();
    }
}
