package io.devicearena.bench.plans;

import io.devicearena.bench.json.JsonValues;
import io.devicearena.bench.published.EngineModel;
import io.devicearena.plan.placement.PlacementProblem;
import io.devicearena.plan.placement.PlacementStrategy;
import io.devicearena.plan.strategy.PlacementStrategies;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Prints what models of engines hold of a device for one execution, beside the plan of the default strategy. */
record EngineTable(PrintWriter out, boolean json) {
    /** ResNet-50 as {@code ./arena plan} has it built in, and a step of a transformer. */
    static final Set<String> USUAL = Set.of("resnet50", "gpt2_b8_s512_adamw");

    private static final double MIB = 1 << 20;

    /** A row; what does not plan before it runs plans in no time. */
    private record Row(String name, long bytes, int requests, int deviceAllocations, double planMillis) {
        Map<String, Object> fields() {
            return new TreeMap<>(Map.of(
                    "name", name,
                    "bytes", bytes,
                    "requests", requests,
                    "deviceAllocations", deviceAllocations,
                    "planMillis", planMillis));
        }
    }

    void print(List<TraceProblem> traces, Predicate<String> isChosen) throws IOException {
        Map<String, Object> documents = new LinkedHashMap<>();
        for (TraceProblem trace : traces) {
            if (isChosen.test(trace.name())) {
                List<Row> rows = rows(trace);
                documents.put(trace.name(), rows.stream().map(Row::fields).toList());
                if (!json) {
                    print(trace, rows);
                }
            }
        }
        if (json) {
            JsonValues.write(documents, out);
        }
        out.flush();
    }

    private static List<Row> rows(TraceProblem trace) {
        PlacementProblem problem = trace.problem();
        List<Row> rows = new ArrayList<>();
        for (EngineModel model : EngineModel.ALL) {
            EngineModel.Execution execution = model.execute(problem);
            boolean ahead = model.plansAhead();
            rows.add(new Row(
                    model.name() + " (model)",
                    execution.deviceBytes(),
                    ahead ? 0 : execution.requests(),
                    execution.deviceAllocations(),
                    ahead ? PlanMeasurement.times(() -> model.execute(problem)).millis() : 0));
        }
        PlacementStrategy strategy = PlacementStrategies.all().getFirst();
        PlanFigures.Result plan =
                PlanMeasurement.of(trace, List.of(strategy)).strategies().getFirst();
        rows.add(new Row("Device Arena", plan.arenaBytes(), 0, 1, plan.millis()));
        return rows;
    }

    private void print(TraceProblem trace, List<Row> rows) {
        PlacementProblem problem = trace.problem();
        out.printf(Locale.ROOT, """
                %s: %,d buffers, at most %,.1f MiB live at once; (model): our model of the algorithm, not the engine itself
                allocator                                       MiB   requests  of the device   plan ms
                """, trace.name(), problem.count(), problem.lowerBound() / MIB);
        for (Row row : rows) {
            out.printf(
                    Locale.ROOT,
                    "%-40s %,10.1f %,10d %,14d %9.2f%n",
                    row.name,
                    row.bytes / MIB,
                    row.requests,
                    row.deviceAllocations,
                    row.planMillis);
        }
        out.println();
    }
}
