package io.devicearena.wgpu.kernel;

import static io.devicearena.wgpu.testing.TestArenas.kernels;

import io.devicearena.ArenaOptions;
import io.devicearena.Batch;
import io.devicearena.BufferSlot;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.PlanValue;
import io.devicearena.kernel.Binding;
import io.devicearena.kernel.Bindings;
import io.devicearena.kernel.Kernel;
import io.devicearena.kernel.KernelProgram;
import io.devicearena.kernel.Recorder;
import io.devicearena.kernel.Workgroups;
import io.devicearena.wgpu.testing.KernelArenas;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A small graph with what graphs have: reused bytes, guard bytes, a state, a concatenation, an in-place op and a view;
 * and an engine that runs it with kernels, as a list of steps for tests to spoil.
 */
final class CheckedKernels implements AutoCloseable {
    static final int N = 64;
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

    /** The bytes of a value, and of the guard behind it. */
    private static final long VALUE = 4L * N;

    final DeviceArena arena;
    final Map<String, Consumer<Recorder>> steps = new LinkedHashMap<>();
    final float[] input = new float[N];
    final float[] weights = new float[N];
    final float[] result = new float[N];
    final Batch inputs = Batch.builder().floats(X, DType.F32, input).build();
    final Batch outputs = Batch.builder().floats(Y, DType.F32, result).build();

    CheckedKernels(boolean checked) {
        this(checked, ArenaOptions.defaults());
    }

    CheckedKernels(boolean checked, ArenaOptions options) {
        arena = KernelArenas.open(plan(), checked ? options.withChecks() : options);
        for (int i = 0; i < N; i++) {
            input[i] = i * 0.25f;
            weights[i] = 1 - i * 0.0078125f;
        }
        add("a", A, "x0[i] * x1[i]", X, W);
        add("b", B, "exp(x0[i] - 16.0) / sum_exp(16.0)", A);
        add("c", C, "x0[i] / norm()", B);
        steps.put(
                "u",
                recorder -> recorder.dispatchWriting(
                        kernel("u", 1, "out[i] + x0[i]", N), bind(V, S), Workgroups.covering(N, 16), U));
        add("p", P, "2.0 * x0[i]", C);
        add("q", Q, "x0[i] + x1[i]", V, K);
        steps.put(
                "d",
                recorder -> recorder.dispatchWriting(
                        kernel("d", 0, "max(out[i], 0.0)", 2 * N), bind(J), Workgroups.covering(2 * N, 16), D));
        add("y", Y, "x0[i] + x0[i + 64u] + x1[i]", D, U);
    }

    static MemoryPlan plan() {
        Plan plan = new Plan();
        plan.value(X, "x", NodeRole.INPUT, null, 0, 1);
        plan.value(W, "w", NodeRole.PARAMETER, null, 512, 1);
        plan.value(K, "k", NodeRole.CONSTANT, null, 1024, 1);
        plan.value(S, "s", NodeRole.STATE, null, 1536, 1);
        plan.put(H, "h", NodeRole.PARAMETER, DType.F16, null, 2048, 512, N);
        plan.value(A, "a", NodeRole.OP, null, 2560, 1);
        plan.value(B, "b", NodeRole.OP, null, 3072, 1);
        plan.value(C, "c", NodeRole.OP, null, 2560, 1);
        plan.value(V, "v", NodeRole.OP, C, 2560, 1);
        plan.value(U, "u", NodeRole.OP, S, 1536, 1);
        plan.put(P, "p", NodeRole.OP, DType.F32, J, 3584, VALUE, N);
        plan.put(Q, "q", NodeRole.OP, DType.F32, J, 3584 + VALUE, VALUE, N);
        plan.value(J, "j", NodeRole.OP, null, 3584, 2);
        plan.value(D, "d", NodeRole.OP, null, 3584, 2);
        plan.value(Y, "y", NodeRole.OUTPUT, null, 3072, 1);
        return plan.build();
    }

