package io.devicearena.plan.testing;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.plan.LiveBuffer;
import io.devicearena.plan.ViewOf;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.text.BufferCsv;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Networks and traces from the test resources. */
public final class TestResources {
    private TestResources() {}

    public static TestGraph network(String name) throws IOException {
        TestGraph graph = new TestGraph();
        try (BufferedReader reader = open(name + ".graph.tsv")) {
            reader.lines().skip(1).forEach(line -> graph.node(node(line.split("\t", -1))));
        }
        return graph;
    }

    private static TestNode node(String[] fields) {
        List<NodeId> inputs = Arrays.stream(fields[4].split(","))
                .filter(id -> !id.isEmpty())
                .map(TestResources::id)
                .toList();
        return new TestNode(
                id(fields[0]),
                NodeRole.valueOf(fields[1].toUpperCase(Locale.ROOT)),
                DType.parse(fields[3]),
                Long.parseLong(fields[2]),
                inputs,
                fields[5].isEmpty() ? Optional.empty() : Optional.of(ViewOf.whole(id(fields[5]))),
                false);
    }

    private static NodeId id(String field) {
        return NodeId.of(Long.parseLong(field));
    }

    /** The problem that a trace poses, from the address zero on. */
    public static PlacementProblem problem(String name, long alignment) throws IOException {
        List<LiveBuffer> buffers = trace(name);
        return new PlacementProblem(
                buffers.stream().mapToLong(LiveBuffer::size).toArray(),
                buffers.stream().mapToLong(LiveBuffer::firstStep).toArray(),
                buffers.stream().mapToLong(LiveBuffer::endStep).toArray(),
                alignment,
                0);
    }

    public static List<LiveBuffer> trace(String name) throws IOException {
        try (BufferedReader reader = open(name + ".csv")) {
            return BufferCsv.read(reader);
        }
    }

    private static BufferedReader open(String name) {
        InputStream stream = TestResources.class.getResourceAsStream("/io/devicearena/plan/" + name);
        return new BufferedReader(new InputStreamReader(Objects.requireNonNull(stream, name), StandardCharsets.UTF_8));
    }
}
