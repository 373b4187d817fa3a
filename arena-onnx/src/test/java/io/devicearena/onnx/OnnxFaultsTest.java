package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.devicearena.NodeRole;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.internal.graph.ShapeInference;
import io.devicearena.onnx.internal.graph.ValueType;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.weights.tensor.TensorType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models that exporters write: shapes of another batch, nodes in another order, branches that are decided. */
class OnnxFaultsTest {
    private static final String REMEDY =
            "; remove the file's shapes, and infer them again (onnx.shape_inference.infer_shapes)";
    private static final String CHECK = "; check the sizes of free dimensions, and the shapes in the file";

    @TempDir
    private Path folder;

    private Path file(ModelProto model) {
        return Models.file(folder, model);
    }

    private List<OnnxNode> nodes(GraphProto.Builder graph, Map<String, Long> sizes) {
        try (OnnxModel opened = OnnxModel.open(file(Models.model(graph)))) {
            return opened.graph(sizes, Optional.empty()).nodes();
        }
    }

    private void assertRefused(GraphProto.Builder graph, Map<String, Long> sizes, String problem) {
        assertRefused(Models.model(graph), sizes, Optional.empty(), problem);
    }

    private void assertRefused(
            ModelProto model, Map<String, Long> sizes, Optional<ShapeInference> inference, String problem) {
        Path path = file(model);
        try (OnnxModel opened = OnnxModel.open(path)) {
            assertThatThrownBy(() -> opened.graph(sizes, inference))
                    .isInstanceOf(OnnxException.class)
                    .hasMessage(path + ": " + problem);
        }
    }

    private static GraphProto.Builder reluNeg(Object hBatch, Object yBatch) {
        return GraphProto.newBuilder()
                .addInput(Models.value("x", "N", 4))
                .addNode(Models.node("Relu", List.of("x"), "h"))
                .addNode(Models.node("Neg", List.of("h"), "y"))
                .addValueInfo(Models.value("h", hBatch, 4))
                .addOutput(Models.value("y", yBatch, 4));
    }

    @Nested
    class Shapes {
        @Test
        void valueOfAnotherBatch_isRefused() {
            assertRefused(
                    reluNeg(1, "N"),
                    Map.of("N", 8L),
                    "value 'h': expected the shape [8, 4], which node 'Relu_of_h' (Relu) makes, got [1, 4]" + REMEDY);
            assertThat(nodes(reluNeg(1, "N"), Map.of("N", 1L))).hasSize(3);
        }

        @Test
        void outputOfAnotherBatch_isRefused() {
            assertRefused(
                    reluNeg("N", 1),
                    Map.of("N", 8L),
                    "value 'y': expected the shape [8, 4], which node 'Neg_of_y' (Neg) makes, got [1, 4]" + REMEDY);
        }

        @Test
        void outputOfAnotherBatch_thatInferenceKnows_isRefused() {
            ShapeInference inference = model -> Map.of("h", floats(8, 4), "y", floats(8, 4));
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", "N", 4))
                    .addNode(Models.node("Teleport", List.of("x"), "h"))
                    .addNode(Models.node("Teleport", List.of("h"), "y"))
                    .addOutput(Models.value("y", 1, 4));
            assertRefused(
                    Models.model(graph),
                    Map.of("N", 8L),
                    Optional.of(inference),
                    "value 'y': expected the shape [8, 4], which ONNX Runtime infers, got [1, 4]" + REMEDY);
        }

        private static ValueType floats(long rows, long columns) {
            return new ValueType(TensorType.F32, List.of(rows, columns));
        }

        @Test
        void dimensionOfTwoSizes_isRefusedByItsName() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", "N", 4))
                    .addNode(Models.with("Concat", List.of("x", "x"), "y", Models.integer("axis", 0)))
                    .addOutput(Models.value("y", "N", 4));
            assertRefused(
                    graph,
                    Map.of("N", 8L),
                    "dimension 'N': expected the size 16, which node 'Concat_of_y' (Concat) makes as axis 0 of value 'y',"
                            + " got 8" + REMEDY);
        }

