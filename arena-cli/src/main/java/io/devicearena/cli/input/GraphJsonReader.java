package io.devicearena.cli.input;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.cli.message.FilePosition;
import io.devicearena.cli.message.InputException;
import io.devicearena.plan.ViewOf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads graphs in the format {@code device-arena-graph/1}: an object with {@code format}, {@code name}, {@code outputs}
 * (ids) and {@code nodes} in execution order, each with {@code id}, {@code name}, {@code role} (input, param, constant,
 * state, op, output), {@code shape}, {@code dtype}, {@code inputs} (ids), and for a view {@code viewOf} (an id) and
 * perhaps {@code viewFirstElement}; {@code fused} is true for an op that has no value in memory. {@code op} is the
 * operator's name, {@code inPlace} (ids) lists the inputs that the op may overwrite, {@code concat} is true if the
 * value is its inputs' elements one after another, and {@code after} (ids) lists control dependencies: nodes that must
 * run before, though they are not read. {@code updates} (an id) is the state, or the update of one, that the op changes
 * in place. Other keys are ignored.
 */
final class GraphJsonReader {
    static final String FORMAT = "device-arena-graph/1";

    /** Without this, the second of two equal keys would silently win. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final String file;
    private final JsonParser json;
    private final boolean sharesByOp;
    private final Map<NodeId, FileNode> nodes = new LinkedHashMap<>();
    private final Map<NodeId, FilePosition> places = new HashMap<>();

    private GraphJsonReader(String file, JsonParser json, boolean sharesByOp) {
        this.file = file;
        this.json = json;
        this.sharesByOp = sharesByOp;
    }

    /**
     * Reads a graph.
     *
     * @param sharesByOp whether the names of ops declare what may share a slot
     * @throws InputException if the text is not such a graph; the message has line and column
     */
    static FileGraph read(String file, String text, boolean sharesByOp) throws IOException {
        try (JsonParser json = FACTORY.createParser(text)) {
            try {
                return new GraphJsonReader(file, json, sharesByOp).graph();
            } catch (JacksonException e) {
                // a limit of the parser is exceeded where it reads
                JsonLocation at = e.getLocation() == null ? json.currentLocation() : e.getLocation();
                JsonFaultText fault = JsonFaultText.of(e, at, text, FACTORY.streamReadConstraints());
                throw new InputException(place(file, text, fault.place()), fault.problem());
            }
        }
    }

    private static FilePosition place(String file, String text, int at) {
        long line = text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
        return new FilePosition(file, line, at - text.lastIndexOf('\n', at - 1));
    }