    /** Another graph, whose activation lies over those of the first one. */
    static MemoryPlan other() {
        Plan plan = new Plan();
        plan.value(W, "w", NodeRole.PARAMETER, null, 512, 1);
        plan.value(S, "s", NodeRole.STATE, null, 1536, 1);
        plan.value(E, "e", NodeRole.OUTPUT, null, 2560, 1);
        return plan.build();
    }

    /** Collects values. */
    private static final class Plan {
        private final Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        private final Map<NodeId, PlanValue> values = new LinkedHashMap<>();

        void value(NodeId id, String name, NodeRole role, @Nullable NodeId partOf, long offset, int parts) {
            put(id, name, role, DType.F32, partOf, offset, (parts + 1) * VALUE, (long) parts * N);
        }

        void put(
                NodeId id,
                String name,
                NodeRole role,
                DType dtype,
                @Nullable NodeId partOf,
                long offset,
                long bytes,
                long elements) {
            slots.put(id, new BufferSlot(offset, bytes));
            values.put(id, new PlanValue(name, role, dtype, List.of(elements), Optional.ofNullable(partOf)));
        }

        MemoryPlan build() {
            return new MemoryPlan(4608, slots, List.copyOf(slots.keySet()), values);
        }
    }

    /** A kernel that writes an expression of i, x0, x1 … and out to each element of out. */
    Kernel kernel(String label, int inputs, String element, int elements) {
        return kernel(arena, label, inputs, "out[i] = " + element + ";", elements);
    }

    static Kernel kernel(DeviceArena arena, String label, int inputs, String statement, int elements) {
        StringBuilder wgsl = new StringBuilder();
        for (int i = 0; i < inputs; i++) {
            wgsl.append("@group(0) @binding(" + i + ") var<storage, read> x" + i + ": array<f32>;\n");
        }
        wgsl.append("@group(0) @binding(" + inputs + ") var<storage, read_write> out: array<f32>;\n");
        if (inputs > 0) {
            wgsl.append("""
                    fn sum_exp(most: f32) -> f32 {
                        var sum = 0.0;
                        for (var j = 0u; j < 64u; j++) { sum += exp(x0[j] - most); }
                        return sum;
                    }
                    fn norm() -> f32 {
                        var sum = 0.0;
                        for (var j = 0u; j < 64u; j++) { sum += x0[j] * x0[j]; }
                        return sqrt(sum);
                    }
                    """);
        }
        wgsl.append("""
                @compute @workgroup_size(16)
                fn main(@builtin(global_invocation_id) id: vec3<u32>) {
                    let i = id.x;
                    if (i < ELEMENTSu) { STATEMENT }
                }
                """.replace("ELEMENTS", String.valueOf(elements)).replace("STATEMENT", statement));
        return kernels(arena).compile(KernelSource.of(label, wgsl.toString()));
    }

    Bindings bind(NodeId... ids) {
        return Bindings.of(
                Arrays.stream(ids).map(id -> kernels(arena).window(id)).toArray(Binding[]::new));
    }

    /** Adds or replaces a step that writes a value. */
    void add(String label, NodeId out, String element, NodeId... reads) {
        add(label, out, "out[i] = " + element + ";", N, N, reads);
    }

    void add(String label, NodeId out, String statement, int elements, int invocations, NodeId... reads) {
        List<NodeId> bound = new ArrayList<>(List.of(reads));
        bound.add(out);
        steps.put(
                label,
                recorder -> recorder.dispatch(
                        kernel(arena, label, reads.length, statement, elements),
                        bind(bound.toArray(NodeId[]::new)),
                        Workgroups.covering(invocations, 16)));
    }

    KernelProgram program() {
        return program(steps.keySet().toArray(String[]::new));
    }

    KernelProgram program(String... labels) {
        Recorder recorder = kernels(arena).recorder();
        for (String label : labels) {
            Objects.requireNonNull(steps.get(label)).accept(recorder.labelled(label));
        }
        return recorder.build();
    }

    void load() {
        arena.writeInputF32(W, DType.F32, weights);
        arena.writeInputF32(K, DType.F32, new float[N]);
    }

    /** One whole execution; the output is in {@link #result}. */
    void execute() {
        program().run(inputs, outputs);
    }

    @Override
    public void close() {
        arena.close();
    }
}
