package io.devicearena.kernels.step;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Repeats lines of a kernel that contain a mark such as {@code #Q}, with 0, 1 and so on in place of the mark. In such a
 * line {@code #C} is the number's component of a vector and {@code #H} the number of the vector.
 *
 * <p>Loops over variables of a thread are written so: an array of them would not be in registers.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
public final class RepeatedLines {
    private static final String COMPONENTS = "xyzw";

    private final Map<String, Integer> marks = new LinkedHashMap<>();

    /** Makes one without marks. */
    public RepeatedLines() {}

    /**
     * Adds a mark, or changes how often its lines are repeated.
     *
     * @param mark such as {@code #Q}
     * @param times 1 or more
     */
    public void put(String mark, int times) {
        marks.put(mark, times);
    }

    /**
     * Repeats a line for each of its marks.
     *
     * @param line of a kernel
     * @return the lines in its place: itself if it has no mark
     */
    public Stream<String> of(String line) {
        for (Map.Entry<String, Integer> mark : marks.entrySet()) {
            if (line.contains(mark.getKey())) {
                return IntStream.range(0, mark.getValue())
                        .mapToObj(i -> line.replace(mark.getKey(), Integer.toString(i))
                                .replace("#C", COMPONENTS.substring(i % 4, i % 4 + 1))
                                .replace("#H", Integer.toString(i / 4)))
                        .flatMap(this::of);
            }
        }
        return Stream.of(line);
    }
}
