package io.devicearena.conformance.sequence;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.SoftReference;
import java.util.SplittableRandom;

/**
 * What a source holds: a part of the same random bytes or floats, which begins at a number, or something else.
 *
 * @param kind what it is a part of
 * @param from where the part begins: which word
 */
record Content(Kind kind, int from) {
    /** What a source is a part of. */
    enum Kind {
        /** Random bytes. As floats, they have NaNs, subnormals and infinities. */
        BYTES,
        /** Floats that all types hold, rounded, mostly as normal numbers. */
        FLOATS,
        /** Zeros. */
        ZEROS,
        /** What the arena holds there. */
        SAME
    }

    /** The exponents of F16, as f32 bits. */
    private static final int FLOAT_MASK = 0x8FFF_FFFF;

    private static final int FLOAT_BIAS = 0x3800_0000;
    private static final int SEED = 1;
    private static final int SHORTEST = 1 << 19;
    private static final int LONG = 1 << 23;
    private static final int LONGEST = (33 << 20) + (1 << 15);

    /** Bytes of one text constant. */
    private static final int LITERAL = 1 << 12;

    /** Random bytes and floats: longer ones begin with shorter ones. */
    private record Known(MemorySegment bytes, MemorySegment floats) {
        static Known of(int size) {
            byte[] bytes = new byte[size];
            new SplittableRandom(SEED).nextBytes(bytes);
            MemorySegment random = MemorySegment.ofArray(bytes);
            int[] words = random.toArray(ValueLayout.JAVA_INT_UNALIGNED);
            for (int i = 0; i < words.length; i++) {
                words[i] = (words[i] & FLOAT_MASK) + FLOAT_BIAS;
            }
            return new Known(random, MemorySegment.ofArray(words));
        }
    }

    private static SoftReference<Known> known = new SoftReference<>(null);

    private static synchronized Known known(long bytes) {
        Known all = known.get();
        if (all == null || all.bytes.byteSize() < bytes) {
            all = Known.of(bytes <= SHORTEST ? SHORTEST : bytes <= LONG ? LONG : LONGEST);
            known = new SoftReference<>(all);
        }
        return all;
    }

    /** Whether a source still holds what it was filled with. */
    boolean isIn(MemorySegment source) {
        Known all = known(0);
        MemorySegment bytes = kind == Kind.FLOATS ? all.floats : all.bytes;
        long end = (long) from * Integer.BYTES + source.byteSize();
        return kind == Kind.ZEROS
                || kind == Kind.SAME
                || bytes.byteSize() < end
                || bytes.asSlice(end - source.byteSize(), source.byteSize()).mismatch(source) < 0;
    }

    /** Fills a source, with what the arena holds if that is wanted. */
    void fill(MemorySegment source, MemorySegment held, Journal journal) {
        long size = source.byteSize();
        long begin = (long) from * Integer.BYTES;
        switch (kind) {
            case BYTES, FLOATS -> {
                Known all = known(begin + size);
                source.copyFrom((kind == Kind.BYTES ? all.bytes : all.floats).asSlice(begin, size));
                journal.random(begin + size + Integer.BYTES);
                String name = kind == Kind.BYTES ? "random" : "floats";
                journal.add("%s.copyFrom(%s.asSlice(%s, %s));", source, name, begin, size);
            }
            case ZEROS, SAME -> {
                source.fill((byte) 0);
                journal.add("%s.fill((byte) 0);", source);
                MemorySegment same = held.asSlice(0, kind == Kind.ZEROS ? 0 : Math.min(size, held.byteSize()));
                source.copyFrom(same);
                for (long at = 0; at < same.byteSize(); at += LITERAL) {
                    MemorySegment part = same.asSlice(at, Math.min(LITERAL, same.byteSize() - at));
                    journal.add("%s.asSlice(%s).copyFrom(%s);", source, at, part);
                }
            }
        }
    }
}
