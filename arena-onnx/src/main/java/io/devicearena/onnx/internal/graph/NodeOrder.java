package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** An order of nodes in which each value is made before it is read: the file's own, where it is one. */
final class NodeOrder {
    /** More names of a cycle make a message no clearer. */
    private static final int MOST_NAMES = 8;

    private final List<NodeProto> nodes;
    private final List<List<Integer>> made = new ArrayList<>();
    private final List<List<Integer>> readers = new ArrayList<>();
    private final int[] waiting;

    private NodeOrder(List<NodeProto> nodes) {
        this.nodes = nodes;
        this.waiting = new int[nodes.size()];
        Map<String, Integer> makers = new HashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            made.add(new ArrayList<>());
            readers.add(new ArrayList<>());
            for (String output : nodes.get(i).getOutputList()) {
                makers.putIfAbsent(output, i);
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (String input : nodes.get(i).getInputList()) {
                Integer maker = input.isEmpty() ? null : makers.get(input);
                if (maker != null) {
                    made.get(i).add(maker);
                    readers.get(maker).add(i);
                    waiting[i]++;
                }
            }
        }
    }

    /**
     * Sorts nodes: of those whose inputs are made, the first in the file comes next.
     *
     * @throws OnnxException if nodes read each other's values in a cycle
     */
    static List<NodeProto> sorted(Path file, List<NodeProto> nodes) {
        NodeOrder order = new NodeOrder(nodes);
        List<NodeProto> sorted = order.sorted();
        if (sorted.size() < nodes.size()) {
            throw new OnnxException(file, order.cycle());
        }
        return sorted;
    }

    private List<NodeProto> sorted() {
        PriorityQueue<Integer> ready = new PriorityQueue<>();
        for (int i = 0; i < waiting.length; i++) {
            if (waiting[i] == 0) {
                ready.add(i);
            }
        }
        List<NodeProto> sorted = new ArrayList<>();
        while (!ready.isEmpty()) {
            int next = ready.remove();
            sorted.add(nodes.get(next));
            for (int reader : readers.get(next)) {
                if (--waiting[reader] == 0) {
                    ready.add(reader);
                }
            }
        }
        return sorted;
    }

    /** Every node that still waits reads a value of another such node. */
    private String cycle() {
        int node = 0;
        while (waiting[node] == 0) {
            node++;
        }
        Map<Integer, Integer> places = new HashMap<>();
        List<Integer> path = new ArrayList<>();
        while (places.putIfAbsent(node, path.size()) == null) {
            path.add(node);
            node = made.get(node).stream()
                    .filter(maker -> waiting[maker] > 0)
                    .findFirst()
                    .orElseThrow();
        }
        List<Integer> cycle = new ArrayList<>(path.subList(places.getOrDefault(node, 0), path.size()));
        StringBuilder text = new StringBuilder(OnnxGraphReader.label(nodes.get(node)))
                .append(": expected values that are made before they are read, got a cycle of ")
                .append(cycle.size())
                .append(cycle.size() == 1 ? " node: " : " nodes: ");
        cycle.stream()
                .limit(MOST_NAMES)
                .forEach(each ->
                        text.append(OnnxGraphReader.label(nodes.get(each))).append(" reads from "));
        return text.append(cycle.size() > MOST_NAMES ? "others" : OnnxGraphReader.label(nodes.get(node)))
                .toString();
    }
}
