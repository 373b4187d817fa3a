package io.devicearena.bench.plans;

import io.devicearena.bench.json.JsonValues;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Figures as JSON, of {@code --json} and of the committed baseline alike. */
final class PlanFiguresJson {
    private static final String PROBLEMS = "problems";
    private static final String STRATEGIES = "strategies";
    private static final int MILLIS_DIGITS = 3;

    private PlanFiguresJson() {}

    /** Writes one document; the target stays open. */
    static void write(List<PlanFigures> figures, Writer target) throws IOException {
        JsonValues.write(
                Map.of(PROBLEMS, figures.stream().map(PlanFiguresJson::problem).toList()), target);
    }

    private static Map<String, Object> problem(PlanFigures figures) {
        Map<String, Object> problem = new LinkedHashMap<>();
        problem.put("name", figures.problem());
        problem.put("buffers", figures.buffers());
        problem.put("lowerBoundBytes", figures.lowerBoundBytes());
        problem.put(
                STRATEGIES,
                figures.strategies().stream()
                        .map(result -> strategy(figures, result))
                        .toList());
        return problem;
    }

    private static Map<String, Object> strategy(PlanFigures figures, PlanFigures.Result result) {
        Map<String, Object> strategy = new LinkedHashMap<>();
        strategy.put("name", result.strategy());
        strategy.put("arenaBytes", result.arenaBytes());
        strategy.put("ratio", figures.ratio(result));
        strategy.put("coldMillis", rounded(result.coldMillis()));
        strategy.put("millis", rounded(result.millis()));
        return strategy;
    }

    private static BigDecimal rounded(double millis) {
        return BigDecimal.valueOf(millis).setScale(MILLIS_DIGITS, RoundingMode.HALF_UP);
    }

    /**
     * Reads a document that {@link #write} wrote.
     *
     * @throws IllegalArgumentException if the file holds something else; the message names it
     */
    static List<PlanFigures> read(Path file) throws IOException {
        try {
            List<PlanFigures> figures = new ArrayList<>();
            for (Object problem : JsonValues.field(List.class, JsonValues.parse(Files.readString(file)), PROBLEMS)) {
                figures.add(figures(problem));
            }
            return figures;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static PlanFigures figures(Object problem) {
        List<PlanFigures.Result> results = new ArrayList<>();
        for (Object result : JsonValues.field(List.class, problem, STRATEGIES)) {
            results.add(new PlanFigures.Result(
                    JsonValues.field(String.class, result, "name"),
                    JsonValues.field(Number.class, result, "arenaBytes").longValue(),
                    JsonValues.field(Number.class, result, "coldMillis").doubleValue(),
                    JsonValues.field(Number.class, result, "millis").doubleValue()));
        }
        return new PlanFigures(
                JsonValues.field(String.class, problem, "name"),
                JsonValues.field(Number.class, problem, "buffers").intValue(),
                JsonValues.field(Number.class, problem, "lowerBoundBytes").longValue(),
                results);
    }
}
