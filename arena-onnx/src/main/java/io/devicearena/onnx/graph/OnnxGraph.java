package io.devicearena.onnx.graph;

import io.devicearena.DType;
import io.devicearena.MemoryPlan;
import io.devicearena.NodeId;
import io.devicearena.plan.PlanGraph;
import io.devicearena.plan.size.SizeExpression;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The graph of an ONNX file with the sizes of all its values: what each operator computes, and what is in memory.
 *
 * <p>Values in memory are {@link #nodes}: inputs first, then the weights that an operator reads, and the values of the
 * operators in their order. What is known before the graph runs has no operator: shapes, and what is computed from
 * them. Where it only says what an operator does, as the second operand of a {@code Reshape}, it has no memory either;
 * {@link #constant} has its elements.
 *
 * <p>A graph does not change: each method that rewrites it returns another one, for the planner as this one is.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class OnnxGraph implements PlanGraph {
    private final String name;
    private final Map<NodeId, OnnxNode> nodes;
    private final List<OnnxOperator> operators;
    private final List<NodeId> outputs;
    private final Map<NodeId, OnnxConstant> constants;
    private final Map<NodeId, List<SizeExpression>> elements; // of constants that are others at other sizes

    private OnnxGraph(
            String name,
            Map<NodeId, OnnxNode> nodes,
            List<OnnxOperator> operators,
            List<NodeId> outputs,
            Map<NodeId, OnnxConstant> constants,
            Map<NodeId, List<SizeExpression>> elements) {
        this.name = name;
        this.nodes = Collections.unmodifiableMap(nodes);
        this.operators = List.copyOf(operators);
        this.outputs = List.copyOf(outputs);
        this.constants = Collections.unmodifiableMap(constants);
        this.elements = Map.copyOf(elements);
    }

    /**
     * Makes a graph; {@code OnnxModel.graph} reads one from a file. What values read and share memory with follows from
     * the operators. Weights that no operator reads are left out.
     *
     * @param name the name in the file, or empty
     * @param values the values: inputs and weights, and all that operators make
     * @param operators the operators, each after those whose values it reads
     * @param outputs the values that the graph returns
     * @param constants the elements of weights, and of operands that have no memory
     * @return the graph
     * @throws IllegalArgumentException if an operator reads or makes what is no value
     */
    public static OnnxGraph of(
            String name,
            List<OnnxNode> values,
            List<OnnxOperator> operators,
            List<NodeId> outputs,
            Map<NodeId, OnnxConstant> constants) {
        Map<NodeId, OnnxNode> types = new LinkedHashMap<>();
        values.forEach(value -> types.put(value.id(), value));
        return made(
                Objects.requireNonNull(name, "name"),
                types,
                operators,
                outputs,
                new HashMap<>(constants),
                Map.of(),
                Set.of());
    }

    /** Makes a graph; values in {@code kept} stay as they are. */
    private static OnnxGraph made(
            String name,
            Map<NodeId, OnnxNode> values,
            List<OnnxOperator> operators,
            List<NodeId> outputs,
            Map<NodeId, OnnxConstant> constants,
            Map<NodeId, List<SizeExpression>> elements,
            Set<NodeId> kept) {
        Set<NodeId> read = new HashSet<>(outputs);
        operators.forEach(operator -> read.addAll(OnnxOperators.reads(operator, constants.keySet())));
        OperatorNodes made = new OperatorNodes(constants.keySet());
        values.values().stream()
                .filter(value -> value.role().isPersistent())
                .filter(value -> !constants.containsKey(value.id()) || read.contains(value.id()))
                .forEach(made::add);
        for (OnnxOperator operator : operators) {
            OnnxOperators.reads(operator, constants.keySet()).forEach(id -> {
                if (!made.nodes().containsKey(id)) {
                    throw new IllegalArgumentException(operator.label()
                            + ": expected to read values that are made before, got " + described(values, id));
                }
            });
            for (NodeId id : operator.made()) {
                if (!values.containsKey(id) || made.nodes().containsKey(id)) {
                    throw new IllegalArgumentException(operator.label()
                            + ": expected to make values of the graph that nothing else makes, got "
                            + described(values, id));
                }
            }
            if (kept.containsAll(operator.made())) {
                operator.made().forEach(id -> made.add(Objects.requireNonNull(values.get(id))));
            } else {
                made.add(operator, values);
            }
        }
        for (NodeId id : outputs) {
            if (!made.nodes().containsKey(id)) {
                throw new IllegalArgumentException("outputs: expected values of the graph, got " + described(values, id)
                        + ", which nothing makes");
            }
        }
        return new OnnxGraph(name, made.nodes(), operators, outputs, constants, elements);
    }

    private static String described(Map<NodeId, OnnxNode> values, NodeId id) {
        OnnxNode value = values.get(id);
        return value == null ? id.toString() : id + " '" + value.name() + "'";
    }

    /** {@return the name in the file, or empty} */
    public String name() {
        return name;
    }

    @Override
    public List<OnnxNode> nodes() {
        return List.copyOf(nodes.values());
    }

    @Override
    public Collection<NodeId> outputs() {
        return outputs;
    }

    /**
     * {@return the graph with sizes that depend on free dimensions}
     *
     * @param others nodes with such sizes
     * @param numbers the elements of constants of whole numbers that are others at other sizes
     * @throws IllegalArgumentException for a cause of {@link #with}
     */
    public OnnxGraph withSizes(Collection<OnnxNode> others, Map<NodeId, List<SizeExpression>> numbers) {
        OnnxGraph sized = withNodes(others);
        Map<NodeId, OnnxConstant> known = new HashMap<>(constants); // not what operators compute at each size
        nodes.values().stream()
                .filter(node -> node.operator().isPresent() && !numbers.containsKey(node.id()))
                .forEach(node -> known.remove(node.id()));
        return new OnnxGraph(name, new LinkedHashMap<>(sized.nodes), operators, outputs, known, numbers);
    }

    /**
     * {@return the graph at some sizes, without free dimensions} The numbers of values stay the same, so a plan of this
     * graph has its memory.
     *
     * @param sizes a size for each of {@link #dimensions}
     * @throws IllegalArgumentException if a size is missing, or not of its dimension
     */
    @Override
    public OnnxGraph at(Map<String, Long> sizes) {
        Map<NodeId, OnnxNode> fixed = changed(node -> node.withSizes(
                node.sizes().stream().map(size -> size.fixedAt(sizes)).toList()));
        Map<NodeId, OnnxConstant> known = new HashMap<>(constants);
        elements.forEach((id, numbers) -> known.computeIfPresent(
                id,
                (same, constant) -> constant.withLongs(
                        numbers.stream().map(number -> number.at(sizes)).toList())));
        return new OnnxGraph(name, fixed, operators, outputs, known, Map.of());
    }

    /**
     * {@return a value in memory}
     *
     * @param id its number
     * @throws IllegalArgumentException if the graph has no such value in memory
     */
    public OnnxNode node(NodeId id) {
        OnnxNode node = nodes.get(id);
        if (node == null) {
            throw new IllegalArgumentException("value: expected one of the graph's values in memory, got " + id
                    + constant(id).map(it -> ", " + it).orElse(""));
        }
        return node;
    }

    /** {@return the operators, each after those whose values it reads; views among them, which have nothing to do} */
    public List<OnnxOperator> operators() {
        return operators;
    }

    /**
     * {@return the operators that have something to do, in the order of a plan} An operator with several outputs runs
     * at the last of them. Views, and values that are fused into others, run nothing.
     *
     * @param plan a plan of this graph
     */
    public List<OnnxOperator> steps(MemoryPlan plan) {
        Map<NodeId, OnnxOperator> last = new HashMap<>();
        operators.forEach(operator -> last.put(operator.made().getLast(), operator));
        return plan.schedule().stream()
                .filter(last::containsKey)
                .filter(id -> node(id).view().isEmpty() && !node(id).isFused())
                .map(last::get)
                .toList();
    }

    /**
     * {@return the elements of a value that are known before the graph runs: of an initialiser, of a {@code Constant},
     * or of what is computed from shapes, if it has at most 1,024; empty for other values} Those that depend on free
     * dimensions are the ones at their upper bounds; {@link #at} has the others.
     *
     * @param id the number of the value, which may have no memory
     */
    public Optional<OnnxConstant> constant(NodeId id) {
        return Optional.ofNullable(constants.get(id));
    }

    /**
     * {@return the graph with some operators replaced by others} A fusion replaces several operators by one, whose
     * outputs are some of theirs; values that only they read are gone. The others stand where the last replaced one
     * was. Without others the operators are removed.
     *
     * @param replaced operators of the graph
     * @param others operators that read values of the graph and make values of the replaced ones
     * @throws IllegalArgumentException if an operator is not of the graph, or a value that is read would have no maker
     *     or be read before it is made; the graph's outputs are read
     */
    public OnnxGraph replacing(Collection<OnnxOperator> replaced, OnnxOperator... others) {
        Set<OnnxOperator> gone = new LinkedHashSet<>(replaced);
        gone.forEach(operator -> {
            if (!operators.contains(operator)) {
                throw new IllegalArgumentException(
                        operator.label() + ": expected an operator of the graph, got another");
            }
        });
        List<OnnxOperator> changed = new ArrayList<>();
        int left = gone.size();
        for (OnnxOperator operator : operators) {
            if (!gone.contains(operator)) {
                changed.add(operator);
            } else if (--left == 0) {
                changed.addAll(List.of(others));
            }
        }
        return with(changed);
    }

    /**
     * {@return the graph whose operators read another value instead of one} Afterwards the operator that made the first
     * can be removed, by {@link #replacing} without others.
     *
     * @param value the value that they read
     * @param instead the value that they are to read
     * @throws IllegalArgumentException if a value is none of the graph, or would be read before it is made
     */
    public OnnxGraph rewired(NodeId value, NodeId instead) {
        node(value);
        node(instead);
        return with(operators.stream()
                .map(operator -> operator.operands().contains(Optional.of(value))
                        ? operator.withOperands(operator.operands().stream()
                                .map(operand -> operand.map(id -> id.equals(value) ? instead : id))
                                .toList())
                        : operator)
                .toList());
    }

    private OnnxGraph with(List<OnnxOperator> changed) {
        Set<OnnxOperator> same = new HashSet<>(operators);
        Set<NodeId> kept = changed.stream()
                .filter(same::contains)
                .flatMap(operator -> operator.made().stream())
                .collect(Collectors.toSet());
        return made(name, nodes, changed, outputs, constants, elements, kept);
    }

    /**
     * {@return the graph with another node for a value} It says what the value shares memory with, or that it is fused.
     *
     * @param node a node of the graph after some of its {@code with} methods
     * @throws IllegalArgumentException if the graph has no such value, or another operator makes it
     */
    public OnnxGraph with(OnnxNode node) {
        return withNodes(List.of(node));
    }

    /**
     * {@return the graph with other nodes for some of its values}
     *
     * @param others nodes of the graph after some of their {@code with} methods
     * @throws IllegalArgumentException for a cause of {@link #with}
     */
    public OnnxGraph withNodes(Collection<OnnxNode> others) {
        Map<NodeId, OnnxNode> changed = new LinkedHashMap<>(nodes);
        for (OnnxNode node : others) {
            if (!node(node.id()).operator().equals(node.operator())) {
                throw new IllegalArgumentException("value '" + node.name()
                        + "': expected the operator that makes it, "
                        + node(node.id()).op() + ", got " + node.op()
                        + "; replace operators with replacing");
            }
            changed.put(node.id(), node);
        }
        return new OnnxGraph(name, changed, operators, outputs, constants, elements);
    }

    /**
     * {@return the graph with other elements of a weight} They are loaded from {@link OnnxWeights#of}, not from the
     * model's own weights. So what an operator scales by can be folded into a weight.
     *
     * @param id a parameter or constant in memory, or one that is to be
     * @param content the elements; the value gets their type and shape, and keeps its name
     * @throws IllegalArgumentException if the graph has no weight with that number
     */
    public OnnxGraph withConstant(NodeId id, OnnxConstant content) {
        if (!constants.containsKey(id) || !nodes.containsKey(id)) {
            throw new IllegalArgumentException("value: expected a weight of the graph, got " + id);
        }
        OnnxNode old = node(id);
        Map<NodeId, OnnxConstant> contents = new HashMap<>(constants);
        contents.put(id, OnnxConstant.of(old.name(), content.type(), content.shape(), content.bytes()));
        List<SizeExpression> sizes =
                content.shape().stream().map(SizeExpression::of).toList();
        OnnxNode weight = OnnxNode.of(id, old.name(), old.role(), content.type(), sizes);
        return new OnnxGraph(
                name, changed(node -> node.equals(old) ? weight : node), operators, outputs, contents, elements);
    }

    private Map<NodeId, OnnxNode> changed(UnaryOperator<OnnxNode> change) {
        Map<NodeId, OnnxNode> changed = new LinkedHashMap<>(nodes);
        changed.replaceAll((id, node) -> change.apply(node));
        return changed;
    }

    /**
     * {@return the graph with integers and truth values as GPUs have them: I64 and I32 and U64 as U32, and BOOL as U32,
     * which is 0 or 1} Weights are checked as they are loaded. The caller vouches for what the graph computes: indices
     * and shapes fit, sums of large numbers may not.
     */
    public OnnxGraph narrowed() {
        Map<NodeId, OnnxNode> changed = changed(node -> switch (node.dtype()) {
            case I64 -> node.withDType(DType.I32);
            case U64, BOOL -> node.withDType(DType.U32);
            default -> node;
        });
        return new OnnxGraph(name, changed, operators, outputs, constants, elements);
    }

    @Override
    public String toString() {
        return "graph '" + name + "' of " + operators.size() + " operators and " + nodes.size() + " values";
    }
}
