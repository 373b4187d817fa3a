package com.example.llm.model;

import com.example.llm.ModelException;
import io.devicearena.NodeId;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.sampling.ArgMax;
import io.devicearena.kernels.sampling.TopKTopP;

/**
 * How a token is chosen from logits: the largest, or one by chance among the most likely.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> Fan et al., Hierarchical Neural Story Generation, 2018 (top k); Holtzman et al., The Curious Case
 * of Neural Text Degeneration, 2020 (top p).
 *
 * @param temperature 0: the largest logit; else what logits are divided by
 * @param topK how many of the largest may be chosen, 0: all
 * @param topP the fewest of the largest whose probabilities add up to this may be chosen, above 0, at most 1
 * @param seed of chance
 */
public record Sampling(float temperature, int topK, float topP, long seed) {
    /** The most tokens among which a device chooses by chance. */
    static final int MOST_ON_DEVICE = 256;

    /** The largest logit. */
    public static final Sampling GREEDY = new Sampling(0, 0, 1, 0);

    /** Checks the ranges. */
    public Sampling {
        if (!(temperature >= 0) || temperature > 100 || topK < 0 || !(topP > 0) || topP > 1) {
            throw new ModelException("sampling: expected a temperature of 0 to 100, a top-k of 0 or more and a top-p"
                    + " above 0 and at most 1, got " + temperature + ", " + topK + ", " + topP);
        }
    }

    /** The step that chooses. Among more than {@link #MOST_ON_DEVICE} tokens, it runs on the host alone. */
    KernelStep step(NodeId logits, int vocabulary, NodeId scratch, NodeId cursor) {
        if (temperature == 0) {
            return new ArgMax(logits, vocabulary, scratch, cursor);
        }
        return isOnDevice()
                ? new TopKTopP(
                        logits, vocabulary, new TopKTopP.Draw(temperature, topK, topP, seed), scratch, cursor)
                : new SampledToken(logits, vocabulary, cursor, this);
    }

    private boolean isOnDevice() {
        return topK >= 1 && topK <= MOST_ON_DEVICE;
    }

    /** The words of the scratch value of the step. */
    long scratchWords(int vocabulary) {
        return temperature > 0 && isOnDevice() ? TopKTopP.scratchWords(vocabulary, topK) : ArgMax.SCRATCH_WORDS;
    }
}
