package com.example.llm.model;

import io.devicearena.Batch;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.Transfer;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.RepeatedRun;
import io.devicearena.kernel.StepTime;
import io.devicearena.kernels.KernelStep;
import io.devicearena.kernels.StepProgram;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * On a device: the steps of a graph are one program, and a run of it is one submission. The token that a decode step
 * chooses stays on the device and feeds the next step, so steps are submitted ahead. The host reads the 16 bytes of the
 * cursor behind each.
 */
final class DeviceExecution implements Execution {
    /** Enough that the device never waits for the host, few enough that little is discarded at the end of a text. */
    private static final int AHEAD = 8;

    private final LanguageGraph prefill;
    private final LanguageGraph decode;
    private final DeviceArena prefillView;
    private final DeviceArena decodeView;
    private final Arena memory = Arena.ofShared();
    private final KernelProgram prefillProgram;
    private final KernelProgram decodeProgram;
    private final int ahead;
    private final MemorySegment tokensIn;
    private final MemorySegment cursorIn = memory.allocate(Cursor.BYTES);
    private final Batch prefillInputs;
    private final MemorySegment[] cursors;
    private final Batch afterPrefill;
    private final RepeatedRun[] steps;
    private final Transfer[] pending;

    DeviceExecution(LanguageGraph prefill, DeviceArena prefillView, LanguageGraph decode, DeviceArena decodeView) {
        this.prefill = prefill;
        this.decode = decode;
        this.prefillView = prefillView;
        this.decodeView = decodeView;
        Background<KernelProgram> other = Background.start("llm-decode", () -> record(decode, decodeView));
        prefillProgram = record(prefill, prefillView);
        decodeProgram = other.get();
        tokensIn = memory.allocate(4L * prefill.rows());
        prefillInputs = Batch.builder()
                .elements(prefill.tokens.orElseThrow(), DType.U32, tokensIn)
                .elements(prefill.cursor, DType.U32, cursorIn)
                .build();
        ahead = Math.min(AHEAD, prefill.rows());
        cursors = new MemorySegment[ahead];
        steps = new RepeatedRun[ahead];
        pending = new Transfer[ahead];
        for (int i = 0; i < ahead; i++) {
            cursors[i] = memory.allocate(Cursor.BYTES);
            steps[i] = decodeProgram.repeated(cursorTo(cursors[i]));
        }
        afterPrefill = cursorTo(cursors[0]);
    }

    private Batch cursorTo(MemorySegment destination) {
        return Batch.builder().elements(decode.cursor, DType.U32, destination).build();
    }

    /** Whether an arena is one of a device for which steps have kernels. */
    static boolean runsOn(DeviceArena arena) {
        return arena.unwrap(io.devicearena.wgpu.kernel.Kernels.class).isPresent()
                || arena.unwrap(io.devicearena.cuda.kernel.Kernels.class).isPresent();
    }

    private static KernelProgram record(LanguageGraph graph, DeviceArena view) {
        List<KernelStep> steps = graph.steps().stream().map(ModelStep::kernel).toList();
        return StepProgram.record(view, steps).orElseThrow();
    }

    /**
     * Runs both programs once: drivers end their work on a kernel at its first run. The first two positions of the
     * caches are written, which every sequence writes before it reads them.
     */
    void warmUp() {
        prefill(new int[1], 0, new Cursor(0, 1, 0, 0));
        begin(0);
        token(0);
    }

    @Override
    public int ahead() {
        return ahead;
    }

    @Override
    public int prefill(int[] tokens, int from, Cursor start) {
        MemorySegment.copy(tokens, from, tokensIn, ValueLayout.JAVA_INT, 0, start.count());
        start.write(cursorIn);
        prefillProgram.run(prefillInputs, afterPrefill);
        return Cursor.token(cursors[0]);
    }

    @Override
    public void begin(int slot) {
        pending[slot] = steps[slot].begin();
    }

    @Override
    public int token(int slot) {
        pending[slot].await();
        return Cursor.token(cursors[slot]);
    }

    @Override
    public void set(Cursor cursor) {
        cursor.write(cursorIn);
        decodeView.writeValueBytes(decode.cursor, 0, cursorIn);
    }

    @Override
    public float[] logits(boolean ofPrefill) {
        float[] all = new float[decode.vocabulary];
        DeviceArena view = ofPrefill ? prefillView : decodeView;
        view.readOutputF32((ofPrefill ? prefill : decode).logits, DType.F32, all);
        return all;
    }

    /** The time of each dispatch of a decode step, which is run once. */
    List<StepTime> times() {
        return decodeProgram.time();
    }

    @Override
    public void close() {
        decodeProgram.close();
        prefillProgram.close();
        memory.close();
    }
}
