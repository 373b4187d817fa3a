package io.devicearena.plan.testing;

import io.devicearena.BufferSlot;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.ViewOf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Executes a graph on the bytes of a plan, with ops that make a hash of all they read, element after element: of an
 * input that it may be written over an op reads an element just before it writes that one, of others it reads
 * everything before it writes and again when half is written. A concatenation copies what is not in its place yet. So
 * sharing that changes a result changes a hash.
 */
public final class ToyExecution {
    private final Map<NodeId, TestNode> nodes = new HashMap<>();
    private final Map<NodeId, BufferSlot> slots;
    private final PlanOptions options;
    private final byte[] memory;
    private final Map<NodeId, Integer> results = new LinkedHashMap<>();

    private ToyExecution(TestGraph graph, Map<NodeId, BufferSlot> slots, PlanOptions options) {
        graph.nodes().forEach(node -> nodes.put(node.id(), node));
        this.slots = slots;
        this.options = options;
        this.memory = new byte
                [Math.toIntExact(
                        slots.values().stream().mapToLong(BufferSlot::end).max().orElse(0))];
    }

    /** The hash of each op's value, as it was made, and of what the host reads at the end. */
    public static List<Map<NodeId, Integer>> onThePlan(TestGraph graph, MemoryPlan plan, PlanOptions options) {
        return new ToyExecution(graph, plan.slots(), options).run(graph, plan.schedule());
    }

    /** The same where every value has bytes of its own and nodes run as they stand. */
    public static List<Map<NodeId, Integer>> apart(TestGraph graph, PlanOptions options) {
        Map<NodeId, BufferSlot> slots = new HashMap<>();
        long end = 0;
        for (TestNode node : graph.nodes()) {
            long bytes = elementBytes(node, options);
            if (node.view().isPresent()) {
                ViewOf view = node.view().get();
                BufferSlot parent = Objects.requireNonNull(slots.get(view.parent()));
                slots.put(
                        node.id(),
                        new BufferSlot(parent.offset() + view.firstElement() * bytes, node.elements() * bytes));
            } else if (!node.isFused()) {
                slots.put(node.id(), new BufferSlot(end, node.elements() * bytes));
                end += node.elements() * bytes;
            }
        }
        return new ToyExecution(graph, slots, options)
                .run(graph, graph.nodes().stream().map(TestNode::id).toList());
    }

    private List<Map<NodeId, Integer>> run(TestGraph graph, List<NodeId> schedule) {
        for (TestNode node : graph.nodes()) {
            if (node.role().isPersistent() && node.view().isEmpty()) {
                for (long i = 0; i < node.elements() * elementBytes(node); i++) {
                    memory[at(node, i)] = (byte) mix((int) node.id().value(), (int) i);
                }
            }
        }
        for (NodeId id : schedule) {
            TestNode node = node(id);
            if (!node.role().isPersistent() && node.view().isEmpty() && !node.isFused()) {
                if (node.isConcatenation()) {
                    join(node);
                } else {
                    compute(node);
                }
                results.put(id, Arrays.hashCode(read(node)));
            }
        }
        Map<NodeId, Integer> atTheEnd = new HashMap<>();
        for (TestNode node : graph.nodes()) {
            if (node.role().isPersistent()
                    || node.role() == NodeRole.OUTPUT
                    || graph.outputs().contains(node.id())) {
                atTheEnd.put(node.id(), Arrays.hashCode(read(node)));
            }
        }
        return List.of(results, atTheEnd);
    }

    private void join(TestNode node) {
        long place = 0;
        for (NodeId id : node.inputs()) {
            TestNode input = node(id);
            byte[] part = input.isFused() ? null : read(input);
            int from = part == null ? -1 : at(input, 0);
            byte[] bytes = part == null ? fused(input) : part;
            if (from != at(node, place)) {
                System.arraycopy(bytes, 0, memory, at(node, place), bytes.length);
            }
            place += bytes.length;
        }
    }

    private void compute(TestNode node) {
        long width = elementBytes(node);
        int others = others(node);
        for (long element = 0; element < node.elements(); element++) {
            if (element == node.elements() / 2) {
                others = others(node);
            }
            int hash = mix(others, (int) element);
            for (NodeId id : node.inPlaceInputs()) {
                TestNode input = node(id);
                if (!input.isFused() && element < input.elements()) {
                    for (long i = 0; i < elementBytes(input); i++) {
                        hash = mix(hash, memory[at(input, element * elementBytes(input) + i)]);
                    }
                }
            }
            for (long i = 0; i < width; i++) {
                memory[at(node, element * width + i)] = (byte) mix(hash, (int) i);
            }
        }
    }

    /** A hash of the inputs that the node may not be written over. */
    private int others(TestNode node) {
        int hash = (int) node.id().value();
        for (NodeId id : node.inputs()) {
            TestNode input = node(id);
            if (input.isFused()) {
                hash = mix(hash, Arrays.hashCode(fused(input)));
            } else if (!node.inPlaceInputs().contains(id)) {
                hash = mix(hash, Arrays.hashCode(read(input)));
            }
        }
        return hash;
    }

    /** The value of a fused op, made from what its inputs are now. */
    private byte[] fused(TestNode node) {
        List<Integer> hashes = new ArrayList<>();
        for (NodeId id : node.inputs()) {
            hashes.add(Arrays.hashCode(node(id).isFused() ? fused(node(id)) : read(node(id))));
        }
        byte[] value = new byte[Math.toIntExact(node.elements() * elementBytes(node))];
        for (int i = 0; i < value.length; i++) {
            value[i] = (byte) mix(hashes.hashCode(), i);
        }
        return value;
    }

    private byte[] read(TestNode node) {
        byte[] value = new byte[Math.toIntExact(node.elements() * elementBytes(node))];
        for (int i = 0; i < value.length; i++) {
            value[i] = memory[at(node, i)];
        }
        return value;
    }

    private int at(TestNode node, long place) {
        return Math.toIntExact(Objects.requireNonNull(slots.get(node.id())).offset() + place);
    }

    private TestNode node(NodeId id) {
        return Objects.requireNonNull(nodes.get(id));
    }

    private long elementBytes(TestNode node) {
        return elementBytes(node, options);
    }

    /** From one element to the next: a uniform plan widens floats, but no other type. */
    private static long elementBytes(TestNode node, PlanOptions options) {
        long slotBytes = options.elementBytes(node.dtype());
        return node.dtype().isHostFloat() ? slotBytes : Math.min(node.dtype().bytes(), slotBytes);
    }

    private static int mix(int a, int b) {
        int mixed = (a ^ 0x9E3779B9) * 0x85EBCA6B + b;
        mixed = (mixed ^ (mixed >>> 15)) * 0xC2B2AE35;
        return mixed ^ (mixed >>> 13);
    }
}
