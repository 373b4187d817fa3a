package io.devicearena.kernels.sampling;

import io.devicearena.NodeId;
import io.devicearena.kernel.Workgroups;
import io.devicearena.kernels.CudaRecorder;
import io.devicearena.kernels.CudaStep;
import io.devicearena.kernels.HostValues;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.step.CudaKernel;
import io.devicearena.kernels.step.HostFloats;
import io.devicearena.kernels.step.StepKernel;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.IntConsumer;

/**
 * Chooses the token of the largest logit, and moves the cursor: position += count, count = 1, token = the choice,
 * generated += 1.
 *
 * <p>Host and device choose the same token for the same logits: they compare integers that are ordered as the floats
 * are. Of equal logits the one with the lowest index is chosen. Minus zero is below zero, and a NaN is below all
 * numbers.
 *
 * <p>On a device, {@link #BLOCKS} workgroups search a part each; then one workgroup chooses among their results.
 *
 * <p><b>Threads:</b> immutable.
 *
 * @param logits F32 [vocabulary]
 * @param vocabulary the number of logits, 1 or more
 * @param scratch U32 [{@link #SCRATCH_WORDS}], for the results of the parts; the host does not use it
 * @param cursor U32 [4]: position, count, token, generated
 */
public record ArgMax(NodeId logits, int vocabulary, NodeId scratch, NodeId cursor) implements CudaStep {
    /** The workgroups of the search. */
    public static final int BLOCKS = 256;

    /** The words of {@code scratch}: an ordered logit and an index for each workgroup. */
    public static final int SCRATCH_WORDS = 2 * BLOCKS;

    /** Of a block of either kernel in CUDA. */
    private static final int CUDA_THREADS = 256;

    /** Checks the number of logits. */
    public ArgMax {
        if (vocabulary < 1) {
            throw new IllegalArgumentException("vocabulary: expected 1 or more logits, got " + vocabulary);
        }
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
        long scratchBytes = SCRATCH_WORDS * (long) Integer.BYTES;
        StepKernel.of(device, "sampling/arg-max")
                .set("VOCABULARY", vocabulary)
                .write("found", scratch, scratchBytes)
                .read("logits", logits, (long) vocabulary * Float.BYTES)
                .dispatch(label() + " parts", "parts", Workgroups.of(BLOCKS));
        StepKernel.of(device, "sampling/arg-max")
                .set("VOCABULARY", vocabulary)
                .write("found", scratch, scratchBytes)
                .write("cursor", cursor, Choice.CURSOR_WORDS * (long) Integer.BYTES)
                .dispatch(label() + " choice", "choice", Workgroups.of(1));
    }

    @Override
    public void record(CudaRecorder device) {
        long scratchBytes = SCRATCH_WORDS * (long) Integer.BYTES;
        CudaKernel.of(device, "arg_max")
                .read(logits, (long) vocabulary * Float.BYTES)
                .write(scratch, scratchBytes)
                .job(vocabulary)
                .launch(label() + " parts", Workgroups.of(BLOCKS), CUDA_THREADS);
        CudaKernel.of(device, "arg_max_choice")
                .read(scratch, scratchBytes)
                .write(cursor, Choice.CURSOR_WORDS * (long) Integer.BYTES)
                .launch(label() + " choice", Workgroups.of(1), CUDA_THREADS);
    }

    @Override
    public Runnable bind(HostValues host) {
        MemorySegment in = HostFloats.words(host, logits, vocabulary);
        MemorySegment state = HostFloats.words(host, cursor, Choice.CURSOR_WORDS);
        int[] best = new int[Math.min(host.threads(), vocabulary)];
        IntConsumer search = task -> {
            int first = (int) ((long) vocabulary * task / best.length);
            int end = (int) ((long) vocabulary * (task + 1) / best.length);
            int at = first;
            int most = Choice.ordered(HostFloats.word(in, first));
            for (int i = first + 1; i < end; i++) {
                int key = Choice.ordered(HostFloats.word(in, i));
                if (Integer.compareUnsigned(key, most) > 0) {
                    most = key;
                    at = i;
                }
            }
            best[task] = at;
        };
        return () -> {
            host.parallel(best.length, search);
            int choice = best[0];
            for (int index : best) {
                int key = Choice.ordered(HostFloats.word(in, index));
                if (Integer.compareUnsigned(key, Choice.ordered(HostFloats.word(in, choice))) > 0) {
                    choice = index;
                }
            }
            Choice.advance(state, choice);
        };
    }
}
