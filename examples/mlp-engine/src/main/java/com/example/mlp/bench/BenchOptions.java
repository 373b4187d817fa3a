package com.example.mlp.bench;

import com.example.mlp.kernels.WeightLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What the bench measures: every combination of these.
 *
 * @param copies of each matrix, used in turn, so that no cache holds what is read next
 * @param repeats times that each dispatch is timed
 */
record BenchOptions(
        List<Shape> shapes,
        List<WeightLoad> formats,
        List<Integer> threads,
        List<Integer> rows,
        List<Integer> loads,
        List<Integer> tokens,
        int copies,
        int repeats) {
    static final String USAGE = """
            usage: mlp-engine --bench [OPTION...]
              --shapes 8192x8192,...   rows x columns of the weights
              --formats f32,f16,f16_packed,f16_half_packed
              --threads 32,64,128      of a workgroup
              --rows 1,2,4             that a workgroup computes
              --loads 2,4,8            of each row that a thread has in flight
              --tokens 1               inputs at a time; more make it a product of matrices
              --copies 4               of each matrix, used in turn
              --repeats 20             times that each dispatch is timed
            Every combination is measured, unless a thread would have more than 16 loads in flight. The weights' bytes alone
            count for GB/s. The best of each shape come last.""";

    static BenchOptions parse(List<String> words) {
        BenchOptions options = new BenchOptions(
                List.of(new Shape(8192, 8192), new Shape(14336, 4096), new Shape(4096, 14336)),
                List.of(WeightLoad.values()),
                List.of(32, 64, 128),
                List.of(1, 2, 4),
                List.of(2, 4, 8),
                List.of(1),
                4,
                20);
        for (int i = 0; i < words.size(); i += 2) {
            if (i + 1 == words.size()) {
                throw new IllegalArgumentException(words.get(i) + ": expected a value, got none\n" + USAGE);
            }
            options = options.with(words.get(i), List.of(words.get(i + 1).split(",")));
        }
        return options;
    }

    private BenchOptions with(String name, List<String> values) {
        return switch (name) {
            case "--shapes" ->
                new BenchOptions(
                        values.stream().map(Shape::parse).toList(),
                        formats,
                        threads,
                        rows,
                        loads,
                        tokens,
                        copies,
                        repeats);
            case "--formats" ->
                new BenchOptions(
                        shapes,
                        values.stream().map(BenchOptions::format).toList(),
                        threads,
                        rows,
                        loads,
                        tokens,
                        copies,
                        repeats);
            case "--threads" ->
                new BenchOptions(shapes, formats, numbers(name, values), rows, loads, tokens, copies, repeats);
            case "--rows" ->
                new BenchOptions(shapes, formats, threads, numbers(name, values), loads, tokens, copies, repeats);
            case "--loads" ->
                new BenchOptions(shapes, formats, threads, rows, numbers(name, values), tokens, copies, repeats);
            case "--tokens" ->
                new BenchOptions(shapes, formats, threads, rows, loads, numbers(name, values), copies, repeats);
            case "--copies" ->
                new BenchOptions(shapes, formats, threads, rows, loads, tokens, number(name, values), repeats);
            case "--repeats" ->
                new BenchOptions(shapes, formats, threads, rows, loads, tokens, copies, number(name, values));
            default -> throw new IllegalArgumentException(name + ": expected a known option, got this\n" + USAGE);
        };
    }

    private static WeightLoad format(String text) {
        try {
            return WeightLoad.valueOf(text.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "--formats: expected some of " + Arrays.toString(WeightLoad.values()) + ", got '" + text + "'", e);
        }
    }

    private static List<Integer> numbers(String name, List<String> values) {
        return values.stream().map(text -> number(name, List.of(text))).toList();
    }

    private static int number(String name, List<String> values) {
        try {
            int number = Integer.parseInt(String.join(",", values));
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException e) {
            // falls through to the message below
        }
        throw new IllegalArgumentException(name + ": expected a number of 1 or more, got '" + values + "'");
    }
}
