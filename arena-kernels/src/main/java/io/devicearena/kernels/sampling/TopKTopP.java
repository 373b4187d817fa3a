package io.devicearena.kernels.sampling;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.Cursor;
import io.devicearena.kernels.step.StepKernel;
import io.devicearena.kernels.step.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Chooses a token by chance among the most likely, and moves the cursor: position += count, count = 1, token = the
 * choice, generated += 1.
 *
 * <p>The {@code topK} largest logits are kept; of equal ones those with the lower index. Their probabilities are the
 * softmax of the logits divided by the temperature. Of these the fewest of the largest are kept whose probabilities add
 * up to {@code topP}. One of them is drawn with its probability. The draw depends on the seed and on the cursor's word
 * {@code generated} only. A NaN counts as the lowest logit and is not chosen, unless all are NaN: then the choice is
 * the first token.
 *
 * <p>Host and device keep the same logits, draw the same number, and add weights up in the same order in f32. The
 * weights differ by the rounding of {@code exp}: if the draw or {@code topP} is within some 2^-18 of the border between
 * two tokens, they may choose either.
 *
 * <p>On a device, workgroups sort slices of 1024 logits and keep the largest of each, until one slice is left.
 *
 * <p><b>Threads:</b> immutable.
 *
 * <p><b>Source:</b> A. Fan et al., Hierarchical Neural Story Generation, 2018 (top k); A. Holtzman et al., The Curious
 * Case of Neural Text Degeneration, 2020 (top p); K. Batcher, Sorting networks and their applications, 1968 (bitonic
 * sort); J. Salmon et al., Parallel Random Numbers: As Easy as 1, 2, 3, 2011 (Philox2x32-10).
 *
 * @param logits F32 [vocabulary]
 * @param vocabulary the number of logits, 1 or more
 * @param draw which logits are kept, and how one is drawn
 * @param scratch U32 [{@link #scratchWords}], for the kept logits of slices; the host does not use it
 * @param cursor U32 [4]: position, count, token, generated
 */
public record TopKTopP(NodeId logits, int vocabulary, Draw draw, NodeId scratch, NodeId cursor) implements CudaStep {
    private static final int MOST_KEPT = 256;

    /** Of a block in CUDA. */
    private static final int CUDA_THREADS = 256;

    private static final int SLICE = 1024;

    /** Of a kept logit in scratch: the ordered logit and its index. */
    private static final int PAIR_WORDS = 2;

    /**
     * Which logits are kept, and how one of them is drawn.
     *
     * <p><b>Threads:</b> immutable.
     *
     * @param temperature what logits are divided by, above 0
     * @param topK how many of the largest are kept, 1 to 256; all if the vocabulary is smaller
     * @param topP above 0, at most 1, which keeps all
     * @param seed of the draws
     */
    public record Draw(float temperature, int topK, float topP, long seed) {
        /** Checks the ranges. */
        public Draw {
            if (!(temperature > 0) || 1 / temperature == Float.POSITIVE_INFINITY || temperature > Float.MAX_VALUE) {
                throw new IllegalArgumentException("temperature: expected a finite number above 1e-38, got "
                        + temperature + "; for the largest logit use ArgMax");
            }
            checkTopK(topK);
            if (!(topP > 0) || topP > 1) {
                throw new IllegalArgumentException("topP: expected a number above 0, at most 1, got " + topP);
            }
        }
    }

    /** Checks the vocabulary. */
    public TopKTopP {
        Objects.requireNonNull(logits, "logits");
        Objects.requireNonNull(draw, "draw");
        Objects.requireNonNull(scratch, "scratch");
        Objects.requireNonNull(cursor, "cursor");
        Candidates.checkVocabulary(vocabulary);
    }

    private static void checkTopK(int topK) {
        if (topK < 1 || topK > MOST_KEPT) {
            throw new IllegalArgumentException("topK: expected 1 to " + MOST_KEPT + ", got " + topK);
        }
    }

    /**
     * Returns how large {@code scratch} must be.
     *
     * @param vocabulary the number of logits, 1 or more
     * @param topK how many are kept, 1 to 256
     * @return words of 4 bytes, 2 or more
     * @throws IllegalArgumentException if a number is out of range
     */
    public static long scratchWords(int vocabulary, int topK) {
        Candidates.checkVocabulary(vocabulary);
        checkTopK(topK);
        int kept = Math.min(topK, vocabulary);
        long first = keptOf(vocabulary, kept);
        return PAIR_WORDS * (first + keptOf(first, kept));
    }

    private static long keptOf(long candidates, int kept) {
        return ((candidates - 1) / SLICE + 1) * kept;
    }

    private int kept() {
        return Math.min(draw.topK(), vocabulary);
    }

    @Override
    public String label() {
        return "top-k-top-p";
    }

    @Override
    public List<NodeId> reads() {
        return List.of(logits, cursor);
    }

    @Override
    public List<NodeId> writes() {
        return List.of(scratch, cursor);
    }

    @Override
    public void record(StepRecorder device) {
        rounds().forEach(round -> dispatch(device, round));
    }

    @Override
    public void record(CudaRecorder device) {
        rounds().forEach(round -> launch(device, round));
    }

    /**
     * A search among candidates: each slice of them keeps the likeliest, or one of a single slice is drawn.
     *
     * @param from where they begin in {@code scratch}, in pairs of words; those of the first round are the logits
     * @param to where what is kept goes
     */
    private record Round(boolean isFirst, boolean isLast, int candidates, int from, int to) {
        int slices() {
            return (candidates - 1) / SLICE + 1;
        }

        String name() {
            return isLast ? "choice" : "slices";
        }
    }

    private List<Round> rounds() {
        List<Round> rounds = new ArrayList<>();
        int other = Math.toIntExact(keptOf(vocabulary, kept()));
        int candidates = vocabulary;
        int from = 0;
        int to = 0;
        while (candidates > SLICE) {
            rounds.add(new Round(rounds.isEmpty(), false, candidates, from, to));
            candidates = Math.toIntExact(keptOf(candidates, kept()));
            from = to;
            to = other - to;
        }
        rounds.add(new Round(rounds.isEmpty(), true, candidates, from, to));
        return rounds;
    }

    private void launch(CudaRecorder device, Round round) {
        CudaKernel kernel = CudaKernel.of(device, "top_k_" + round.name())
                .read(round.isFirst() ? logits : null, (long) vocabulary * Float.BYTES);
        NodeId found = round.isFirst() && round.isLast() ? null : scratch;
        long foundBytes = scratchWords(vocabulary, draw.topK()) * Integer.BYTES;
        Words job = new Words().add(round.candidates(), round.from(), round.to(), kept());
        if (round.isLast()) {
            int seed = (int) draw.seed();
            job.add(seed, draw.seed() >> Integer.SIZE)
                    .add(Float.floatToRawIntBits(draw.topP()), Float.floatToRawIntBits(1 / draw.temperature()));
            kernel.read(found, foundBytes).write(cursor, Cursor.BYTES);
        } else {
            kernel.write(found, foundBytes);
        }
        kernel.job(job).launch(label() + " " + round.name(), Workgroups.of(round.slices()), CUDA_THREADS);
    }

    private void dispatch(StepRecorder device, Round round) {
        StepKernel kernel = StepKernel.of(device, "sampling/top-k-top-p")
                .set("TOP", kept())
                .set("TOP_P", draw.topP())
                .set("INVERSE_TEMPERATURE", 1 / draw.temperature())
                .uniformJob()
                .job("candidates", round.candidates())
                .job("first_out", round.to())
                .job("seed_low", (int) draw.seed())
                .job("seed_high", (int) (draw.seed() >>> 32));
        if (!round.isFirst()) {
            kernel.use("CANDIDATES", "sampling/candidates-of-slices").job("first_in", round.from());
        }
        if (!round.isFirst() || !round.isLast()) {
            kernel.write("found", scratch, scratchWords(vocabulary, draw.topK()) * Integer.BYTES);
        }
        if (round.isFirst()) {
            kernel.read("logits", logits, (long) vocabulary * Float.BYTES);
        }
        if (round.isLast()) {
            kernel.write("cursor", cursor, Cursor.BYTES);
        }
        kernel.dispatch(label() + " " + round.name(), round.name(), Workgroups.of(round.slices()));
    }

    @Override
    public Runnable bind(HostValues host) {
        Candidates candidates = new Candidates(host, logits, vocabulary, kept());
        Cursor state = Cursor.of(host, cursor);
        float[] sums = new float[kept()];
        return () -> {
            candidates.find();
            addUp(candidates, sums);
            int last = 0;
            while (last < sums.length - 1 && sums[last] < draw.topP() * sums[sums.length - 1]) {
                last++;
            }
            float drawn = Philox.fraction(state.generated(), draw.seed()) * sums[last];
            int choice = 0;
            while (choice < last && sums[choice] <= drawn) {
                choice++;
            }
            state.advance(candidates.token(choice));
        };
    }

    /** Sets the sums: of the candidates up to each their weights, added up. */
    private void addUp(Candidates candidates, float[] sums) {
        float largest = candidates.logit(0);
        float inverse = 1 / draw.temperature();
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
    }
}
