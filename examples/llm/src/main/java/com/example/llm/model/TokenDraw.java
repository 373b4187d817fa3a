package com.example.llm.model;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Draws tokens by chance among all, or the most likely, on the host. A draw allocates nothing.
 *
 * <p><b>Threads:</b> one thread at a time.
 *
 * <p><b>Source:</b> G. Steele, D. Lea and C. Flood, Fast Splittable Pseudorandom Number Generators, 2014: the numbers
 * of {@link java.util.SplittableRandom}, which would be an object for each draw.
 */
final class TokenDraw {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final Sampling sampling;
    private final DescendingOrder order;
    private final double[] weights;

    /**
     * Makes room.
     *
     * @param sampling of a temperature above 0
     * @param vocabulary the number of tokens
     */
    TokenDraw(Sampling sampling, int vocabulary) {
        this.sampling = sampling;
        this.order = new DescendingOrder(vocabulary);
        this.weights = new double[sampling.topK() == 0 ? vocabulary : Math.min(sampling.topK(), vocabulary)];
    }

    /**
     * Chooses a token.
     *
     * @param logits F32, one for each token
     * @param step the number of the token in the text, which the chance depends on too
     * @return a token; the first of equal ones
     */
    int choose(MemorySegment logits, int step) {
        order.sort(logits);
        double largest = logit(logits, 0);
        double total = 0;
        for (int rank = 0; rank < weights.length; rank++) {
            weights[rank] = Math.exp((logit(logits, rank) - largest) / sampling.temperature());
            total += weights[rank];
        }
        double kept = 0;
        int last = 0;
        while (last < weights.length && kept < sampling.topP() * total) {
            kept += weights[last++];
        }
        double draw = fraction(sampling.seed() + step * GOLDEN) * kept;
        int at = 0;
        while (at < last - 1 && draw >= weights[at]) {
            draw -= weights[at++];
        }
        return order.index(at);
    }

    private float logit(MemorySegment logits, int rank) {
        return logits.getAtIndex(ValueLayout.JAVA_FLOAT_UNALIGNED, order.index(rank));
    }

    /** The first number of a seed, from 0 to 1 - 2^-53. */
    static double fraction(long seed) {
        long word = seed + GOLDEN;
        word = (word ^ word >>> 30) * 0xBF58476D1CE4E5B9L;
        word = (word ^ word >>> 27) * 0x94D049BB133111EBL;
        return ((word ^ word >>> 31) >>> 11) * 0x1p-53;
    }
}
