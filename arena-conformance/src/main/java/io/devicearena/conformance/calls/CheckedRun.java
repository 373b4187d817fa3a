package io.devicearena.conformance.calls;

import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.conformance.oracle.TestData;
import io.devicearena.diagnostics.HostSteps;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.IntToDoubleFunction;

/** The graph of the clauses about checks, and an engine that runs it through the calls of any arena. */
public final class CheckedRun {
    /** Elements of each value. */
    public static final int N = 8;

    /** An input. */
    public static final NodeId X = NodeId.of(1);

    /** A parameter. */
    public static final NodeId W = NodeId.of(2);

    /** A constant. */
    public static final NodeId K = NodeId.of(3);

    /** A state. */
    public static final NodeId S = NodeId.of(4);

    /** {@code x * w}; dead once {@link #B} is made. */
    public static final NodeId A = NodeId.of(5);

    /** {@code a + k}. */
    public static final NodeId B = NodeId.of(6);

    /** {@code b + b}, in the bytes of {@link #A}. */
    public static final NodeId C = NodeId.of(7);

    /** {@code s + c}, the update of the state. */
    public static final NodeId U = NodeId.of(8);

    /** {@code c + u}, the output. */
    public static final NodeId Y = NodeId.of(9);

    /** Of the other graph, in the bytes of {@link #A}. */
    public static final NodeId E = NodeId.of(10);

    /** In neither graph. */
    public static final NodeId MISSING = NodeId.of(11);

    /** Bytes of each slot: a value and a guard. */
    public static final int SLOT = 48;

    /** Where {@link #W} begins. */
    public static final int W_OFFSET = SLOT;

    /** Where {@link #A} begins. */
    public static final int A_OFFSET = 4 * SLOT;

    private static final int BYTES = 7 * SLOT;

    private record Value(String name, NodeRole role, int place) {}

    /** In the order of their ids. */
    private static final List<Value> VALUES = List.of(
            new Value("x", NodeRole.INPUT, 0),
            new Value("w", NodeRole.PARAMETER, 1),
            new Value("k", NodeRole.CONSTANT, 2),
            new Value("s", NodeRole.STATE, 3),
            new Value("a", NodeRole.OP, 4),
            new Value("b", NodeRole.OP, 5),
            new Value("c", NodeRole.OP, 4),
            new Value("u", NodeRole.OP, 3),
            new Value("y", NodeRole.OUTPUT, 6),
            new Value("e", NodeRole.OUTPUT, 4));

    private final DeviceArena arena;
    private final DeviceArena weights;

    public CheckedRun(DeviceArena arena) {
        this(arena, arena);
    }

    /** An engine that reads values which the arena does not have out of the one whose weights it uses. */
    public CheckedRun(DeviceArena arena, DeviceArena weights) {
        this.arena = arena;
        this.weights = weights;
    }

    /** The name of a value, which the step that makes it has too. */
    public static String name(NodeId id) {
        return VALUES.get(Math.toIntExact(id.value()) - 1).name();
    }

    public static MemoryPlan plan() {
        return plan(X, W, K, S, A, B, C, U, Y);
    }

    /** Another graph with the same weights, whose output lies over {@link #A}. */
    public static MemoryPlan other() {
        return plan(W, E);
    }

    private static MemoryPlan plan(NodeId... ids) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (NodeId id : ids) {
            Value value = VALUES.get(Math.toIntExact(id.value()) - 1);
            Optional<NodeId> state = id.equals(U) ? Optional.of(S) : Optional.empty();
            slots.put(id, new BufferSlot((long) value.place() * SLOT, SLOT));
            values.put(id, new PlanValue(value.name(), value.role(), DType.F32, List.of((long) N), state));
        }
        return new MemoryPlan(BYTES, slots, List.copyOf(slots.keySet()), values);
    }

    /** The input of a run: small numbers, so that every sum is exact. */
    public static float[] input(int run) {
        return floats(i -> i + run);
    }

    public static float[] weights() {
        return floats(i -> 2 - i);
    }

    private static float[] floats(IntToDoubleFunction element) {
        return TestData.floats(N, element);
    }

    /** What a correct run returns, and the state after it. */
    public static float[] output(int run, float[] state) {
        float[] input = input(run);
        float[] weights = weights();
        float[] output = new float[N];
        for (int i = 0; i < N; i++) {
            float c = 2 * (input[i] * weights[i] + 1);
            state[i] += c;
            output[i] = c + state[i];
        }
        return output;
    }

    public void load() {
        arena.writeInputF32(W, DType.F32, weights());
        arena.writeInputF32(K, DType.F32, TestData.floats(N, 1));
    }

    public void writeInput(int run) {
        arena.writeInputF32(X, DType.F32, input(run));
    }

    /** A whole run. */
    public float[] execute(int run) {
        runToC(run);
        sum(U, S, C);
        y();
        return arena.readOutputF32(Y, DType.F32, N);
    }

    /** The first half of a run. */
    public void runToC(int run) {
        writeInput(run);
        a();
        b();
        c();
    }

    public void a() {
        step(A, X, W, (x, w) -> x * w);
    }

    /** The first step, with other work. */
    public void a(Runnable work) {
        HostSteps.run(arena, name(A), List.of(X, W), List.of(A), work);
    }

    public void b() {
        sum(B, A, K);
    }

    public void c() {
        sum(C, B, B);
    }

    public void y() {
        sum(Y, C, U);
    }

    /** A step of one graph or the other, made of what both arenas' values hold. */
    public void sum(NodeId write, NodeId left, NodeId right) {
        step(write, left, right, Float::sum);
    }

    private void step(NodeId write, NodeId left, NodeId right, BinaryOperator<Float> op) {
        HostSteps.run(arena, name(write), List.of(left, right), List.of(write), () -> {
            float[] first = read(left);
            float[] second = read(right);
            write(write, floats(i -> op.apply(first[i], second[i])));
        });
    }

    /** Writes the first elements of a value without its name, as kernels do. */
    public void write(NodeId id, float[] elements) {
        arena.writeBytes(arena.byteOffset(id).orElseThrow(), MemorySegment.ofArray(elements));
    }

    private float[] read(NodeId id) {
        DeviceArena owner = arena.hasBuffer(id) ? arena : weights;
        float[] elements = new float[N];
        owner.readBytes(owner.byteOffset(id).orElseThrow(), MemorySegment.ofArray(elements));
        return elements;
    }
}
