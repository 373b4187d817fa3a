package io.devicearena.bench.table;

import io.devicearena.bench.json.JsonValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
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
        return Arrays.stream(SpeedCase.values())
                .filter(known -> known.label().equals(row.caseName()))
                .flatMap(known -> theirNames(known).stream())
                .map(name -> micros.get(name.replace("SIZE", size(row.bytes()))))
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .min();
    }

    private static List<String> theirNames(SpeedCase known) {
        return switch (known) {
            case WRITE_WITH_SHADOW -> List.of("write_f32_shadow_SIZE");
            case WRITE_WITH_SHADOW_FLUSHED, WRITE_ARRAY_WITH_SHADOW_FLUSHED -> List.of("write_flush_f32_shadow_SIZE");
            case WRITE_FLUSHED -> List.of("write_flush_f32_noshadow_SIZE");
            case WRITE_WITH_SHADOW_THEN_READ -> List.of("roundtrip16_shadow");
            case WRITE_THEN_READ -> List.of("roundtrip16_noshadow");
            case READ, READ_ARRAY -> List.of("read_f32_fresh_SIZE", "read_f32_pooled_SIZE", "read_tiny_SIZE");
            case OUTPUTS_SCATTERED, OUTPUTS_NEIGHBOURS -> List.of("read_f32_many_pooled_16x4KiB");
            case OUTPUTS_ONE_BY_ONE -> List.of("read_f32_pooled_16_separate_4KiB");
            case HOST_COPY -> List.of("memcpy_SIZE");
            default -> List.of();
        };
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
