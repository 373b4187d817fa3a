package io.devicearena.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/**
 * A row of the table: the time of one call, over iterations that are each the mean of many calls.
 *
 * @param caseName what is measured
 * @param provider the provider of the arena, or {@code -} for a benchmark without one
 * @param bytes f32 bytes of one call; nodes for a planner
 * @param medianMicros the median iteration
 * @param p10Micros the 10th percentile of the iterations
 * @param p90Micros the 90th percentile of the iterations
 * @param iterations the number of iterations
 */
record BenchRow(
        String caseName,
        String provider,
        long bytes,
        double medianMicros,
        double p10Micros,
        double p90Micros,
        int iterations) {

    static BenchRow of(RunResult result) {
        BenchmarkParams params = result.getParams();
        double[] micros = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
                .sorted()
                .toArray();
        String name = params.getBenchmark();
        int method = name.lastIndexOf('.');
        String type = name.substring(name.lastIndexOf('.', method - 1) + 1, method)
                .replace("Benchmark", "")
                .toLowerCase(Locale.ROOT);
        String call = name.substring(method + 1);
        return new BenchRow(
                (type.equals(call) ? type : type + " " + call) + extra(params).toLowerCase(Locale.ROOT),
                params.getParamsKeys().contains("provider") ? params.getParam("provider") : "-",
                size(params),
                quantile(micros, 0.5),
                quantile(micros, 0.1),
                quantile(micros, 0.9),
                micros.length);
    }

    private static String extra(BenchmarkParams params) {
        StringBuilder text = new StringBuilder();
        for (String key : params.getParamsKeys()) {
            if (!key.equals("provider") && !key.equals("bytes") && !key.equals("nodes")) {
                text.append(' ').append(params.getParam(key));
            }
        }
        return text.toString();
    }

    private static long size(BenchmarkParams params) {
        for (String key : List.of("bytes", "nodes")) {
            if (params.getParamsKeys().contains(key)) {
                return Long.parseLong(params.getParam(key));
            }
        }
        return CastBenchmark.BYTES;
    }

    private static double quantile(double[] sorted, double q) {
        return sorted.length == 0
                ? Double.NaN
                : Arrays.stream(sorted)
                        .skip(Math.round(q * (sorted.length - 1)))
                        .findFirst()
                        .orElse(Double.NaN);
    }
}
