package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.ArenaOptions;
import io.devicearena.DType;
import io.devicearena.DeviceArena;
import io.devicearena.NodeRole;
import io.devicearena.discovery.DeviceArenas;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanNode;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.PlanResult;
import io.devicearena.plan.SlotAlias;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.validation.PlanValidator;
import io.devicearena.weights.WeightLoader;
import io.devicearena.weights.tensor.Tensor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OnnxModelTest {
    @TempDir
    private Path folder;

    private Path file(ModelProto model) {
        return Models.file(folder, model);
    }

    private Map<String, OnnxNode> nodes(ModelProto model, Map<String, Long> dimensions) {
        try (OnnxModel opened = OnnxModel.open(file(model))) {
            return byName(opened.graph(dimensions, Optional.empty()));
        }
    }

    private static Map<String, OnnxNode> byName(OnnxGraph graph) {
        return graph.nodes().stream().collect(Collectors.toMap(OnnxNode::name, Function.identity()));
    }

    private static OnnxNode node(Map<String, OnnxNode> nodes, String name) {
        return Objects.requireNonNull(nodes.get(name), name);
    }

    @Test
    void graph_ofARangeOfSizes_hasTheShapesOfAll() {
        ModelProto model = Models.model(GraphProto.newBuilder()
                .addInput(Models.value("x", "batch", 4))
                .addNode(Models.node("Relu", List.of("x"), "y"))
                .addOutput(Models.value("y", "batch", 4)));
        try (OnnxModel opened = OnnxModel.open(file(model))) {
            OnnxGraph free = opened.graph(List.of(new Dimension("batch", 1, 64)));
            OnnxGraph fixed = opened.graph(Map.of("batch", 17L));

            assertThat(free.dimensions()).containsOnlyKeys("batch");
            assertThat(free.at(Map.of("batch", 17L)).nodes())
                    .extracting(PlanNode::shape)
                    .isEqualTo(fixed.nodes().stream().map(OnnxNode::shape).toList());
            assertThat(node(byName(free), "x").shape()).containsExactly(64L, 4L);
        }
    }

    @Test
    void graph_hasNamesRolesTypesAndShapes() {
        Map<String, OnnxNode> nodes = nodes(Models.layer(), Map.of("batch", 2L));
        assertThat(nodes).containsOnlyKeys("x", "w", "b", "product", "sum", "active", "flat", "y");
        assertThat(node(nodes, "x").role()).isEqualTo(NodeRole.INPUT);
        assertThat(node(nodes, "x").shape()).containsExactly(2L, 4L);
        assertThat(node(nodes, "w").role()).isEqualTo(NodeRole.PARAMETER);
        assertThat(node(nodes, "sum").role()).isEqualTo(NodeRole.OP);
        assertThat(node(nodes, "sum").op()).isEqualTo("Add");
        assertThat(node(nodes, "sum").operator().orElseThrow().name()).isEqualTo("Add_of_sum");
        assertThat(node(nodes, "y").role()).isEqualTo(NodeRole.OUTPUT);
    }

    @Test
    void graph_declaresWhatOperatorsShare() {
        Map<String, OnnxNode> nodes = nodes(Models.layer(), Map.of("batch", 2L));
        assertThat(node(nodes, "sum").inPlaceInputs())
                .containsExactly(node(nodes, "product").id());
        assertThat(node(nodes, "active").inPlaceInputs())
                .containsExactly(node(nodes, "sum").id());
        assertThat(node(nodes, "flat").view().orElseThrow().parent())
                .isEqualTo(node(nodes, "active").id());
        assertThat(node(nodes, "product").inPlaceInputs()).isEmpty();
    }

    @Test
    void graph_isPlannedWithoutACopy() {
        try (OnnxModel model = OnnxModel.open(file(Models.layer()))) {
            OnnxGraph graph = model.graph(Map.of("batch", 2L), Optional.empty());
            PlanOptions options = PlanOptions.declared(64);
            PlanResult planned = MemoryPlanner.plan(graph, options);
            PlanValidator.validate(planned.plan(), graph, options);
            assertThat(planned.plan().arenaSize()).isEqualTo(planned.lowerBoundBytes());
            assertThat(planned.aliases())
                    .extracting(SlotAlias::reason)
                    .containsExactly(SlotAlias.Reason.IN_PLACE, SlotAlias.Reason.IN_PLACE, SlotAlias.Reason.IN_PLACE);
        }
    }

    @Test
    void concatenation_isDeclaredAlongTheOutermostAxisOnly() {
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInput(Models.value("x", 1, 2, 8))
                .addNode(Models.node("Sqrt", List.of("x"), "a"))
                .addNode(Models.node("Exp", List.of("x"), "b"))
                .addNode(Models.with("Concat", List.of("a", "b"), "outer", Models.integer("axis", 1)))
                .addNode(Models.with("Concat", List.of("a", "b"), "inner", Models.integer("axis", -1)))
                .addValueInfo(Models.value("a", 1, 2, 8))
                .addValueInfo(Models.value("b", 1, 2, 8))
                .addOutput(Models.value("outer", 1, 4, 8))
                .addOutput(Models.value("inner", 1, 2, 16));
        Map<String, OnnxNode> nodes = nodes(Models.model(graph), Map.of());
        assertThat(node(nodes, "outer").isConcatenation()).isTrue();
        assertThat(node(nodes, "inner").isConcatenation()).isFalse();
    }

    @Test
    void severalOutputs_areInMemoryTogetherWithTheInput() {
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInput(Models.value("x", 64))
                .addNode(Models.node("Sqrt", List.of("x"), "a"))
                .addNode(Models.node("Split", List.of("a"), "first", "", "second"))
                .addValueInfo(Models.value("a", 64))
                .addValueInfo(Models.value("first", 32))
                .addOutput(Models.value("second", 32));
        try (OnnxModel model = OnnxModel.open(file(Models.model(graph)))) {
            OnnxGraph planned = model.graph(Map.of(), Optional.empty());
            Map<String, OnnxNode> nodes = byName(planned);
            assertThat(node(nodes, "second").inputs())
                    .containsExactly(node(nodes, "a").id(), node(nodes, "first").id());
            assertThat(MemoryPlanner.plan(planned, PlanOptions.declared(64))
                            .plan()
                            .arenaSize())
                    .isEqualTo((64 + 64 + 32 + 32) * 4);
        }
    }

    @Test
    void freeDimensions_haveNamesOfTheFileOrOfInputAndAxis() {
        GraphProto.Builder graph = GraphProto.newBuilder().addInput(Models.value("x", "batch", -1, "?", 3));
        try (OnnxModel model = OnnxModel.open(file(Models.model(graph)))) {
            assertThat(model.freeDimensions())
                    .containsExactly(Map.entry("batch", "x"), Map.entry("x.1", "x"), Map.entry("x.2", "x"));
            assertThatThrownBy(() -> model.graph(Map.of("batch", 1L, "x.1", 2L)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("dimensions: expected a size for 'x.2' of input 'x', which is free, got none");
            assertThatThrownBy(() -> model.graph(Map.of("bach", 1L)))
                    .hasMessage("dimensions: expected free dimensions of the model, [batch, x.1, x.2], got 'bach'");
            assertThatThrownBy(() -> model.graph(Map.of("batch", 0L)))
                    .hasMessage("dimensions: expected a size of 1 or more for 'batch', got 0");
        }
    }

    @Test
    void subgraph_isRefusedByTheNameOfItsNode() {
        AttributeProto body = AttributeProto.newBuilder()
                .setName("then_branch")
                .setType(AttributeProto.AttributeType.GRAPH)
                .setG(GraphProto.newBuilder().setName("body"))
                .build();
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInput(Models.value("x", 1))
                .addNode(Models.with("If", List.of("x"), "y", body));
        Path path = file(Models.model(graph));
        try (OnnxModel model = OnnxModel.open(path)) {
            assertThatThrownBy(() -> model.graph(Map.of()))
                    .isInstanceOf(OnnxException.class)
                    .hasMessage(
                            path + ": node 'If_of_y' (If): expected an operator without a graph of its own, got one in"
                                    + " 'then_branch'; a plan has one order of execution: export the model without branches and"
                                    + " loops, or with fixed ones");
        }
    }

    @Test
    void missingShape_withoutInference_isRefusedWithTheRemedy() {
        Path path = file(Models.model(GraphProto.newBuilder()
                .addInput(Models.value("x", 4))
                .addNode(Models.node("Teleport", List.of("x"), "y"))));
        try (OnnxModel model = OnnxModel.open(path)) {
            assertThatThrownBy(() -> model.graph(Map.of(), Optional.empty()))
                    .isInstanceOf(OnnxException.class)
                    .hasMessage(
                            path + ": node 'Teleport_of_y' (Teleport): expected a tensor of numbers with a known shape,"
                                    + " got none for its value 'y'; add com.microsoft.onnxruntime:onnxruntime to the class"
                                    + " path, which knows more operators, or save the model with its shapes"
                                    + " (onnx.shape_inference.infer_shapes)");
        }
    }

    private static ModelProto places() {
        return Models.model(GraphProto.newBuilder()
                .addInput(Models.value("x", "batch", 4))
                .addNode(Models.node("NonZero", List.of("x"), "places"))
                .addNode(Models.node("Neg", List.of("places"), "y")));
    }

    @Test
    void shapeThatDependsOnData_isRefused_unlessTheCallerGivesIt() {
        Path path = file(places());
        try (OnnxModel model = OnnxModel.open(path)) {
            assertThatThrownBy(() -> model.graph(Map.of("batch", 3L)))
                    .isInstanceOf(OnnxException.class)
                    .hasMessage(
                            path + ": node 'NonZero_of_places' (NonZero): expected a value whose shape does not depend"
                                    + " on data, got 'places' [2, ?]; give the most that axis 1 has as the size of a"
                                    + " dimension 'places.1'");
            Map<String, OnnxNode> nodes = byName(model.graph(Map.of("batch", 3L, "places.1", 12L)));
            assertThat(node(nodes, "y").shape()).containsExactly(2L, 12L);
            assertThat(node(nodes, "y").dtype()).isEqualTo(DType.I64);
        }
    }

    @Test
    void sizeOfAnAxisThatFollowsFromTheInputs_isRefusedWhereItDiffers() {
        Path path = file(places());
        try (OnnxModel model = OnnxModel.open(path)) {
            Map<String, Long> sizes = Map.of("batch", 3L, "places.0", 5L, "places.1", 12L);
            assertThatThrownBy(() -> model.graph(sizes))
                    .isInstanceOf(OnnxException.class)
                    .hasMessage(path + ": dimension 'places.0': expected the size 2, which node 'NonZero_of_places'"
                            + " (NonZero) makes, got 5");
        }
    }

    @Test
    void unknownOperator_isRefusedByOnnxRuntimeInOneLine() {
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInput(Models.value("x", 1))
                .addNode(Models.node("Teleport", List.of("x"), "y"));
        Path path = file(Models.model(graph));
        try (OnnxModel model = OnnxModel.open(path)) {
            assertThatThrownBy(() -> model.graph(Map.of()))
                    .isInstanceOf(OnnxException.class)
                    .hasMessageStartingWith(path + ": shapes: expected them in the file, got 1 values without one, the"
                            + " first of them 'y'; ONNX Runtime refuses the model:")
                    .hasMessageContaining("Teleport");
        }
    }

    @Test
    void weights_ofEveryFieldHaveTheBytesOfTheirElements() {
        TensorProto.Builder bytes =
                TensorProto.newBuilder().addDims(3).setDataType(TensorProto.DataType.INT8.getNumber());
        TensorProto.Builder halves =
                TensorProto.newBuilder().addDims(2).setDataType(TensorProto.DataType.FLOAT16.getNumber());
        TensorProto.Builder nibbles =
                TensorProto.newBuilder().addDims(3).setDataType(TensorProto.DataType.UINT4.getNumber());
        GraphProto.Builder graph = GraphProto.newBuilder()
                .addInitializer(Models.floats("raw", List.of(2L), 1, 2))
                .addInitializer(Models.longs("longs", -1, 1L << 40))
                .addInitializer(
                        bytes.setName("bytes").addInt32Data(-1).addInt32Data(2).addInt32Data(127))
                .addInitializer(halves.setName("halves").addInt32Data(0x3C00).addInt32Data(0xBC00))
                .addInitializer(nibbles.setName("nibbles").addInt32Data(0x21).addInt32Data(3))
                .addInitializer(TensorProto.newBuilder()
                        .setName("floats")
                        .addDims(2)
                        .setDataType(1)
                        .addFloatData(3)
                        .addFloatData(4))
                .addNode(Models.with(
                        "Constant",
                        List.of(),
                        "ints",
                        AttributeProto.newBuilder()
                                .setName("value_ints")
                                .addInts(7)
                                .addInts(8)
                                .build()));
        try (OnnxModel model = OnnxModel.open(file(Models.model(graph)))) {
            assertThat(bytes(model, "raw")).containsExactly(0, 0, 128, 63, 0, 0, 0, 64);
            assertThat(bytes(model, "floats")).containsExactly(0, 0, 64, 64, 0, 0, 128, 64);
            assertThat(bytes(model, "longs"))
                    .containsExactly(255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 1, 0, 0);
            assertThat(bytes(model, "bytes")).containsExactly(255, 2, 127);
            assertThat(bytes(model, "halves")).containsExactly(0, 0x3C, 0, 0xBC);
            assertThat(bytes(model, "nibbles")).containsExactly(0x21, 3);
            assertThat(bytes(model, "ints")).containsExactly(7, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0);
        }
    }

    private static int[] bytes(OnnxModel model, String name) {
        Tensor tensor = model.weights().tensor(name).orElseThrow();
        MemorySegment bytes = model.weights().bytes(tensor);
        assertThat(bytes.byteSize()).isEqualTo(tensor.bytes());
        return bytes.elements(ValueLayout.JAVA_BYTE)
                .mapToInt(element -> Byte.toUnsignedInt(element.get(ValueLayout.JAVA_BYTE, 0)))
                .toArray();
    }

    @Test
    void weights_goIntoTheArenaOfThePlan() {
        try (OnnxModel model = OnnxModel.open(file(Models.layer()))) {
            PlanResult planned =
                    MemoryPlanner.plan(model.graph(Map.of("batch", 2L), Optional.empty()), PlanOptions.declared(64));
            try (DeviceArena arena =
                    DeviceArenas.open(planned.plan(), ArenaOptions.defaults().withProvider("cpu"))) {
                var report = WeightLoader.of(model.weights(), arena)
                        .withVerification()
                        .load();
                assertThat(report.matches().values()).containsOnlyKeys("w", "b");
                assertThat(report.matches().leftOver()).extracting(Tensor::name).containsExactly("shape", "unused");
                MemorySegment read = MemorySegment.ofArray(new byte[8]);
                arena.readValueBytes(
                        Objects.requireNonNull(report.matches().values().get("b")), 8, read);
                assertThat(read.get(ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), 4))
                        .isEqualTo(4f);
            }
        }
    }

    @Test
    void bytes_ofAnotherTensor_areRefused() {
        try (OnnxModel model = OnnxModel.open(file(Models.layer()))) {
            Tensor w = model.weights().tensor("w").orElseThrow();
            Tensor other = new Tensor("w", w.type(), w.shape(), w.file(), w.offset() + 1, w.bytes());
            assertThatThrownBy(() -> model.weights().bytes(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("expected a tensor of " + model.path());
        }
    }
}
