package com.example.llm.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenDrawTest {
    private static final float[] FEW = {0, 5, -3, 4.9f, 1};

    private static int draw(TokenDraw draw, float[] logits, int step) {
        return draw.choose(MemorySegment.ofArray(logits), step);
    }

    @Test
    void chanceStaysAmongTheMostLikelyAndFollowsItsSeed() {
        TokenDraw two = new TokenDraw(new Sampling(1, 2, 1, 7), FEW.length);
        int[] counts = new int[FEW.length];
        for (int step = 0; step < 400; step++) {
            int token = draw(two, FEW, step);
            counts[token]++;
            assertEquals(token, draw(two, FEW, step));
        }
        assertEquals(400, counts[1] + counts[3]);
        assertTrue(counts[1] > 150 && counts[3] > 130, counts[1] + " and " + counts[3]);
        assertEquals(1, draw(new TokenDraw(new Sampling(1, 0, 0.1f, 7), FEW.length), FEW, 0));
    }

    @ParameterizedTest(name = "temperature {0}, top-k {1}, top-p {2}")
    @CsvSource({"0.7, 0, 1", "2, 0, 0.9", "1, 300, 0.95", "0.1, 9999, 0.5", "100, 1, 1"})
    void drawsAreThoseOfSortedProbabilities(float temperature, int topK, float topP) {
        Sampling sampling = new Sampling(temperature, topK, topP, -5);
        TokenDraw draw = new TokenDraw(sampling, 1000);
        for (int step = 0; step < 50; step++) {
            SplittableRandom random = new SplittableRandom(step);
            float[] logits = new float[1000];
            for (int i = 0; i < logits.length; i++) {
                logits[i] = random.nextInt(-40, 41) / 4f; // many are equal
            }
            assertEquals(expected(sampling, logits, step), draw(draw, logits, step), "step " + step);
        }
    }

    /** Like the draw itself, but with the sort and the numbers of the JDK. */
    private static int expected(Sampling sampling, float[] logits, int step) {
        int[] order = IntStream.range(0, logits.length)
                .boxed()
                .sorted(Comparator.comparing((Integer i) -> logits[i], Comparator.reverseOrder()))
                .mapToInt(i -> i)
                .toArray();
        int count = sampling.topK() == 0 ? order.length : Math.min(sampling.topK(), order.length);
        double[] weights = Arrays.stream(order, 0, count)
                .mapToDouble(i -> Math.exp((logits[i] - (double) logits[order[0]]) / sampling.temperature()))
                .toArray();
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double kept = 0;
        int last = 0;
        while (last < count && kept < sampling.topP() * total) {
            kept += weights[last++];
        }
        double draw = new SplittableRandom(sampling.seed() + step * 0x9E3779B97F4A7C15L).nextDouble() * kept;
        int at = 0;
        while (at < last - 1 && draw >= weights[at]) {
            draw -= weights[at++];
        }
        return order[at];
    }

    @Test
    void numbersAreThoseOfTheJdk() {
        for (long seed : new long[] {0, 1, -1, Long.MIN_VALUE, 0x0123_4567_89AB_CDEFL}) {
            assertEquals(new SplittableRandom(seed).nextDouble(), TokenDraw.fraction(seed));
        }
    }

    @Test
    void orderIsDescendingAndKeepsEqualOnes() {
        float[] floats = {
            1, -0f, Float.NEGATIVE_INFINITY, 0, 1, Float.POSITIVE_INFINITY, -1, Float.NaN, Float.MIN_VALUE, -Float.MIN_VALUE
        };
        DescendingOrder order = new DescendingOrder(floats.length);
        for (int run = 0; run < 2; run++) {
            order.sort(MemorySegment.ofArray(floats));
            assertEquals(
                    "[7, 5, 0, 4, 8, 3, 1, 9, 6, 2]",
                    Arrays.toString(IntStream.range(0, floats.length).map(order::index).toArray()));
        }
    }
}
