package io.devicearena.diagnostics;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * A small graph with what graphs have: reused bytes, guard bytes, a state, a concatenation, an in-place op and a view;
 * and an engine that runs it on the host, as a list of steps for tests to spoil.
 */
final class CheckedGraph implements AutoCloseable {
    static final int N = 16;
    static final NodeId X = NodeId.of(0);
    static final NodeId W = NodeId.of(1);
    static final NodeId K = NodeId.of(2);
    static final NodeId S = NodeId.of(3);
    static final NodeId H = NodeId.of(4);
    static final NodeId A = NodeId.of(5);
    static final NodeId B = NodeId.of(6);
    static final NodeId C = NodeId.of(7);
    static final NodeId V = NodeId.of(8);
    static final NodeId U = NodeId.of(9);
    static final NodeId P = NodeId.of(10);
    static final NodeId Q = NodeId.of(11);
    static final NodeId J = NodeId.of(12);
    static final NodeId D = NodeId.of(13);
    static final NodeId Y = NodeId.of(14);
    static final NodeId E = NodeId.of(15);

    final DeviceArena arena;
    final List<TestStep> steps = new ArrayList<>();
    final float[] input = new float[N];
    final float[] weights = new float[N];

    /** A step of the engine. */
    record TestStep(String label, List<NodeId> reads, List<NodeId> writes, Runnable work) {}

    CheckedGraph(boolean checked) {
        ArenaOptions options = ArenaOptions.defaults().withLabel("test");
        arena = TestProvider.open(plan(), checked ? options.withChecks() : options);
        for (int i = 0; i < N; i++) {
            input[i] = i * 0.25f;
            weights[i] = 1 - i * 0.0625f;
        }
        add("a", List.of(X, W), A, i -> at(X, i) * at(W, i));
        add("b", List.of(A), B, i -> Math.exp(at(A, i) - max(A)) / sumOfExp(A, max(A)));
        add("c", List.of(B), C, i -> at(B, i) / norm(B));
        add("u", List.of(S, V), U, i -> at(S, i) + at(V, i));
        add("p", List.of(C), P, i -> 2 * at(C, i));
        add("q", List.of(V, K), Q, i -> at(V, i) + at(K, i));
        step("d", List.of(J), D, () -> fill(D, 2 * N, i -> Math.max(0, at(J, i))));
        add("y", List.of(D, U), Y, i -> at(D, i) + at(D, N + i) + at(U, i));
    }

    static MemoryPlan plan() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        value(slots, values, X, "x", NodeRole.INPUT, null, 0, 96);
        value(slots, values, W, "w", NodeRole.PARAMETER, null, 96, 96);
        value(slots, values, K, "k", NodeRole.CONSTANT, null, 192, 96);
        value(slots, values, S, "s", NodeRole.STATE, null, 288, 96);
        slots.put(H, new BufferSlot(384, 64));
        values.put(H, new PlanValue("h", NodeRole.PARAMETER, DType.F16, List.of((long) N), Optional.empty()));
        value(slots, values, A, "a", NodeRole.OP, null, 448, 96);
        value(slots, values, B, "b", NodeRole.OP, null, 544, 96);
        value(slots, values, C, "c", NodeRole.OP, null, 448, 96);
        value(slots, values, V, "v", NodeRole.OP, C, 448, 96);
        value(slots, values, U, "u", NodeRole.OP, S, 288, 96);
        value(slots, values, P, "p", NodeRole.OP, J, 640, 64);
        value(slots, values, Q, "q", NodeRole.OP, J, 704, 64);
        slots.put(J, new BufferSlot(640, 160));
        values.put(J, new PlanValue("j", NodeRole.OP, DType.F32, List.of(2L * N), Optional.empty()));
        slots.put(D, new BufferSlot(640, 160));
        values.put(D, new PlanValue("d", NodeRole.OP, DType.F32, List.of(2L * N), Optional.empty()));
        value(slots, values, Y, "y", NodeRole.OUTPUT, null, 544, 96);
        return new MemoryPlan(800, slots, List.copyOf(slots.keySet()), values);
    }

    /** Another graph, whose activation lies over those of the first one. */
    static MemoryPlan other() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        value(slots, values, W, "w", NodeRole.PARAMETER, null, 96, 96);
        value(slots, values, S, "s", NodeRole.STATE, null, 288, 96);
        value(slots, values, E, "e", NodeRole.OUTPUT, null, 448, 96);
        return new MemoryPlan(800, slots, List.copyOf(slots.keySet()), values);
    }

    private static void value(
            Map<NodeId, BufferSlot> slots,
            Map<NodeId, PlanValue> values,
            NodeId id,
            String name,
            NodeRole role,
            @org.jspecify.annotations.Nullable NodeId partOf,
            long offset,
            long bytes) {
        slots.put(id, new BufferSlot(offset, bytes));
        values.put(id, new PlanValue(name, role, DType.F32, List.of((long) N), Optional.ofNullable(partOf)));
    }

    private void add(String label, List<NodeId> reads, NodeId write, IntToDoubleFunction element) {
        step(label, reads, write, () -> fill(write, N, element));
    }

    private void step(String label, List<NodeId> reads, NodeId write, Runnable work) {
        steps.add(new TestStep(label, reads, List.of(write), work));
    }

    /** The step with a label. */
    TestStep step(String label) {
        return steps.stream()
                .filter(step -> step.label().equals(label))
                .findFirst()
                .orElseThrow();
    }

    /** Replaces the work of a step, and what it declares to read. */
    void spoil(String label, List<NodeId> reads, Runnable work) {
        TestStep old = step(label);
        steps.set(steps.indexOf(old), new TestStep(label, reads, old.writes(), work));
    }

    void fill(NodeId id, int elements, IntToDoubleFunction element) {
        float[] made = new float[elements];
        for (int i = 0; i < elements; i++) {
            made[i] = (float) element.applyAsDouble(i);
        }
        MemorySegment.copy(
                made,
                0,
                arena.unwrap(MemorySegment.class).orElseThrow(),
                ValueLayout.JAVA_FLOAT,
                arena.byteOffset(id).orElseThrow(),
                elements);
    }

    float at(NodeId id, int i) {
        return arena.unwrap(MemorySegment.class)
                .orElseThrow()
                .get(ValueLayout.JAVA_FLOAT, arena.byteOffset(id).orElseThrow() + 4L * i);
    }

    double max(NodeId id) {
        double max = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < N; i++) {
            max = Math.max(max, at(id, i));
        }
        return max;
    }

    double sumOfExp(NodeId id, double max) {
        double sum = 0;
        for (int i = 0; i < N; i++) {
            sum += (float) Math.exp(at(id, i) - max);
        }
        return sum;
    }

    double norm(NodeId id) {
        double sum = 0;
        for (int i = 0; i < N; i++) {
            sum += at(id, i) * at(id, i);
        }
        return Math.sqrt(sum);
    }

    void load() {
        arena.writeInputF32(W, DType.F32, weights);
        arena.writeInputF32(K, DType.F32, new float[N]);
    }

    void writeInput() {
        arena.writeInputF32(X, DType.F32, input);
    }

    void runSteps() {
        for (TestStep step : List.copyOf(steps)) {
            run(step);
        }
    }

    void run(TestStep step) {
        HostSteps.run(arena, step.label(), step.reads(), step.writes(), step.work());
    }

    /** One whole execution; returns the output. */
    float[] execute() {
        writeInput();
        runSteps();
        return arena.readOutputF32(Y, DType.F32, N);
    }

    @Override
    public void close() {
        arena.close();
    }
}
