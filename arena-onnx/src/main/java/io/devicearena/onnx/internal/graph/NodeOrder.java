package io.devicearena.onnx.internal.graph;

import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;

/** An order of nodes in which each value is made before it is read: the file's own, where it is one. */
final class NodeOrder {
    /** More names of a cycle make a message no clearer. */
    private static final int MOST_NAMES = 8;

    private final Path file;
    private final List<NodeProto> nodes;
    private final Map<String, Integer> makers = new HashMap<>();
    private final List<List<Integer>> readers = new ArrayList<>();
    private final int[] waiting;

    private NodeOrder(Path file, List<NodeProto> nodes, Set<String> known) {
        this.file = file;
        this.nodes = nodes;
        this.waiting = new int[nodes.size()];
        for (int i = 0; i < nodes.size(); i++) {
            readers.add(new ArrayList<>());
            for (String output : nodes.get(i).getOutputList()) {
                if (!output.isEmpty() && (known.contains(output) || makers.putIfAbsent(output, i) != null)) {
                    throw fault(i, "expected outputs with names of their own, got '" + output + "' again");
                }
            }
        }
        for (int i = 0; i < nodes.size(); i++) {
            for (String input : nodes.get(i).getInputList()) {
                Integer maker = makers.get(input);
                if (maker != null) {
                    readers.get(maker).add(i);
                    waiting[i]++;
                } else if (!input.isEmpty() && !known.contains(input)) {
                    throw fault(
                            i,
                            "expected to read inputs, weights and values of nodes, got '" + input
                                    + "', which nothing makes");
                }
            }
        }
    }

    /**
     * Sorts nodes: of those whose inputs are made, the first in the file comes next.
     *
     * @param known the values that no node makes
     * @throws OnnxException if nodes read each other in a cycle, read what nothing makes, or make a value twice
     */
    static List<NodeProto> sorted(Path file, List<NodeProto> nodes, Set<String> known) {
        return new NodeOrder(file, nodes, known).sorted();
    }

    private OnnxException fault(int node, String problem) {
        return new OnnxException(file, OnnxGraphReader.label(nodes.get(node)) + ": " + problem);
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
        if (sorted.size() < nodes.size()) {
            throw cycle();
        }
        return sorted;
    }

    /** Every node that still waits reads a value of another such node. */
    private OnnxException cycle() {
        int node = 0;
        while (waiting[node] == 0) {
            node++;
        }
        Set<Integer> path = new LinkedHashSet<>();
        while (path.add(node)) {
            node = nodes.get(node).getInputList().stream()
                    .filter(makers::containsKey)
                    .map(makers::get)
                    .filter(maker -> waiting[maker] > 0)
                    .findFirst()
                    .orElseThrow();
        }
        int begin = node;
        List<String> cycle = path.stream()
                .dropWhile(each -> each != begin)
                .map(each -> OnnxGraphReader.label(nodes.get(each)))
                .toList();
        String last = cycle.size() > MOST_NAMES ? "others" : cycle.getFirst();
        return fault(
                begin,
                "expected values that are made before they are read, got a cycle of " + cycle.size()
                        + (cycle.size() == 1 ? " node: " : " nodes: ")
                        + cycle.stream().limit(MOST_NAMES).collect(Collectors.joining(" reads from "))
                        + " reads from " + last);
    }
}
