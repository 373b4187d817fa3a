package io.devicearena.bench.kernels;

import io.devicearena.DeviceArena;
import io.devicearena.F16ShadowMode;
import io.devicearena.NodeId;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepRecorder;
import io.devicearena.kernels.attention.AttentionInputs;
import io.devicearena.kernels.attention.AttentionShape;
import io.devicearena.kernels.attention.DecodeAttention;
import io.devicearena.kernels.attention.HeadNorms;
import io.devicearena.kernels.attention.PrefillAttention;
import io.devicearena.kernels.attention.Rope;
import io.devicearena.kernels.attention.RopeAndCache;
import io.devicearena.kernels.matrix.Embedding;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.matrix.RoundRows;
import io.devicearena.kernels.sampling.ArgMax;
import io.devicearena.kernels.sampling.TopKTopP;
import io.devicearena.weights.tensor.TensorType;
import io.devicearena.wgpu.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** A step of a small language model to measure, with the values that it uses. */
final class StepCase {
    private static final long SEED = 20261101;
    private static final float EPSILON = 1e-6f;

    // Gemma 3 270M: Gemma Team, Gemma 3 Technical Report, 2025, and the hyperparameters in its file
    private static final int HEADS = 4;
    private static final int HEAD_DIM = 256;
    private static final int WIDTH = 640;
    private static final int VOCABULARY = 262_144;
    private static final int CACHE_ROWS = 4096;

    private final String name;
    private final KernelValues values = new KernelValues();
    private final Map<NodeId, MemorySegment> contents = new LinkedHashMap<>();
    private final List<KernelStep> steps = new ArrayList<>();
    private NodeId written = NodeId.of(0);

    private StepCase(String name) {
        this.name = name;
    }

    static List<StepCase> all() {
        List<StepCase> all = new ArrayList<>();
        for (int position : new int[] {31, 511, 2047}) {
            for (int splits : new int[] {8, 16, 32}) {
                all.add(decode(position, splits));
            }
        }
        all.add(prefill(0));
        all.add(prefill(2048));
        all.add(lookup());
        all.add(rounding());
        all.add(argMax());
        all.add(topK(64));
        all.add(topK(256));
        return all;
    }

    private NodeId floats(int count) {
        SplittableRandom random = new SplittableRandom(SEED + contents.size());
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = (float) random.nextDouble(-1, 1);
        }
        return value(MemorySegment.ofArray(floats));
    }

    private NodeId value(MemorySegment content) {
        NodeId id = values.add(content.byteSize());
        contents.put(id, content);
        return id;
    }

    private NodeId cursor(int... words) {
        return value(MemorySegment.ofArray(words));
    }

    private void add(KernelStep step, NodeId output) {
        steps.add(step);
        written = output;
    }

    private AttentionInputs inputs(int position, int rows) {
        return new AttentionInputs(
                cursor(position, rows, 0, 0),
                floats(rows * HEADS * HEAD_DIM),
                floats(rows * HEAD_DIM),
                floats(rows * HEAD_DIM),
                floats(CACHE_ROWS * HEAD_DIM),
                floats(CACHE_ROWS * HEAD_DIM));
    }

    private static AttentionShape shape() {
        return new AttentionShape(HEADS, 1, HEAD_DIM, CACHE_ROWS, 0, 1f / 16);
    }

    private static StepCase decode(int position, int splits) {
        StepCase step = new StepCase("decode attention, position " + position + ", " + splits + " splits");
        HeadNorms norms = new HeadNorms(step.floats(HEAD_DIM), step.floats(HEAD_DIM), EPSILON);
        NodeId partials = step.floats(HEADS * splits * (HEAD_DIM + 4));
        Rope rope = new Rope(1e6, HEAD_DIM, false);
        step.add(new DecodeAttention(partials, step.inputs(position, 1), shape(), rope, norms, splits), partials);
        return step;
    }

    private static StepCase prefill(int position) {
        int rows = 512;
        StepCase step = new StepCase("rope, cache and prefill attention, rows " + position + " to " + (position + 511));
        HeadNorms norms = new HeadNorms(step.floats(HEAD_DIM), step.floats(HEAD_DIM), EPSILON);
        AttentionInputs in = step.inputs(position, rows);
        NodeId rotated = step.floats(rows * HEADS * HEAD_DIM);
        NodeId out = step.floats(rows * HEADS * HEAD_DIM);
        step.add(new RopeAndCache(rotated, in, rows, shape(), new Rope(1e6, HEAD_DIM, false), norms), rotated);
        step.add(new PrefillAttention(out, rotated, in, rows, shape()), out);
        return step;
    }

    private static StepCase lookup() {
        StepCase step = new StepCase("embedding of one token, Q8_0 262144 x 640");
        NodeId table = step.floats((int) (VOCABULARY * TensorType.Q8_0.rowBytes(WIDTH) / Float.BYTES));
        NodeId cursor = step.cursor(0, 1, 12_345, 0);
        NodeId out = step.floats(WIDTH);
        Matrix matrix = new Matrix(table, TensorType.Q8_0, VOCABULARY, WIDTH);
        step.add(new Embedding(out, matrix, null, cursor, 1, 25.298f), out);
        return step;
    }

    private static StepCase rounding() {
        int columns = 4096;
        StepCase step = new StepCase("rounding of 4096 columns to 8 bits");
        NodeId in = step.floats(columns);
        NodeId out = step.floats((int) (RoundRows.bytes(1, columns) / Float.BYTES));
        step.add(new RoundRows(out, in, 1, columns), out);
        return step;
    }

    private static StepCase argMax() {
        StepCase step = new StepCase("arg max of 262144 logits");
        NodeId logits = step.floats(VOCABULARY);
        NodeId scratch = step.floats(ArgMax.SCRATCH_WORDS);
        NodeId cursor = step.cursor(0, 1, 0, 0);
        step.add(new ArgMax(logits, VOCABULARY, scratch, cursor), cursor);
        return step;
    }

    private static StepCase topK(int topK) {
        StepCase step = new StepCase("top " + topK + " of 262144 logits, top 0.95");
        NodeId logits = step.floats(VOCABULARY);
        NodeId scratch = step.floats((int) TopKTopP.scratchWords(VOCABULARY, topK));
        NodeId cursor = step.cursor(0, 1, 0, 0);
        step.add(new TopKTopP(logits, VOCABULARY, new TopKTopP.Draw(0.8f, topK, 0.95f, SEED), scratch, cursor), cursor);
        return step;
    }

    String name() {
        return name;
    }

    /** Fills an arena, and records the step some times. */
    TimedProgram record(int times) {
        DeviceArena arena = values.open(F16ShadowMode.OFF);
        contents.forEach((id, content) -> arena.writeValueBytes(id, 0, content));
        arena.flush();
        Kernels kernels = arena.unwrap(Kernels.class).orElseThrow();
        Recorder recorder = kernels.recorder();
        StepRecorder device = new StepRecorder(kernels, recorder);
        for (int i = 0; i < times; i++) {
            steps.forEach(step -> step.record(device));
        }
        return new TimedProgram(arena, recorder.build(), times, written);
    }
}
