package io.devicearena.bench;

import io.devicearena.bench.table.SpeedRow;
import java.util.List;
import java.util.Locale;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;

/** Makes rows of the table of what JMH measured: iterations that are each the mean of many calls. */
final class BenchRow {
    private BenchRow() {}

    static SpeedRow of(RunResult result) {
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
        return new SpeedRow(
                (type.equals(call) ? type : type + " " + call) + extra(params).toLowerCase(Locale.ROOT),
                params.getParamsKeys().contains("provider") ? params.getParam("provider") : "-",
                size(params),
                quantile(micros, 0.5),
                quantile(micros, 0.1),
                quantile(micros, 0.9),
                micros.length,
                Double.NaN);
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
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.round(q * (sorted.length - 1))];
    }
}
