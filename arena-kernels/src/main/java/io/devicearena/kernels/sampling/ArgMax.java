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
import java.util.List;

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
        Candidates.checkVocabulary(vocabulary);
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
                .write("cursor", cursor, Cursor.BYTES)
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
                .write(cursor, Cursor.BYTES)
                .launch(label() + " choice", Workgroups.of(1), CUDA_THREADS);
    }

    @Override
    public Runnable bind(HostValues host) {
        Candidates best = new Candidates(host, logits, vocabulary, 1);
        Cursor state = Cursor.of(host, cursor);
        return () -> {
            best.find();
            state.advance(best.token(0));
        };
    }
}