        @Test
        void valueDeclaredTwice_isRefusedWhereTheyDiffer() {
            GraphProto.Builder graph = reluNeg("N", "N").addValueInfo(Models.value("x", 1, 4));
            assertRefused(
                    graph,
                    Map.of("N", 8L),
                    "value 'x': expected the shape [8, 4], which the input has, got [1, 4]" + REMEDY);
        }

        @Test
        void weightOfAnotherShapeThanItsInput_isRefused() {
            GraphProto.Builder graph = reluNeg("N", "N")
                    .addInput(Models.value("w", 4, 4))
                    .addInitializer(Models.floats("w", List.of(2L, 2L), 1, 2, 3, 4));
            assertRefused(
                    graph,
                    Map.of("N", 8L),
                    "value 'w': expected the shape [2, 2], which the weight has, got [4, 4]" + REMEDY);
        }

        @Test
        void elementsOfAnotherType_areRefused() {
            GraphProto.Builder graph = reluNeg("N", "N");
            graph.getValueInfoBuilder(0)
                    .getTypeBuilder()
                    .getTensorTypeBuilder()
                    .setElemType(TensorProto.DataType.FLOAT16.getNumber());
            assertRefused(
                    graph,
                    Map.of("N", 8L),
                    "value 'h': expected elements of F32, which node 'Relu_of_h' (Relu) makes, got F16" + REMEDY);
        }

