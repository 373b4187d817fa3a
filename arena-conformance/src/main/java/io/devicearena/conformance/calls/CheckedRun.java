package io.devicearena.conformance.calls;

import io.devicearena.ArenaOptions;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.diagnostics.HostSteps;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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

    public static ArenaOptions checks() {
        return ArenaOptions.defaults().withChecks();
    }

    public static MemoryPlan plan() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        add(slots, values, X, "x", NodeRole.INPUT, 0);
        add(slots, values, W, "w", NodeRole.PARAMETER, 1);
        add(slots, values, K, "k", NodeRole.CONSTANT, 2);
        add(slots, values, S, "s", NodeRole.STATE, 3);
        add(slots, values, A, "a", NodeRole.OP, 4);
        add(slots, values, B, "b", NodeRole.OP, 5);
        add(slots, values, C, "c", NodeRole.OP, 4);
        slots.put(U, new BufferSlot(3 * SLOT, SLOT));
        values.put(U, new PlanValue("u", NodeRole.OP, DType.F32, List.of((long) N), Optional.of(S)));
        add(slots, values, Y, "y", NodeRole.OUTPUT, 6);
        return new MemoryPlan(BYTES, slots, List.copyOf(slots.keySet()), values);
    }

    /** Another graph with the same weights, whose output lies over {@link #A}. */
    public static MemoryPlan other() {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        add(slots, values, W, "w", NodeRole.PARAMETER, 1);
        add(slots, values, E, "e", NodeRole.OUTPUT, 4);
        return new MemoryPlan(BYTES, slots, List.copyOf(slots.keySet()), values);
    }

    private static void add(
            Map<NodeId, BufferSlot> slots,
            Map<NodeId, PlanValue> values,
            NodeId id,
            String name,
            NodeRole role,
            int place) {
        slots.put(id, new BufferSlot((long) place * SLOT, SLOT));
        values.put(id, new PlanValue(name, role, DType.F32, List.of((long) N), Optional.empty()));
    }

    /** The input of a run: small numbers, so that every sum is exact. */
    public static float[] input(int run) {
        float[] input = new float[N];
        for (int i = 0; i < N; i++) {
            input[i] = i + run;
        }
        return input;
    }

    /** The weights. */
    public static float[] weights() {
        float[] weights = new float[N];
        for (int i = 0; i < N; i++) {
            weights[i] = 2 - i;
        }
        return weights;
    }

    /** What a correct run returns, and the state after it. */
    public static float[] output(int run, float[] state) {
        float[] output = new float[N];
        for (int i = 0; i < N; i++) {
            float c = 2 * (input(run)[i] * weights()[i] + 1);
            state[i] += c;
            output[i] = c + state[i];
        }
        return output;
    }

    public void load() {
        arena.writeInputF32(W, DType.F32, weights());
        arena.writeInputF32(K, DType.F32, new float[] {1, 1, 1, 1, 1, 1, 1, 1});
    }

    public void writeInput(int run) {
        arena.writeInputF32(X, DType.F32, input(run));
    }

    public float[] readOutput() {
        return arena.readOutputF32(Y, DType.F32, N);
    }

    /** A whole run. */
    public float[] execute(int run) {
        writeInput(run);
        a();
        b();
        c();
        u();
        y();
        return readOutput();
    }

    public void a() {
        step("a", List.of(X, W), A, (x, w) -> x * w);
    }

    public void b() {
        step("b", List.of(A, K), B, Float::sum);
    }

    public void c() {
        step("c", List.of(B, B), C, Float::sum);
    }

    public void u() {
        step("u", List.of(S, C), U, Float::sum);
    }

    public void y() {
        step("y", List.of(C, U), Y, Float::sum);
    }

    /** A step of one graph or the other, made of what both arenas' values hold. */
    public void step(String label, List<NodeId> reads, NodeId write, Elementwise op) {
        HostSteps.run(arena, label, reads, List.of(write), () -> {
            float[] left = read(reads.getFirst());
            float[] right = read(reads.getLast());
            float[] made = new float[N];
            for (int i = 0; i < N; i++) {
                made[i] = op.apply(left[i], right[i]);
            }
            write(write, made);
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

    /** What a step does to the elements of its two inputs. */
    public interface Elementwise {
        float apply(float left, float right);
    }
}
