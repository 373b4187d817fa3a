package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.onnx.graph.OnnxConstant;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.onnx.graph.OnnxWeights;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.validation.PlanValidator;
import io.devicearena.weights.WeightLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an engine reads of operators, and how it rewrites graphs. */
class OnnxOperatorsTest {
    @TempDir
    private Path folder;

    private OnnxModel open(GraphProto.Builder graph) {
        return OnnxModel.open(Models.file(folder, Models.model(graph)));
    }

    private OnnxGraph graph(GraphProto.Builder graph) {
        try (OnnxModel model = open(graph)) {
            return model.graph(Map.of(), Optional.empty());
        }
    }

    private static NodeId id(OnnxGraph graph, String name) {
        return graph.nodes().stream()
                .filter(node -> node.name().equals(name))
                .map(OnnxNode::id)
                .findFirst()
                .orElseThrow();
    }

    private static AttributeProto.Builder attribute(String name, AttributeProto.AttributeType type) {
        return AttributeProto.newBuilder().setName(name).setType(type);
    }

    @Test
    void operator_hasPositionsWithGaps_andItsAttributes() {
        OnnxGraph graph = graph(GraphProto.newBuilder()
                .addInput(Models.value("x", 4))
                .addInitializer(Models.floats("most", List.of(), 6))
                .addNode(Models.node("Clip", List.of("x", "", "most"), "c"))
                .addNode(Models.with(
                        "LeakyRelu",
                        List.of("c"),
                        "y",
                        attribute("alpha", AttributeProto.AttributeType.FLOAT)
                                .setF(0.5f)
                                .build())));
        OnnxOperator clip = graph.operators().getFirst();
        assertThat(clip.is("Clip")).isTrue();
        assertThat(clip.version()).isEqualTo(17);
        assertThat(clip.name()).isEqualTo("Clip_of_c");
        assertThat(clip.operand(0)).contains(id(graph, "x"));
        assertThat(clip.operand(1)).isEmpty();
        assertThat(clip.operand(7)).isEmpty();
        assertThat(graph.node(clip.output(0).orElseThrow()).inputs()).containsExactly(id(graph, "x"));
        OnnxOperator relu = graph.operators().getLast();
        assertThat(relu.attributes().number("alpha", 0.01f)).isEqualTo(0.5f);
        assertThat(relu.attributes().integer("other", 3)).isEqualTo(3);
        assertThatThrownBy(() -> relu.attributes().integers("alpha"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 'LeakyRelu_of_y' (LeakyRelu), attribute 'alpha': expected a list, each of them an"
                        + " integer, got a float 0.5");
    }

    @Test
    void operatorOfAnotherDomain_looksLikeNoOther() {
        OnnxGraph graph = graph(GraphProto.newBuilder()
                .addInput(Models.value("x", 4))
                .addNode(Models.node("Add", List.of("x", "x"), "y").toBuilder().setDomain("my.domain"))
                .addOutput(Models.value("y", 4)));
        OnnxNode y = graph.node(id(graph, "y"));
        assertThat(y.op()).isEqualTo("my.domain:Add");
        assertThat(y.operator().orElseThrow().is("Add")).isFalse();
        assertThat(y.inPlaceInputs()).isEmpty();
    }

    /** Reshape(x, [first size of x, -1]), and what is computed from the size: positions, as exporters write it. */
    private static GraphProto.Builder shaped() {
        return GraphProto.newBuilder()
                .addInput(Models.value("x", "N", 2, 3))
                .addInitializer(Models.longs("zero", 0))
                .addInitializer(Models.longs("one", 1))
                .addInitializer(Models.longs("rest", -1))
                .addNode(Models.node("Shape", List.of("x"), "all"))
                .addNode(Models.with("Gather", List.of("all", "zero"), "n", Models.integer("axis", 0)))
                .addNode(Models.with("Concat", List.of("n", "rest"), "shape", Models.integer("axis", 0)))
                .addNode(Models.node("Reshape", List.of("x", "shape"), "flat"))
                .addNode(Models.node("Squeeze", List.of("zero"), "first"))
                .addNode(Models.node("Squeeze", List.of("one"), "step"))
                .addNode(Models.node("Squeeze", List.of("n"), "end"))
                .addNode(Models.node("Range", List.of("first", "end", "step"), "places"))
                .addNode(Models.with("Gather", List.of("flat", "places"), "y", Models.integer("axis", 0)));
    }

    @Test
    void transposedNumbers_areKnown() {
        OnnxGraph graph = graph(GraphProto.newBuilder()
                .addInput(Models.value("x", 6))
                .addInitializer(Models.longs("numbers", 1, 2, 3, 4, 5, 6))
                .addInitializer(Models.longs("rows", 2, 3))
                .addInitializer(Models.longs("all", -1))
                .addNode(Models.node("Reshape", List.of("numbers", "rows"), "matrix"))
                .addNode(Models.node("Transpose", List.of("matrix"), "columns"))
                .addNode(Models.node("Reshape", List.of("columns", "all"), "list"))
                .addNode(Models.node("Gather", List.of("x", "list"), "y"))
                .addOutput(Models.value("y", 6)));
        assertThat(graph.operators()).noneMatch(operator -> operator.is("Transpose"));
        OnnxOperator gather = graph.operators().getLast();
        assertThat(graph.constant(gather.operand(1).orElseThrow()).orElseThrow().longs())
                .containsExactly(1, 4, 2, 5, 3, 6);
    }

    @Test
    void shapeArithmetic_isGone_andItsElementsAreKnown() {
        try (OnnxModel model = open(shaped())) {
            OnnxGraph graph = model.graph(Map.of("N", 5L), Optional.empty());
            assertThat(graph.nodes()).extracting(OnnxNode::name).containsExactly("x", "places", "flat", "y");
            assertThat(graph.operators()).extracting(OnnxOperator::type).containsExactly("Reshape", "Gather");
            OnnxOperator reshape = graph.operators().getFirst();
            OnnxConstant shape =
                    graph.constant(reshape.operand(1).orElseThrow()).orElseThrow();
            assertThat(shape.longs()).containsExactly(5, -1);
            assertThat(graph.node(id(graph, "places")).role()).isEqualTo(NodeRole.CONSTANT);
            assertThat(model.weights().tensor("places")).isPresent();
            PlanResult planned = MemoryPlanner.plan(graph, PlanOptions.declared(64));
            assertThat(graph.steps(planned.plan()))
                    .extracting(OnnxOperator::type)
                    .containsExactly("Gather");
        }
    }

    @Test
    void elementsOfAnotherSize_areAnotherWeight() {
        try (OnnxModel model = open(shaped())) {
            OnnxGraph five = model.graph(Map.of("N", 5L), Optional.empty());
            OnnxGraph six = model.graph(Map.of("N", 6L), Optional.empty());
            assertThat(id(six, "x")).isEqualTo(id(five, "x"));
            assertThat(id(six, "y")).isEqualTo(id(five, "y"));
            assertThat(six.constant(id(six, "places#2")).orElseThrow().longs()).containsExactly(0, 1, 2, 3, 4, 5);
            assertThat(OnnxWeights.of(model.path(), List.of(five, six)).tensors())
                    .containsOnlyKeys("places", "places#2");
        }
    }

    @Test
    void rangeOfSizes_keepsOperatorsOfWhatVaries_andHasTheGraphOfEachSize() {
        try (OnnxModel model = open(shaped())) {
            OnnxGraph range = model.graph(List.of(new Dimension("N", 1, 64)));
            assertThat(range.operators()).extracting(OnnxOperator::type).containsExactly("Reshape", "Range", "Gather");
            OnnxGraph at = range.at(Map.of("N", 7L));
            OnnxGraph fixed = model.graph(Map.of("N", 7L), Optional.empty());
            assertThat(at.node(id(at, "y")).shape())
                    .isEqualTo(fixed.node(id(fixed, "y")).shape());
            OnnxOperator reshape = at.operators().getFirst();
            assertThat(at.constant(reshape.operand(1).orElseThrow())
                            .orElseThrow()
                            .longs())
                    .containsExactly(7, -1);
            OnnxOperator places = at.operators().get(1);
            assertThat(at.constant(places.operand(1).orElseThrow())
                            .orElseThrow()
                            .longs())
                    .containsExactly(7);
        }
    }

    private static GraphProto.Builder normed() {
        return GraphProto.newBuilder()
                .addInput(Models.value("x", 1, 2, 4, 4))
                .addInitializer(Models.floats("w", List.of(2L, 2L, 1L, 1L), 1, 2, 3, 4))
                .addInitializer(Models.floats("scale", List.of(2L), 2, 3))
                .addInitializer(Models.floats("bias", List.of(2L), 1, 1))
                .addInitializer(Models.floats("mean", List.of(2L), 0, 0))
                .addInitializer(Models.floats("variance", List.of(2L), 1, 1))
                .addNode(Models.node("Conv", List.of("x", "w"), "c"))
                .addNode(Models.node("BatchNormalization", List.of("c", "scale", "bias", "mean", "variance"), "n"))
                .addNode(Models.node("Dropout", List.of("n"), "d"))
                .addNode(Models.node("Relu", List.of("d"), "y"))
                .addOutput(Models.value("y", 1, 2, 4, 4));
    }

    @Test
    void operators_areFusedAndRemoved_andTheRestIsPlanned() {
        Path path = Models.file(folder, Models.model(normed()));
        try (OnnxModel model = OnnxModel.open(path)) {
            OnnxGraph graph = model.graph(Map.of(), Optional.empty());
            OnnxOperator conv = graph.operators().get(0);
            OnnxOperator norm = graph.operators().get(1);
            OnnxOperator dropout = graph.operators().get(2);
            OnnxOperator fused = conv.withOperands(List.of(conv.operand(0), conv.operand(1), norm.operand(2)))
                    .withOutputs(norm.outputs());
            NodeId w = id(graph, "w");
            OnnxGraph shorter = graph.replacing(List.of(conv, norm), fused)
                    .rewired(id(graph, "d"), id(graph, "n"))
                    .replacing(List.of(dropout))
                    .withConstant(w, OnnxConstant.of("scaled", List.of(2L, 2L, 1L, 1L), 2, 4, 9, 12));
            assertThat(shorter.nodes())
                    .extracting(OnnxNode::name)
                    .containsExactlyInAnyOrder("x", "w", "bias", "n", "y");
            PlanOptions options = PlanOptions.declared(64);
            PlanResult planned = MemoryPlanner.plan(shorter, options);
            PlanValidator.validate(planned.plan(), shorter, options);
            try (DeviceArena arena =
                    DeviceArenas.open(planned.plan(), ArenaOptions.defaults().withProvider("cpu"))) {
                WeightLoader.of(OnnxWeights.of(path, List.of(shorter)), arena).load();
                assertThat(arena.readOutputF32(w, DType.F32, 4)).containsExactly(2, 4, 9, 12);
            }
            assertThat(graph.nodes()).hasSize(10);
        }
    }

    @Test
    void copies_areGone_exceptThoseThatTheHostReads() {
        OnnxGraph graph = graph(GraphProto.newBuilder()
                .addInput(Models.value("x", 2))
                .addInitializer(Models.floats("w", List.of(2L), 1, 2))
                .addNode(Models.node("Identity", List.of("w"), "v"))
                .addNode(Models.node("Identity", List.of("v"), "u"))
                .addNode(Models.node("Add", List.of("x", "u"), "a"))
                .addNode(Models.node("Identity", List.of("a"), "y"))
                .addOutput(Models.value("y", 2)));
        assertThat(graph.operators()).extracting(OnnxOperator::type).containsExactly("Add", "Identity");
        assertThat(graph.nodes()).extracting(OnnxNode::name).containsExactlyInAnyOrder("x", "w", "a", "y");
        assertThat(graph.operators().getFirst().operand(1)).contains(id(graph, "w"));
    }

    @Test
    void longChainOfCopies_isGone() {
        GraphProto.Builder chain = GraphProto.newBuilder().addInput(Models.value("v0", 2));
        int copies = 20_000;
        for (int i = 0; i < copies; i++) {
            chain.addNode(Models.node("Identity", List.of("v" + i), "v" + (i + 1)));
        }
        OnnxGraph graph = graph(
                chain.addNode(Models.node("Relu", List.of("v" + copies), "y")).addOutput(Models.value("y", 2)));
        assertThat(graph.operators()).hasSize(1);
        assertThat(graph.operators().getFirst().operand(0)).contains(id(graph, "v0"));
    }

    @Test
    void rewritingThatLeavesAValueWithoutAMaker_isRefused() {
        OnnxGraph graph = graph(normed());
        OnnxOperator norm = graph.operators().get(1);
        assertThatThrownBy(() -> graph.replacing(List.of(norm)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("node 'Dropout_of_d' (Dropout): expected to read values that are made before, got "
                        + id(graph, "n") + " 'n'");
        OnnxOperator relu = graph.operators().getLast();
        assertThatThrownBy(() -> graph.replacing(List.of(relu)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "outputs: expected values of the graph, got " + id(graph, "y") + " 'y', which nothing makes");
        assertThatThrownBy(() -> graph.replacing(List.of(relu), relu.withOutputs(List.of(relu.operand(0)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "node 'Relu_of_y' (Relu): expected to make values of the graph that nothing else makes, got "
                                + id(graph, "d") + " 'd'");
    }

    @Test
    void narrowedGraph_hasTypesOfGpus_andTheLoaderChecksEachNumber() {
        GraphProto.Builder small = GraphProto.newBuilder()
                .addInput(Models.value("x", 4))
                .addInitializer(Models.longs("i", 3, -1))
                .addNode(Models.with("Gather", List.of("x", "i"), "y", Models.integer("axis", 0)));
        try (OnnxModel model = open(small);
                DeviceArena arena = arena(model)) {
            WeightLoader.of(model.weights(), arena).load();
            NodeId i = id(model.graph(Map.of(), Optional.empty()), "i");
            assertThat(arena.plan().value(i).orElseThrow().dtype()).isEqualTo(DType.I32);
        }
        GraphProto.Builder large = GraphProto.newBuilder()
                .addInput(Models.value("x", 4))
                .addInitializer(Models.longs("i", 3, 1L << 31))
                .addNode(Models.with("Gather", List.of("x", "i"), "y", Models.integer("axis", 0)));
        try (OnnxModel model = open(large);
                DeviceArena arena = arena(model)) {
            assertThatThrownBy(() -> WeightLoader.of(model.weights(), arena).load())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("tensor 'i', element 1: expected a number from -2147483648 to 2147483647, as I32 has"
                            + " them, got 2147483648; plan the value as I64");
        }
    }

    private static DeviceArena arena(OnnxModel model) {
        OnnxGraph graph = model.graph(Map.of(), Optional.empty()).narrowed();
        return DeviceArenas.open(
                MemoryPlanner.plan(graph, PlanOptions.declared(64)).plan(),
                ArenaOptions.defaults().withProvider("cpu"));
    }

    @Test
    void matrix_isTransposedAsItIsLoaded() {
        try (OnnxModel model = open(GraphProto.newBuilder()
                .addInput(Models.value("x", 1, 2))
                .addInitializer(Models.floats("w", List.of(2L, 3L), 1, 2, 3, 4, 5, 6))
                .addNode(Models.node("MatMul", List.of("x", "w"), "y")))) {
            OnnxGraph graph = model.graph(Map.of(), Optional.empty());
            NodeId w = id(graph, "w");
            OnnxGraph turned = graph.withConstant(w, OnnxConstant.of("w", List.of(3L, 2L), new float[6]));
            try (DeviceArena arena = DeviceArenas.open(
                    MemoryPlanner.plan(turned, PlanOptions.declared(64)).plan(),
                    ArenaOptions.defaults().withProvider("cpu"))) {
                WeightLoader.of(model.weights(), arena)
                        .transposing(Set.of("w"))
                        .withVerification()
                        .load();
                assertThat(arena.readOutputF32(w, DType.F32, 6)).containsExactly(1, 4, 2, 5, 3, 6);
            }
        }
    }

    @Test
    void conditionThatFollowsFromShapes_putsItsBranchInPlace() {
        GraphProto.Builder then = graphOf("Relu", "x");
        GraphProto.Builder otherwise = graphOf("Neg", "x");
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInput(Models.value("x", "N"))
                .addInitializer(Models.longs("four", 4))
                .addNode(Models.node("Shape", List.of("x"), "n"))
                .addNode(Models.node("Equal", List.of("n", "four"), "c"))
                .addNode(Models.node("If", List.of("c"), "y").toBuilder()
                        .addAttribute(branch("then_branch", then))
                        .addAttribute(branch("else_branch", otherwise)));
        try (OnnxModel model = open(graph)) {
            assertThat(model.graph(Map.of("N", 4L), Optional.empty()).operators())
                    .extracting(OnnxOperator::type)
                    .containsExactly("Relu");
            assertThat(model.graph(Map.of("N", 5L), Optional.empty()).nodes())
                    .extracting(PlanNode::name)
                    .containsExactly("x", "y");
        }
    }

    /** Each branch multiplies by a weight of its own, and both call it w; the condition is whether x has 4 elements. */
    private static GraphProto.Builder weighted() {
        return GraphProto.newBuilder()
                .addInput(Models.value("x", "N"))
                .addInitializer(Models.longs("four", 4))
                .addNode(Models.node("Shape", List.of("x"), "n"))
                .addNode(Models.node("Equal", List.of("n", "four"), "c"))
                .addNode(Models.node("If", List.of("c"), "y").toBuilder()
                        .addAttribute(branch("then_branch", times(2)))
                        .addAttribute(branch("else_branch", times(3))));
    }

    private static GraphProto.Builder times(float number) {
        return GraphProto.newBuilder()
                .addInitializer(Models.floats("w", List.of(1L), number))
                .addNode(Models.node("Mul", List.of("x", "w"), "t"))
                .addOutput(Models.value("t", "N"));
    }

    @Test
    void weightsOfBranches_areThoseOfTheModel_andOthersHaveOtherNames() {
        try (OnnxModel model = open(weighted())) {
            OnnxGraph four = model.graph(Map.of("N", 4L), Optional.empty());
            OnnxGraph five = model.graph(Map.of("N", 5L), Optional.empty());
            assertThat(model.graph(Map.of("N", 4L), Optional.empty()).nodes()).isEqualTo(four.nodes());
            assertThat(four.nodes()).extracting(OnnxNode::name).containsExactly("x", "w", "y");
            assertThat(five.nodes()).extracting(OnnxNode::name).containsExactly("x", "w#2", "y");
            assertThat(four.constant(id(four, "w")).orElseThrow().floats()).containsExactly(2);
            assertThat(five.constant(id(five, "w#2")).orElseThrow().floats()).containsExactly(3);
            assertThat(five.node(id(five, "y")).inputs()).containsExactly(id(five, "x"), id(five, "w#2"));
            assertThat(model.weights().tensors()).containsOnlyKeys("four", "w", "w#2");
            assertThat(OnnxWeights.of(model.path(), List.of(four, five)).tensors())
                    .containsOnlyKeys("w", "w#2");
        }
    }

    @Test
    void branchOfABranch_readsTheValuesAroundIt() {
        GraphProto.Builder inner = graphOf("Neg", "h");
        GraphProto.Builder outer = GraphProto.newBuilder()
                .addNode(Models.node("Exp", List.of("x"), "h"))
                .addNode(Models.node("If", List.of("c"), "v").toBuilder()
                        .addAttribute(branch("then_branch", inner))
                        .addAttribute(branch("else_branch", inner)))
                .addOutput(Models.value("v", "N"));
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInput(Models.value("x", "N"))
                .addInitializer(Models.longs("four", 4))
                .addInitializer(TensorProto.newBuilder()
                        .setName("yes")
                        .setDataType(TensorProto.DataType.BOOL.getNumber())
                        .addInt32Data(1))
                .addNode(Models.node("Relu", List.of("x"), "h"))
                .addNode(Models.node("Shape", List.of("x"), "n"))
                .addNode(Models.node("Equal", List.of("n", "four"), "c"))
                .addNode(Models.node("If", List.of("yes"), "a").toBuilder()
                        .addAttribute(branch("then_branch", outer))
                        .addAttribute(branch("else_branch", outer)))
                .addNode(Models.node("Sub", List.of("h", "a"), "y"));
        try (OnnxModel model = open(graph)) {
            OnnxGraph read = model.graph(Map.of("N", 4L), Optional.empty());
            NodeId exp = id(read, "If_of_a/h");
            assertThat(read.node(exp).op()).isEqualTo("Exp");
            assertThat(read.node(id(read, "a")).op()).isEqualTo("Neg");
            assertThat(read.node(id(read, "a")).inputs()).containsExactly(exp);
        }
    }

    /** A graph of one operator, which makes {@code t}. */
    private static GraphProto.Builder graphOf(String op, String input) {
        return GraphProto.newBuilder()
                .addNode(Models.node(op, List.of(input), "t"))
                .addOutput(Models.value("t", "N"));
    }

    private static AttributeProto branch(String name, GraphProto.Builder graph) {
        return attribute(name, AttributeProto.AttributeType.GRAPH).setG(graph).build();
    }
}
