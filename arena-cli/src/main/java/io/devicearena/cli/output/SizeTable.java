package io.devicearena.cli.output;

import io.devicearena.cli.input.GraphInput;
import io.devicearena.cli.json.JsonFields;
import io.devicearena.plan.FamilyPlan;
import io.devicearena.plan.MemoryPlanner;
import io.devicearena.plan.PlanOptions;
import io.devicearena.plan.size.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * What the plans of a graph with free dimensions take at their lower bounds, at sizes that were chosen, and at their
 * upper bounds.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class SizeTable {
    private final List<Row> rows = new ArrayList<>();

    /** What is needed at some sizes: by the plan for all of them, by the table of plans, and by a plan of its own. */
    private record Row(Map<String, Long> sizes, long onePlan, long table, long alone) {}

    /**
     * Plans a graph.
     *
     * @param input the graph
     * @param chosen upper bounds of further plans by the names of dimensions
     * @param options how to plan it
     */
    public SizeTable(GraphInput input, List<Map<String, Long>> chosen, PlanOptions options) {
        Map<String, Dimension> dimensions = input.network().dimensions();
        FamilyPlan plans = input.plans(chosen, options);
        String all = List.copyOf(plans.members().keySet()).getLast();
        List<Map<String, Long>> sizes = new ArrayList<>();
        sizes.add(bounds(dimensions, Map.of(), Dimension::least));
        chosen.forEach(bounds -> sizes.add(bounds(dimensions, bounds, Dimension::most)));
        sizes.add(bounds(dimensions, Map.of(), Dimension::most));
        for (Map<String, Long> at : sizes) {
            rows.add(new Row(
                    at,
                    plans.at(all, at).plan().arenaSize(),
                    plans.at(at).plan().arenaSize(),
                    MemoryPlanner.plan(input.network().at(at), options).plan().arenaSize()));
        }
    }

    private static Map<String, Long> bounds(
            Map<String, Dimension> dimensions, Map<String, Long> given, ToLongFunction<Dimension> other) {
        Map<String, Long> sizes = new TreeMap<>();
        dimensions.forEach((name, dimension) -> sizes.put(
                name, given.containsKey(name) ? given.get(name) : Long.valueOf(other.applyAsLong(dimension))));
        return sizes;
    }

    /**
     * Writes the list {@code sizes}.
     *
     * @param json where it is written
     */
    public void json(JsonFields json) {
        json.put(
                "sizes",
                rows.stream()
                        .map(row -> new JsonFields()
                                .put("dimensions", row.sizes())
                                .put("onePlanBytes", row.onePlan())
                                .put("tableBytes", row.table())
                                .put("aloneBytes", row.alone()))
                        .toList());
    }

    /**
     * Prints a row for each size.
     *
     * @param out where they are printed
     */
    public void text(TextLines out) {
        out.println();
        out.printf(Locale.ROOT, "%15s %15s %15s  %s%n", "one plan", "table", "planned alone", "bytes at");
        rows.forEach(row -> out.printf(
                Locale.ROOT, "%,15d %,15d %,15d  %s%n", row.onePlan(), row.table(), row.alone(), text(row.sizes())));
    }

    private static String text(Map<String, Long> sizes) {
        return String.join(
                ", ",
                sizes.entrySet().stream()
                        .map(size -> size.getKey() + "=" + size.getValue())
                        .toList());
    }
}
