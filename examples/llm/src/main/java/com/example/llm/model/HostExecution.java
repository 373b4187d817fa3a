package com.example.llm.model;

import io.devicearena.DeviceArena;
import io.devicearena.kernels.host.ArenaHostValues;
import io.devicearena.kernels.host.ThreadTeam;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** On the host: each step runs on all its processors, and a decode step is done when {@link #begin} returns. */
final class HostExecution implements Execution {
    private final LanguageGraph prefill;
    private final LanguageGraph decode;
    private final ThreadTeam team = new ThreadTeam(Runtime.getRuntime().availableProcessors());
    private final ArenaHostValues prefillValues;
    private final ArenaHostValues decodeValues;
    private final List<Runnable> prefillSteps;
    private final List<Runnable> decodeSteps;
    private final MemorySegment cursor;

    HostExecution(LanguageGraph prefill, DeviceArena prefillView, LanguageGraph decode, DeviceArena decodeView) {
        this.prefill = prefill;
        this.decode = decode;
        prefillValues = new ArenaHostValues(prefillView, team);
        decodeValues = new ArenaHostValues(decodeView, team);
        prefillSteps = prefill.steps().stream().map(step -> step.kernel().bind(prefillValues)).toList();
        decodeSteps = decode.steps().stream().map(step -> step.kernel().bind(decodeValues)).toList();
        cursor = decodeValues.bytes(decode.cursor);
    }

    @Override
    public int ahead() {
        return 1;
    }

    @Override
    public int prefill(int[] tokens, int from, Cursor start) {
        MemorySegment to = prefillValues.bytes(prefill.tokens.orElseThrow());
        MemorySegment.copy(tokens, from, to, ValueLayout.JAVA_INT, 0, start.count());
        start.write(cursor);
        run(prefillSteps);
        return Cursor.token(cursor);
    }

    /** Without an iterator, which is an object. */
    private static void run(List<Runnable> steps) {
        for (int i = 0; i < steps.size(); i++) {
            steps.get(i).run();
        }
    }

    @Override
    public void begin(int slot) {
        run(decodeSteps);
    }

    @Override
    public int token(int slot) {
        return Cursor.token(cursor);
    }

    @Override
    public void set(Cursor at) {
        at.write(cursor);
    }

    @Override
    public float[] logits(boolean ofPrefill) {
        float[] all = new float[prefill.vocabulary];
        ArenaHostValues values = ofPrefill ? prefillValues : decodeValues;
        MemorySegment.copy(values.bytes((ofPrefill ? prefill : decode).logits), ValueLayout.JAVA_FLOAT, 0, all, 0, all.length);
        return all;
    }

    @Override
    public void close() {
        team.close();
    }
}
