package io.devicearena.bench.table;

import io.devicearena.bench.json.JsonValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * The medians of another arena on the same machine, for comparison: lines of JSON with {@code case} and {@code
 * median_us}, from one run or several. The best median of each case counts. The names of the cases are those of an
 * arena in Rust; where it has several ways to read, its fastest counts.
 *
 * <p><b>Threads:</b> immutable.
 */
public final class ReferenceFigures {
    private static final Map<String, List<String>> THEIR_NAMES = Map.ofEntries(
            Map.entry(SpeedCase.WRITE_WITH_SHADOW.label(), List.of("write_f32_shadow_SIZE")),
            Map.entry(SpeedCase.WRITE_WITH_SHADOW_FLUSHED.label(), List.of("write_flush_f32_shadow_SIZE")),
            Map.entry(SpeedCase.WRITE_ARRAY_WITH_SHADOW_FLUSHED.label(), List.of("write_flush_f32_shadow_SIZE")),
            Map.entry(SpeedCase.WRITE_FLUSHED.label(), List.of("write_flush_f32_noshadow_SIZE")),
            Map.entry(SpeedCase.WRITE_WITH_SHADOW_THEN_READ.label(), List.of("roundtrip16_shadow")),
            Map.entry(SpeedCase.WRITE_THEN_READ.label(), List.of("roundtrip16_noshadow")),
            Map.entry(SpeedCase.READ.label(), List.of("read_f32_fresh_SIZE", "read_f32_pooled_SIZE", "read_tiny_SIZE")),
            Map.entry(
                    SpeedCase.READ_ARRAY.label(),
                    List.of("read_f32_fresh_SIZE", "read_f32_pooled_SIZE", "read_tiny_SIZE")),
            Map.entry(SpeedCase.OUTPUTS_SCATTERED.label(), List.of("read_f32_many_pooled_16x4KiB")),
            Map.entry(SpeedCase.OUTPUTS_NEIGHBOURS.label(), List.of("read_f32_many_pooled_16x4KiB")),
            Map.entry(SpeedCase.OUTPUTS_ONE_BY_ONE.label(), List.of("read_f32_pooled_16_separate_4KiB")),
            Map.entry(SpeedCase.HOST_COPY.label(), List.of("memcpy_SIZE")));

    private final Map<String, Double> micros;

    private ReferenceFigures(Map<String, Double> micros) {
        this.micros = Map.copyOf(micros);
    }

    /**
     * Makes an empty set of figures.
     *
     * @return no figures
     */
    public static ReferenceFigures none() {
        return new ReferenceFigures(Map.of());
    }

    /**
     * Reads figures from a file.
     *
     * @param file one JSON object a line
     * @return the figures
     * @throws UncheckedIOException if the file cannot be read
     * @throws IllegalArgumentException if a line is not a JSON object
     */
    public static ReferenceFigures read(Path file) {
        Map<String, Double> micros = new HashMap<>();
        int number = 0;
        try {
            for (String line : Files.readAllLines(file)) {
                number++;
                if (!line.isBlank()) {
                    addLine(line, micros);
                }
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ", line " + number + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
        return new ReferenceFigures(micros);
    }

    private static void addLine(String line, Map<String, Double> micros) {
        if (!(JsonValues.parse(line) instanceof Map<?, ?> fields)) {
            throw new IllegalArgumentException("expected a JSON object, got '" + line + "'");
        }
        if (fields.get("case") instanceof String name && fields.get("median_us") instanceof Number median) {
            micros.merge(name, median.doubleValue(), Math::min);
        }
    }

    /**
     * Whether there is no figure at all.
     *
     * @return true if there is none
     */
    public boolean isEmpty() {
        return micros.isEmpty();
    }

    /**
     * Finds the figure of the other arena for a row.
     *
     * @param row a row of our table
     * @return its median in microseconds, or empty if it has no such case
     */
    public OptionalDouble microsOf(SpeedRow row) {
        return THEIR_NAMES.getOrDefault(row.caseName(), List.of()).stream()
                .map(name -> micros.get(name.replace("SIZE", size(row.bytes()))))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .min();
    }

    private static String size(long bytes) {
        if (bytes >= 1 << 20) {
            return String.format(Locale.ROOT, "%dMiB", bytes >> 20);
        }
        return bytes >= 1 << 10
                ? String.format(Locale.ROOT, "%dKiB", bytes >> 10)
                : String.format(Locale.ROOT, "%dB", bytes);
    }
}