        @Test
        void inputsThatDoNotFit_areRefused() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", "N", 4))
                    .addInitializer(Models.floats("w", List.of(3L, 4L), new float[12]))
                    .addNode(Models.node("Add", List.of("x", "w"), "y"))
                    .addOutput(Models.value("y", "N", 4));
            assertRefused(
                    graph,
                    Map.of("N", 8L),
                    "node 'Add_of_y' (Add): expected inputs whose shapes broadcast, got [8, 4] and [3, 4]" + CHECK);
        }

        @Test
        void reshapeToTheSizesOfAnotherBatch_isRefused() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", "N", 4))
                    .addInitializer(Models.longs("shape", 2, 2))
                    .addNode(Models.node("Reshape", List.of("x", "shape"), "y"))
                    .addOutput(Models.value("y", 2, 2));
            assertRefused(
                    graph,
                    Map.of("N", 8L),
                    "node 'Reshape_of_y' (Reshape): expected a value of as many elements as its input [8, 4], got 'y'"
                            + " [2, 2]" + CHECK);
            assertThat(nodes(graph, Map.of("N", 1L))).hasSize(2);
        }

        /** What operators make of x [N = 2, 3, 8, 8]; a wrong batch in the file shows the shape that the rule gives. */
        @ParameterizedTest(name = "{0} {1}")
        @CsvSource(
                delimiter = ';',
                value = {
                    "Softmax; ; ; 2, 3, 8, 8",
                    "Mul; ; f1 3 1 1; 2, 3, 8, 8",
                    "MatMul; ; f8 5; 2, 3, 8, 5",
                    "Conv; strides=2 2 pads=1 1 1 1; f6 3 3 3; 2, 6, 4, 4",
                    "Conv; auto_pad=SAME_UPPER strides=3 3; f6 3 3 3; 2, 6, 3, 3",
                    "ConvTranspose; strides=2 2; f3 7 2 2; 2, 7, 16, 16",
                    "MaxPool; kernel_shape=2 2 strides=2 2; ; 2, 3, 4, 4",
                    "AveragePool; kernel_shape=3 3 dilations=2 2; ; 2, 3, 4, 4",
                    "GlobalAveragePool; ; ; 2, 3, 1, 1",
                    "Transpose; perm=0 2 3 1; ; 2, 8, 8, 3",
                    "Transpose; ; ; 8, 8, 3, 2",
                    "Flatten; axis=2; ; 6, 64",
                    "Reshape; ; i0 -1; 2, 192",
                    "Squeeze; axes=1; ; 2, 3, 8, 8",
                    "Unsqueeze; ; i0 -1; 1, 2, 3, 8, 8, 1",
                    "Expand; ; i4 1 1 1 1; 4, 2, 3, 8, 8",
                    "Gather; axis=1; i2 0; 2, 2, 8, 8",
                    "ReduceMean; axes=2 3; ; 2, 3, 1, 1",
                    "ReduceSum; keepdims=0; i-1; 2, 3, 8",
                    "ReduceMax; keepdims=0; ; ''",
                    "Slice; axes=2 starts=1 ends=-1; ; 2, 3, 6, 8",
                    "Pad; pads=0 0 1 1 0 0 1 1; ; 2, 3, 10, 10",
                    "Tile; ; i1 2 1 1; 2, 6, 8, 8",
                    "Split; axis=1 split=3; ; 2, 3, 8, 8",
                    "TopK; axis=1 k=2; ; 2, 2, 8, 8",
                    "Upsample; ; f1 1 2 2; 2, 3, 16, 16",
                })
        void operator_makesTheShapeThatItsInputsSay(String op, String attributes, String weight, String shape) {
            NodeProto.Builder node =
                    Models.node(op, weight == null ? List.of("x") : List.of("x", "w"), "y").toBuilder();
            for (String text : attributes == null ? new String[0] : attributes.split(" (?=[a-z])", -1)) {
                node.addAttribute(attribute(text.split("=", -1)[0], text.split("=", -1)[1]));
            }
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", "N", 3, 8, 8))
                    .addNode(node)
                    .addOutput(Models.value("y", 9, 9, 9, 9, 9, 9, 9));
            if (weight != null) {
                graph.addInitializer(weight(weight));
            }
            assertRefused(
                    graph,
                    Map.of("N", 2L),
                    "value 'y': expected the shape [" + shape + "], which node '" + op + "_of_y' (" + op
                            + ") makes, got [9, 9, 9, 9, 9, 9, 9]" + REMEDY);
        }

        private static AttributeProto attribute(String name, String text) {
            AttributeProto.Builder attribute = AttributeProto.newBuilder().setName(name);
            if (name.equals("auto_pad")) {
                return attribute.setS(ByteString.copyFromUtf8(text)).build();
            }
            boolean isOne = Set.of("axis", "group", "k", "keepdims").contains(name);
            for (String number : text.split(" ", -1)) {
                long value = Long.parseLong(number);
                attribute = isOne ? attribute.setI(value) : attribute.addInts(value);
            }
            return attribute.build();
        }

        /** {@code f3 4}: floats of the shape [3, 4]; {@code i3 4}: the numbers 3 and 4. */
        private static TensorProto weight(String text) {
            List<Long> numbers = List.of(text.substring(1).split(" ", -1)).stream()
                    .map(Long::valueOf)
                    .toList();
            if (text.equals("f1 1 2 2")) {
                return Models.floats("w", List.of(4L), 1, 1, 2, 2);
            }
            return text.charAt(0) == 'i'
                    ? Models.longs(
                            "w", numbers.stream().mapToLong(Long::longValue).toArray())
                    : Models.floats(
                            "w",
                            numbers,
                            new float[(int) numbers.stream().mapToLong(n -> n).reduce(1, (a, b) -> a * b)]);
        }

        /** Nodes with any number of inputs, of any rank, and any attributes: refused in our words, or planned. */
        @ParameterizedTest(name = "seed {0}")
        @CsvSource({"1", "2"})
        void operatorWithInputsOfAnyRank_isPlannedOrRefused(long seed) {
            SplittableRandom random = new SplittableRandom(seed);
            List<String> ops = List.of(
                    ("Relu Add MatMul Gemm Concat Transpose Flatten Reshape Squeeze Unsqueeze Expand Shape Gather Conv"
                                    + " ConvTranspose MaxPool GlobalMaxPool ReduceSum ArgMax Split Slice Pad Tile Resize TopK LSTM"
                                    + " Where Cast Dropout ConstantOfShape GatherElements NonZero Size Upsample")
                            .split(" ", -1));
            int refused = 0;
            for (int i = 0; i < 500; i++) {
                NodeProto.Builder node = NodeProto.newBuilder()
                        .setOpType(ops.get(random.nextInt(ops.size())))
                        .addOutput("y");
                for (int k = random.nextInt(5); k > 0; k--) {
                    node.addInput(List.of("a", "b", "c", "i", "e", "").get(random.nextInt(6)));
                }
                for (String name : List.of("axis", "axes", "perm", "kernel_shape", "pads", "strides", "group")) {
                    if (random.nextInt(3) == 0) {
                        node.addAttribute(attribute(name, random.nextInt(-3, 4) + " " + random.nextInt(-3, 4)));
                    }
                }
                GraphProto.Builder graph = GraphProto.newBuilder()
                        .addInput(Models.value("a"))
                        .addInput(Models.value("b", 2, 0, 4))
                        .addInput(Models.value("c", Long.MAX_VALUE / 4, 1))
                        .addInitializer(Models.longs("i", random.nextInt(-3, 4), Long.MIN_VALUE, Long.MAX_VALUE))
                        .addInitializer(Models.longs("e"))
                        .addNode(node)
                        .addOutput(Models.value("y", 1));
                try (OnnxModel model = OnnxModel.open(file(Models.model(graph)))) {
                    assertThat(model.graph(Map.of(), Optional.empty()).nodes()).isNotEmpty();
                } catch (OnnxException e) {
                    refused++;
                }
            }
            assertThat(refused).isBetween(100, 499);
        }
    }

    @Nested
    class DimensionValues {
        @Test
        void zero_isATensorWithoutElements() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 0, 4))
                    .addNode(Models.node("Relu", List.of("x"), "y"))
                    .addOutput(Models.value("y", 0, 4));
            assertThat(nodes(graph, Map.of()))
                    .allSatisfy(node -> assertThat(node.elements()).isZero());
        }

        @Test
        void negative_isOpen() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", -2, 4))
                    .addNode(Models.node("Relu", List.of("x"), "y"))
                    .addOutput(Models.value("y", 3, 4));
            assertThat(nodes(graph, Map.of("x.0", 3L)))
                    .extracting(OnnxNode::elements)
                    .containsExactly(12L, 12L);
        }

        @Test
        void negativeThatAnOperatorMakes_isRefused() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 1))
                    .addInitializer(Models.floats("w", List.of(1L), 1))
                    .addInitializer(Models.longs("shape", -2, 1L << 62, 2))
                    .addNode(Models.node("Expand", List.of("w", "shape"), "y"));
            assertRefused(
                    graph,
                    Map.of(),
                    "node 'Expand_of_y' (Expand): expected dimensions of 0 or more, got the shape [-2,"
                            + " 4611686018427387904, 2]" + CHECK);
        }

        @Test
        void weightWithoutElements_mayHaveOtherDimensionsOfAnySize() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 1))
                    .addInitializer(Models.floats("w", List.of(1L << 40, 1L << 40, 0L)))
                    .addNode(Models.node("Relu", List.of("w"), "y"));
            assertThat(nodes(graph, Map.of()))
                    .filteredOn(node -> node.name().equals("y"))
                    .extracting(OnnxNode::elements)
                    .containsExactly(0L);
        }

        @Test
        void productOfMoreThanALong_isRefused() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 1L << 40, 1L << 40))
                    .addNode(Models.node("Relu", List.of("x"), "y"))
                    .addOutput(Models.value("y", 1L << 40, 1L << 40));
            assertRefused(
                    graph,
                    Map.of(),
                    "value 'x': expected a shape of at most 9223372036854775807 bytes, got [1099511627776, 1099511627776]"
                            + " of F32");
        }
    }

    @Nested
    class Order {
        @Test
        void unsortedNodes_areSorted_andOtherwiseKeepTheirPlaces() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addNode(Models.node("Neg", List.of("h"), "y"))
                    .addNode(Models.node("Exp", List.of("x"), "e"))
                    .addNode(Models.node("Relu", List.of("x"), "h"))
                    .addNode(Models.node("Sqrt", List.of("x"), "s"))
                    .addValueInfo(Models.value("e", 4))
                    .addValueInfo(Models.value("h", 4))
                    .addValueInfo(Models.value("s", 4))
                    .addOutput(Models.value("y", 4));
            assertThat(nodes(graph, Map.of())).extracting(OnnxNode::name).containsExactly("x", "e", "h", "y", "s");
        }

        @Test
        void cycle_isRefusedByItsNodes() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addNode(Models.node("Relu", List.of("x"), "h"))
                    .addNode(Models.node("Add", List.of("h", "b"), "a"))
                    .addNode(Models.node("Neg", List.of("a"), "b"))
                    .addNode(Models.node("Exp", List.of("b"), "y"));
            assertRefused(
                    graph,
                    Map.of(),
                    "node 'Add_of_a' (Add): expected values that are made before they are read, got a cycle of 2 nodes:"
                            + " node 'Add_of_a' (Add) reads from node 'Neg_of_b' (Neg) reads from node 'Add_of_a' (Add)");
        }

        @Test
        void valueThatNothingMakes_isRefused() {
            GraphProto.Builder graph = GraphProto.newBuilder().addNode(Models.node("Relu", List.of("none"), "y"));
            assertRefused(
                    graph,
                    Map.of(),
                    "node 'Relu_of_y' (Relu): expected to read inputs, weights and values of nodes, got 'none', which"
                            + " nothing makes");
        }

        @Test
        void outputNamedAsAWeightOrAnInput_isRefused() {
            for (String name : List.of("x", "w")) {
                GraphProto.Builder graph = GraphProto.newBuilder()
                        .addInput(Models.value("x", 1))
                        .addInitializer(Models.floats("w", List.of(1L), 1))
                        .addNode(Models.node("Relu", List.of("x"), name));
                assertRefused(
                        graph,
                        Map.of(),
                        "node 'Relu_of_" + name + "' (Relu): expected outputs with names of their own, got '" + name
                                + "' again");
            }
        }

        @Test
        void operatorsWithoutAVersion_areRefused() {
            assertRefused(
                    Models.model(reluNeg("N", "N")).toBuilder()
                            .clearOpsetImport()
                            .build(),
                    Map.of("N", 1L),
                    Optional.empty(),
                    "node 'Relu_of_h' (Relu): expected a model with the version of its operators, opset_import, got none;"
                            + " save the model with one");
        }
    }

    @Nested
    class Branches {
        private static AttributeProto branch(String name, GraphProto.Builder graph) {
            return AttributeProto.newBuilder().setName(name).setG(graph).build();
        }

        private static NodeProto decide(
                String condition, GraphProto.Builder then, GraphProto.Builder otherwise, String... outputs) {
            return Models.node("If", List.of(condition), outputs).toBuilder()
                    .addAttribute(branch("then_branch", then))
                    .addAttribute(branch("else_branch", otherwise))
                    .build();
        }

        private static TensorProto truth(String name, boolean isTrue) {
            return TensorProto.newBuilder()
                    .setName(name)
                    .setDataType(TensorProto.DataType.BOOL.getNumber())
                    .addInt32Data(isTrue ? 1 : 0)
                    .build();
        }

        private static GraphProto.Builder unary(String op, String input, String output) {
            return GraphProto.newBuilder()
                    .addNode(Models.node(op, List.of(input), output))
                    .addOutput(Models.value(output, 4));
        }

        @ParameterizedTest(name = "{0}")
        @CsvSource({"true, Relu", "false, Neg"})
        void constantCondition_putsItsBranchInPlace(boolean isTrue, String op) {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addInitializer(truth("c", isTrue))
                    .addNode(decide("c", unary("Relu", "x", "t"), unary("Neg", "x", "t"), "y"))
                    .addOutput(Models.value("y", 4));
            List<OnnxNode> nodes = nodes(graph, Map.of());
            assertThat(nodes).extracting(OnnxNode::name).containsExactly("x", "y");
            assertThat(nodes.getLast().op()).isEqualTo(op);
            assertThat(nodes.getLast().role()).isEqualTo(NodeRole.OUTPUT);
        }

        @Test
        void conditionOfAConstantNode_throughNot_isConstant() {
            NodeProto constant = Models.with(
                    "Constant",
                    List.of(),
                    "c",
                    AttributeProto.newBuilder()
                            .setName("value")
                            .setT(truth("", true))
                            .build());
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addNode(decide("n", unary("Relu", "x", "t"), unary("Neg", "x", "t"), "y"))
                    .addNode(Models.node("Not", List.of("c"), "n"))
                    .addNode(constant)
                    .addValueInfo(Models.value("n"))
                    .addOutput(Models.value("y", 4));
            graph.getValueInfoBuilder(0)
                    .getTypeBuilder()
                    .getTensorTypeBuilder()
                    .setElemType(TensorProto.DataType.BOOL.getNumber());
            assertThat(nodes(graph, Map.of()))
                    .filteredOn(node -> node.name().equals("y"))
                    .extracting(OnnxNode::op)
                    .containsExactly("Neg");
        }

        @Test
        void nestedBranches_withNamesOfTheGraph_getOtherNames() {
            GraphProto.Builder inner = GraphProto.newBuilder()
                    .addInitializer(Models.floats("w", List.of(4L), 1, 2, 3, 4))
                    .addNode(Models.node("Mul", List.of("h", "w"), "m"))
                    .addOutput(Models.value("m", 4));
            GraphProto.Builder outer = GraphProto.newBuilder()
                    .addInitializer(truth("d", false))
                    .addNode(Models.node("Exp", List.of("x"), "h"))
                    .addNode(decide("d", unary("Neg", "x", "m"), inner, "v"))
                    .addNode(Models.node("Add", List.of("v", "w"), "s"))
                    .addValueInfo(Models.value("h", 4))
                    .addValueInfo(Models.value("v", 4))
                    .addOutput(Models.value("s", 4))
                    .addOutput(Models.value("w", 4))
                    .addOutput(Models.value("s", 4));
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addInitializer(truth("c", true))
                    .addInitializer(Models.floats("w", List.of(4L), 5, 6, 7, 8))
                    .addNode(Models.node("Relu", List.of("x"), "h"))
                    .addNode(decide("c", outer, unary("Neg", "x", "h"), "a", "b", "again"))
                    .addNode(Models.node("Sub", List.of("h", "a"), "y"))
                    .addValueInfo(Models.value("h", 4))
                    .addOutput(Models.value("y", 4))
                    .addOutput(Models.value("b", 4))
                    .addOutput(Models.value("again", 4));
            List<OnnxNode> nodes = nodes(graph, Map.of());
            assertThat(nodes)
                    .extracting(node -> node.name() + " = " + node.op()
                            + node.inputs().stream()
                                    .map(id -> nodes.stream()
                                            .filter(other -> other.id().equals(id))
                                            .findFirst()
                                            .orElseThrow()
                                            .name())
                                    .toList())
                    .containsExactly(
                            "x = []",
                            "w = []",
                            "If_of_v/w = []",
                            "h = Relu[x]",
                            "If_of_a/h = Exp[x]",
                            "v = Mul[If_of_a/h, If_of_v/w]",
                            "a = Add[v, w]",
                            "b = Identity[w]",
                            "again = Identity[a]",
                            "y = Sub[h, a]");
        }

        @Test
        void branchOfOtherOutputs_isRefused() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addInitializer(truth("c", true))
                    .addNode(decide("c", unary("Relu", "x", "t"), unary("Neg", "x", "t"), "y", "z"));
            Path path = file(Models.model(graph));
            assertThatThrownBy(() -> OnnxModel.open(path).close())
                    .isInstanceOf(OnnxException.class)
                    .hasMessage(path + ": node 'If_of_y' (If): expected branches of 2 outputs, got one of 1");
        }

        @Test
        void conditionOfTwoElements_isRefused() {
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addInitializer(truth("c", true).toBuilder().addDims(2).addInt32Data(0))
                    .addNode(decide("c", unary("Relu", "x", "t"), unary("Neg", "x", "t"), "y"));
            assertRefused(
                    graph,
                    Map.of(),
                    "node 'If_of_y' (If): expected an operator without a graph of its own, got one in 'then_branch'; a"
                            + " plan has one order of execution: export the model without branches and loops, or with"
                            + " fixed ones");
        }

        @Test
        void staleShapeInABranch_isRefused() {
            GraphProto.Builder then = unary("Relu", "x", "t");
            then.setOutput(0, Models.value("t", 1));
            GraphProto.Builder graph = GraphProto.newBuilder()
                    .addInput(Models.value("x", 4))
                    .addInitializer(truth("c", true))
                    .addNode(decide("c", then, unary("Neg", "x", "t"), "y"))
                    .addOutput(ValueInfoProto.newBuilder().setName("y"));
            assertRefused(
                    graph,
                    Map.of(),
                    "value 'y': expected the shape [4], which node 'Relu_of_t' (Relu) makes, got [1]" + REMEDY);
        }
    }
}
