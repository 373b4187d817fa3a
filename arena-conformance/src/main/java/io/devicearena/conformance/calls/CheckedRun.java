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
import java.util.function.IntToDoubleFunction;

/**
 * The graph of the clauses about checks, and an engine that runs it through the calls of any arena. The name of a value
 * is a letter, and that of a step is that of the value it makes; several letters are several values.
 *
 * @param arena where the graph runs
 * @param weights the arena whose weights it uses, for values that it does not have itself
 */
public record CheckedRun(DeviceArena arena, DeviceArena weights) {
    /** Elements of each value. */
    public static final int N = 8;

    /** Bytes of each slot: a value and a guard. */
    public static final int SLOT = 48;

    /** Where {@code w} begins. */
    public static final int W_OFFSET = SLOT;

    /** Where {@code a} begins. */
    public static final int A_OFFSET = 4 * SLOT;

    /** A value: in which slot it is, and what its step reads. */
    private record Value(String name, NodeRole role, int place, String reads) {}

    /**
     * In the order of their ids. {@code c} lies over {@code a}, {@code u} is the update of the state {@code s}, and
     * {@code e} is of another graph.
     */
    private static final List<Value> VALUES = List.of(
            new Value("x", NodeRole.INPUT, 0, ""),
            new Value("w", NodeRole.PARAMETER, 1, ""),
            new Value("k", NodeRole.CONSTANT, 2, ""),
            new Value("s", NodeRole.STATE, 3, ""),
            new Value("a", NodeRole.OP, 4, "xw"), // a product; the others are sums
            new Value("b", NodeRole.OP, 5, "ak"),
            new Value("c", NodeRole.OP, 4, "bb"),
            new Value("u", NodeRole.OP, 3, "sc"),
            new Value("y", NodeRole.OUTPUT, 6, "cu"),
            new Value("e", NodeRole.OUTPUT, 4, "ww"));

    public CheckedRun(DeviceArena arena) {
        this(arena, arena);
    }

    /** The ids of values; that of an unknown letter is in neither graph. */
    public static List<NodeId> ids(String names) {
        List<String> known = VALUES.stream().map(Value::name).toList();
        return names.chars()
                .mapToObj(letter -> known.indexOf(Character.toString(letter)))
                .map(index -> NodeId.of(index < 0 ? known.size() + 1L : index + 1L))
                .toList();
    }

    public static NodeId id(String name) {
        return ids(name).getFirst();
    }

    public static MemoryPlan plan() {
        return plan("xwksabcuy");
    }

    /** Another graph with the same weights, whose output lies over {@code a}. */
    public static MemoryPlan other() {
        return plan("we");
    }

    private static MemoryPlan plan(String names) {
        Map<NodeId, BufferSlot> slots = new LinkedHashMap<>();
        Map<NodeId, PlanValue> values = new LinkedHashMap<>();
        for (NodeId id : ids(names)) {
            Value value = VALUES.get(Math.toIntExact(id.value()) - 1);
            Optional<NodeId> state = value.name().equals("u") ? Optional.of(id("s")) : Optional.empty();
            slots.put(id, new BufferSlot((long) value.place() * SLOT, SLOT));
            values.put(id, new PlanValue(value.name(), value.role(), DType.F32, List.of((long) N), state));
        }
        return new MemoryPlan(7 * SLOT, slots, List.copyOf(slots.keySet()), values);
    }

    private static float[] floats(IntToDoubleFunction element) {
        return TestData.floats(N, element);
    }

    public static float[] initialWeights() {
        return floats(i -> 2 - i);
    }

    /** What a correct run returns, and the state after it: numbers are small, so that every sum is exact. */
    public static float[] output(int run, float[] state) {
        float[] weights = initialWeights();
        return floats(i -> {
            float c = 2 * ((i + run) * weights[i] + 1);
            state[i] += c;
            return c + state[i];
        });
    }

    public void load() {
        write("w", initialWeights());
        write("k", TestData.floats(N, 1));
    }

    /** Writes a value by its name. */
    public void write(String name, float[] elements) {
        arena.writeInputF32(id(name), DType.F32, elements);
    }

    /** A whole run. */
    public float[] execute(int run) {
        execute(run, "xabcuy");
        return arena.readOutputF32(id("y"), DType.F32, N);
    }

    /** Some steps of a run; {@code x} writes its input. */
    public void execute(int run, String steps) {
        steps.chars().mapToObj(Character::toString).forEach(name -> {
            if (name.equals("x")) {
                write("x", floats(i -> i + run));
            } else {
                step(name);
            }
        });
    }

    public void step(String name) {
        step(name, VALUES.get(Math.toIntExact(id(name).value()) - 1).reads());
    }

    /** A step that reads two other values. */
    public void step(String name, String reads) {
        step(name, reads, () -> {
            float[] left = read(id(reads.substring(0, 1)));
            float[] right = read(id(reads.substring(1)));
            overwrite(name, floats(i -> name.equals("a") ? left[i] * right[i] : left[i] + right[i]));
        });
    }

    /** A step with other work. */
    public void step(String name, String reads, Runnable work) {
        HostSteps.run(arena, name, ids(reads), ids(name), work);
    }

    /** Writes the first elements of a value without its name, as kernels do. */
    public void overwrite(String name, float[] elements) {
        arena.writeBytes(arena.byteOffset(id(name)).orElseThrow(), MemorySegment.ofArray(elements));
    }

    private float[] read(NodeId id) {
        DeviceArena owner = arena.hasBuffer(id) ? arena : weights;
        float[] elements = new float[N];
        owner.readBytes(owner.byteOffset(id).orElseThrow(), MemorySegment.ofArray(elements));
        return elements;
    }
}