    private FileGraph graph() throws IOException {
        if (json.nextToken() == null) {
            throw new InputException(
                    new FilePosition(file, 1, 1), "expected a graph of format '" + FORMAT + "', got an empty file");
        }
        expect(JsonToken.START_OBJECT, "an object with 'format' and 'nodes'");
        String name = file;
        boolean formatSeen = false;
        List<NodeId> outputs = List.of();
        FilePosition outputsPlace = null;
        boolean nodesSeen = false;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String key = json.currentName();
            json.nextToken();
            switch (key) {
                case "format" -> {
                    String format = text("format");
                    if (!format.equals(FORMAT)) {
                        throw fault("format: expected '" + FORMAT + "', got '" + format + "'");
                    }
                    formatSeen = true;
                }
                case "name" -> name = text("name");
                case "outputs" -> {
                    outputsPlace = place(file, json.currentTokenLocation());
                    outputs = ids("outputs");
                }
                case "nodes" -> {
                    readNodes();
                    nodesSeen = true;
                }
                default -> json.skipChildren();
            }
        }
        if (!formatSeen) {
            throw fault("format: expected '" + FORMAT + "', got no such key");
        }
        if (!nodesSeen) {
            throw fault("nodes: expected a list of nodes, got no such key");
        }
        if (json.nextToken() != null) {
            throw fault("expected the end of the file after the graph, got '" + json.getText() + "'");
        }
        return new FileGraph(
                file, name, List.copyOf(nodes.values()), outputs, places, Optional.ofNullable(outputsPlace));
    }

    private void readNodes() throws IOException {
        expect(JsonToken.START_ARRAY, "nodes: a list");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(JsonToken.START_OBJECT, "a node");
            FilePosition place = place(file, json.currentTokenLocation());
            FileNode node = node();
            FilePosition first = places.putIfAbsent(node.id(), place);
            if (first != null) {
                throw new InputException(
                        place,
                        "id: expected a unique one, got " + node.id().value() + ", which the node at line "
                                + first.line() + ", column " + first.column() + " has too");
            }
            nodes.put(node.id(), sharesByOp ? OnnxInPlaceOps.declared(node, nodes) : node);
        }
    }

    private FileNode node() throws IOException {
        NodeId id = null;
        String name = null;
        NodeRole role = null;
        DType dtype = null;
        List<Long> shape = null;
        List<NodeId> inputs = List.of();
        NodeId viewOf = null;
        long viewFirstElement = 0;
        boolean fused = false;
        String op = "";
        List<NodeId> inPlace = List.of();
        boolean concat = false;
        List<NodeId> after = List.of();
        NodeId updates = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String key = json.currentName();
            json.nextToken();
            switch (key) {
                case "id" -> id = id("id");
                case "name" -> name = text("name");
                case "role" -> role = role();
                case "dtype" -> dtype = dtype();
                case "shape" -> shape = shape();
                case "inputs" -> inputs = ids("inputs");
                case "viewOf" -> viewOf = id("viewOf");
                case "viewFirstElement" -> viewFirstElement = number("viewFirstElement");
                case "fused" -> fused = truth("fused");
                case "op" -> op = text("op");
                case "inPlace" -> inPlace = ids("inPlace");
                case "concat" -> concat = truth("concat");
                case "after" -> after = ids("after");
                case "updates" -> updates = id("updates");
                default -> json.skipChildren();
            }
        }
        NodeId known = required(id, "id");
        long firstElement = viewFirstElement;
        return new FileNode(
                known,
                name == null ? known.toString() : name,
                required(role, "role"),
                required(dtype, "dtype"),
                required(shape, "shape"),
                elements(required(shape, "shape")),
                inputs,
                Optional.ofNullable(viewOf).map(parent -> new ViewOf(parent, firstElement)),
                fused,
                op,
                inPlace,
                concat,
                after,
                Optional.ofNullable(updates));
    }

    private <T> T required(@Nullable T value, String key) {
        if (value == null) {
            throw fault("node: expected a key '" + key + "', got none");
        }
        return value;
    }

    private NodeRole role() throws IOException {
        String role = text("role");
        String name = role.toUpperCase(Locale.ROOT);
        try {
            return name.equals("PARAM") ? NodeRole.PARAMETER : NodeRole.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw fault("role: expected input, param, constant, state, op or output, got '" + role + "'");
        }
    }

    private DType dtype() throws IOException {
        try {
            return DType.parse(text("dtype"));
        } catch (IllegalArgumentException e) {
            throw fault(String.valueOf(e.getMessage()));
        }
    }

    private List<Long> shape() throws IOException {
        expect(JsonToken.START_ARRAY, "shape: a list of numbers");
        List<Long> shape = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            shape.add(number("shape"));
        }
        return List.copyOf(shape);
    }

    private long elements(List<Long> shape) {
        if (shape.contains(0L)) {
            return 0;
        }
        long elements = 1;
        for (long dimension : shape) {
            if (elements > Long.MAX_VALUE / dimension) {
                throw fault("shape: expected at most " + Long.MAX_VALUE + " elements, got " + shape);
            }
            elements *= dimension;
        }
        return elements;
    }

    private List<NodeId> ids(String key) throws IOException {
        expect(JsonToken.START_ARRAY, key + ": a list of ids");
        List<NodeId> ids = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
            ids.add(id(key));
        }
        return List.copyOf(ids);
    }

    private NodeId id(String key) throws IOException {
        return NodeId.of(number(key));
    }

    private long number(String key) throws IOException {
        expect(JsonToken.VALUE_NUMBER_INT, key + ": a whole number");
        long number;
        try {
            number = json.getLongValue();
        } catch (InputCoercionException e) {
            throw fault(
                    key + ": expected a whole number from 0 to " + Long.MAX_VALUE + ", got '" + json.getText() + "'");
        }
        if (number < 0) {
            throw fault(key + ": expected 0 or more, got " + number);
        }
        return number;
    }

    private String text(String key) throws IOException {
        expect(JsonToken.VALUE_STRING, key + ": a text");
        return json.getText();
    }

    private boolean truth(String key) throws IOException {
        if (json.currentToken() != JsonToken.VALUE_TRUE) {
            expect(JsonToken.VALUE_FALSE, key + ": true or false");
        }
        return json.getBooleanValue();
    }

    private void expect(JsonToken token, String what) throws IOException {
        if (json.currentToken() != token) {
            String got = json.currentToken() == null ? "the end of the file" : "'" + json.getText() + "'";
            throw fault("expected " + what + ", got " + got);
        }
    }

    private InputException fault(String problem) {
        return new InputException(place(file, json.currentTokenLocation()), problem);
    }

    private static FilePosition place(String file, JsonLocation at) {
        return new FilePosition(file, at.getLineNr(), at.getColumnNr());
    }
}
