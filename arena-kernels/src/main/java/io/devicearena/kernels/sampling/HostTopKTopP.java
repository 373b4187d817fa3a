package io.devicearena.kernels.sampling;

import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.step.HostFloats;
import java.lang.foreign.MemorySegment;

/** Computes what {@link TopKTopP} records, on the host. */
final class HostTopKTopP implements Runnable {
    private final TopKTopP step;
    private final MemorySegment cursor;
    private final Candidates candidates;

    /** Of the candidates up to each: their weights, added up. */
    private final float[] sums;

    HostTopKTopP(TopKTopP step, int kept, HostValues host) {
        this.step = step;
        MemorySegment logits = HostFloats.words(host, step.logits(), step.vocabulary());
        cursor = HostFloats.words(host, step.cursor(), Choice.CURSOR_WORDS);
        candidates = new Candidates(host, logits, step.vocabulary(), kept);
        sums = new float[kept];
    }

    @Override
    public void run() {
        candidates.find();
        float total = addUp();
        int last = 0;
        while (last < sums.length - 1 && sums[last] < step.draw().topP() * total) {
            last++;
        }
        float draw = Philox.fraction(
                        HostFloats.word(cursor, Choice.GENERATED), step.draw().seed())
                * sums[last];
        int choice = 0;
        while (choice < last && sums[choice] <= draw) {
            choice++;
        }
        Choice.advance(cursor, candidates.token(choice));
    }

    private float addUp() {
        float largest = candidates.logit(0);
        float inverse = 1 / step.draw().temperature();
        float total = 0;
        for (int i = 0; i < sums.length; i++) {
            float logit = candidates.logit(i);
            if (i == 0 || (!Float.isNaN(logit) && candidates.isEqualToFirst(i))) {
                total += 1;
            } else if (!Float.isNaN(logit)) {
                total += (float) Math.exp((logit - largest) * inverse);
            }
            sums[i] = total;
        }
        return total;
    }
}
