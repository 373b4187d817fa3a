package io.devicearena.onnx.internal.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.devicearena.DType;
import io.devicearena.NodeId;
import io.devicearena.NodeRole;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxNode;
import io.devicearena.plan.size.Dimension;
import io.devicearena.plan.size.SizeExpression;
import io.devicearena.weights.tensor.TensorType;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shapes at all sizes, from those at some. */
class ShapePolynomialsTest {
    private static final Path FILE = Path.of("model.onnx");

    private static OnnxGraph graph(String name, Long... shape) {
        OnnxNode node = new OnnxNode(
                NodeId.of(0),
                name,
                NodeRole.INPUT,
                TensorType.F32,
                DType.F32,
                List.of(shape).stream().map(SizeExpression::of).toList(),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of(),
                false,
                false);
        return OnnxGraph.of("", List.of(node), List.of(), List.of(), Map.of());
    }

    private static List<SizeExpression> sizes(
            List<Dimension> dimensions, Function<Map<String, Long>, OnnxGraph> reader) {
        return new ShapePolynomials(FILE, dimensions, reader)
                .find()
                .nodes()
                .getFirst()
                .sizes();
    }

    private static long size(Map<String, Long> sizes, String name) {
        return Objects.requireNonNull(sizes.get(name), name);
    }

    @Test
    void find_productsOfDimensions_areExact() {
        Dimension batch = new Dimension("batch", 1, 8);
        Dimension width = new Dimension("width", 32, 640, 32);
        Dimension fixed = new Dimension("channels", 3, 3);

        List<SizeExpression> sizes = sizes(List.of(batch, width, fixed), at -> {
            long b = size(at, "batch");
            long w = size(at, "width");
            return graph("y", b, (w - 1) / 4 + 1, b * (w / 8) + 3, size(at, "channels"));
        });

        SizeExpression w = SizeExpression.of(width);
        assertThat(sizes)
                .containsExactly(
                        SizeExpression.of(batch),
                        w.dividedBy(4),
                        SizeExpression.of(batch).times(w.dividedBy(8)).plus(SizeExpression.of(3)),
                        SizeExpression.of(3));
    }

    @Test
    void find_roundedShape_isRefusedByItsValue() {
        assertThatThrownBy(() ->
                        sizes(List.of(new Dimension("width", 1, 9)), at -> graph("y", (size(at, "width") + 1) / 2)))
                .isInstanceOf(OnnxException.class)
                .hasMessageMatching("model.onnx: value 'y': expected 1 in axis 0 at all sizes, got [2-5] at"
                        + " \\{width=\\d}; say what a dimension is a multiple of, as in width=32..640:32, or give it a"
                        + " size");
    }

    @Test
    void find_otherValuesAtOtherSizes_areRefused() {
        assertThatThrownBy(() -> sizes(
                        List.of(new Dimension("n", 1, 9)), at -> graph(size(at, "n") < 9 ? "y" : "z", size(at, "n"))))
                .isInstanceOf(OnnxException.class)
                .hasMessage(
                        "model.onnx: graph: expected the same values, types, ranks and inputs at all sizes, got others"
                                + " at {n=9}; give the dimensions a size");
    }

    @Test
    void find_tooManyRanges_isRefused() {
        List<Dimension> many = IntStream.range(0, 7)
                .mapToObj(i -> new Dimension("d" + i, 1, 2))
                .toList();

        assertThatThrownBy(() -> sizes(many, at -> graph("y", 1L)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("dimensions: expected at most 6 with several sizes, got 7; give some of them a size");
    }
}
