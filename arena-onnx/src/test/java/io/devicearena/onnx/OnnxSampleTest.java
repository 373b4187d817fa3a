package io.devicearena.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import io.devicearena.MemoryPlan;
import io.devicearena.onnx.graph.OnnxGraph;
import io.devicearena.onnx.graph.OnnxOperator;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample of the module's page. */
class OnnxSampleTest {
    @TempDir
    Path folder;

    @Test
    void operatorsOfAModel_areListedInTheOrderOfThePlan() {
        Path path = Models.file(folder, Models.layer());
        List<String> lines = new ArrayList<>();
        // @start region="read"
        try (OnnxModel model = OnnxModel.open(path)) {
            OnnxGraph graph = model.graph(Map.of("batch", 2L));
            PlanOptions options = PlanOptions.f32Uniform(64).withDeclaredTypes();
            MemoryPlan plan = MemoryPlanner.plan(graph, options).plan();
            for (OnnxOperator operator : graph.steps(plan)) {
                lines.add(operator.fullType() + " " + operator.label());
            }
        }
        // @end
        assertThat(lines)
                .extracting(line -> line.substring(0, line.indexOf(' ')))
                .containsExactly("MatMul", "Add", "Relu", "Sqrt");
    }
}
