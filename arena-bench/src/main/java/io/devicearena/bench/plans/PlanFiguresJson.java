package io.devicearena.bench.plans;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Figures as JSON, of {@code --json} and of the committed baseline alike. */
final class PlanFiguresJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final String PROBLEMS = "problems";
    private static final String STRATEGIES = "strategies";
    private static final int MILLIS_DIGITS = 3;

    private PlanFiguresJson() {}

    /** Writes one document; the target stays open. */
    static void write(List<PlanFigures> figures, Writer target) throws IOException {
        JsonGenerator json = FACTORY.createGenerator(target);
        json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
        json.useDefaultPrettyPrinter();
        json.writeStartObject();
        json.writeArrayFieldStart(PROBLEMS);
        for (PlanFigures each : figures) {
            json.writeStartObject();
            json.writeStringField("name", each.problem());
            json.writeNumberField("buffers", each.buffers());
            json.writeNumberField("lowerBoundBytes", each.lowerBoundBytes());
            json.writeArrayFieldStart(STRATEGIES);
            for (PlanFigures.Result result : each.strategies()) {
                json.writeStartObject();
                json.writeStringField("name", result.strategy());
                json.writeNumberField("arenaBytes", result.arenaBytes());
                json.writeNumberField("ratio", result.ratio());
                json.writeNumberField("coldMillis", rounded(result.coldMillis()));
                json.writeNumberField("millis", rounded(result.millis()));
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
        json.flush();
        target.append('\n').flush();
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
        try (JsonParser json = FACTORY.createParser(file.toFile())) {
            json.nextToken();
            List<PlanFigures> figures = new ArrayList<>();
            for (Object problem : list(object(value(json)), PROBLEMS)) {
                figures.add(figures(object(problem)));
            }
            return figures;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(file + ": expected a baseline, got " + e.getOriginalMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": " + e.getMessage(), e);
        }
    }

    private static PlanFigures figures(Map<String, Object> problem) {
        List<PlanFigures.Result> results = new ArrayList<>();
        for (Object each : list(problem, STRATEGIES)) {
            Map<String, Object> result = object(each);
            results.add(new PlanFigures.Result(
                    field(String.class, result, "name"),
                    field(Number.class, result, "arenaBytes").longValue(),
                    field(Number.class, result, "ratio").doubleValue(),
                    field(Number.class, result, "coldMillis").doubleValue(),
                    field(Number.class, result, "millis").doubleValue()));
        }
        return new PlanFigures(
                field(String.class, problem, "name"),
                field(Number.class, problem, "buffers").intValue(),
                field(Number.class, problem, "lowerBoundBytes").longValue(),
                results);
    }

    private static List<?> list(Map<String, Object> object, String name) {
        return field(List.class, object, name);
    }

    private static <T> T field(Class<T> type, Map<String, Object> object, String name) {
        Object value = object.get(name);
        if (!type.isInstance(value)) {
            throw new IllegalArgumentException("expected a field '" + name + "' in " + object);
        }
        return type.cast(value);
    }

    @SuppressWarnings("unchecked") // value() makes no other maps
    private static Map<String, Object> object(Object value) {
        if (!(value instanceof Map<?, ?> object)) {
            throw new IllegalArgumentException("expected an object, got '" + value + "'");
        }
        return (Map<String, Object>) object;
    }

    private static Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> {
                Map<String, Object> object = new HashMap<>();
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    object.put(name, value(json));
                }
                yield object;
            }
            case START_ARRAY -> {
                List<Object> array = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    array.add(value(json));
                }
                yield array;
            }
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
            case null, default -> String.valueOf(json.getText());
        };
    }
}
