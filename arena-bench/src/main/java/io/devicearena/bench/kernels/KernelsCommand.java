package io.devicearena.bench.kernels;

import io.devicearena.bench.json.JsonValues;
import io.devicearena.kernels.matrix.Matrix;
import io.devicearena.kernels.matrix.Product;
import io.devicearena.weights.tensor.TensorType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Measures products on the GPU: bytes of weights a second for one token, operations a second for many. Measures the
 * other steps of a small language model too.
 *
 * <p><b>Threads:</b> one thread at a time.
 */
@Command(
        name = "kernels",
        description =
                "Measures products of packed weights on the GPU, or other steps. Equal matrices take turns, so that"
                        + " no cache holds the next one.",
        mixinStandardHelpOptions = true,
        footer = {"", "Exit codes: 0 done, 1 an error, 2 wrong usage."})
public final class KernelsCommand implements Callable<Integer> {
    /** So many that the submission and the wait for it, some 30 µs, are no part of a step's time. */
    private static final int DISPATCHES = 256;

    /** Products of many tokens take longer, so fewer do. */
    private static final int DISPATCHES_OF_TILES = 32;

    private static final int RUNS = 9;
    private static final double TERA = 1e12;
    private static final double MICRO = 1e6;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Option(names = "--sweep", description = "All formats, and the shapes of a small language model too.")
    private boolean sweep;

    @Option(
            names = "--steps",
            description = "Attention, embedding and sampling of a small language model instead of products.")
    private boolean steps;

    @Option(
            names = "--bytes",
            paramLabel = "N",
            description = "How many bytes of weights take turns; default: ${DEFAULT-VALUE}.")
    private long bytes = 1L << 30;

    @Option(names = "--json", description = "Print one JSON document on standard output.")
    private boolean json;

    @Option(
            names = "--provider",
            paramLabel = "NAME",
            description = "The provider of the GPU; only ${DEFAULT-VALUE} runs kernels.")
    private String provider = KernelValues.PROVIDER;

    /** What was measured, in the order of the columns of the JSON document. */
    private final List<Map<String, Object>> rows = new ArrayList<>();

    /** Makes the command. */
    public KernelsCommand() {}

    @Override
    public Integer call() throws IOException {
        if (bytes < 1) {
            throw new ParameterException(spec.commandLine(), "--bytes: expected 1 or more, got " + bytes);
        }
        if (!provider.equals(KernelValues.PROVIDER)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--provider: expected " + KernelValues.PROVIDER + ", which runs kernels, got '" + provider + "'");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter text = json ? new PrintWriter(Writer.nullWriter()) : out;
        if (steps) {
            measureSteps(text);
        } else {
            measureProducts(text);
        }
        if (json) {
            JsonValues.write(rows, out);
        }
        return 0;
    }

    private void row(String name, Map<String, Object> more, double device, double wall, TimedProgram timed) {
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("case", name);
        row.putAll(more);
        row.put("deviceMicros", device * MICRO);
        row.put("wallMicros", wall * MICRO);
        row.put("device", timed.device());
        rows.add(row);
    }

    private void measureSteps(PrintWriter text) {
        text.printf(Locale.ROOT, "%-60s %12s %12s  %s%n", "step", "dispatch µs", "wall µs", "by the host's clock, on");
        for (StepCase step : StepCase.all()) {
            try (TimedProgram timed = step.record(DISPATCHES)) {
                double wall = timed.wallSeconds(RUNS);
                double device = timed.deviceSeconds();
                row(step.name(), Map.of(), device, wall, timed);
                text.printf(
                        Locale.ROOT,
                        "%-60s %12.2f %12.2f  %s%n",
                        step.name(),
                        device * MICRO,
                        wall * MICRO,
                        timed.device());
                text.flush();
            }
        }
    }

    private List<ProductCase> cases() {
        List<ProductCase> all = new ArrayList<>();
        List<TensorType> types =
                sweep ? Matrix.TYPES : List.of(TensorType.F32, TensorType.F16, TensorType.Q8_0, TensorType.Q4_K);
        types.forEach(type -> all.add(new ProductCase(type, 14336, 4096, 1)));
        types.stream()
                .filter(Product::multipliesRounded)
                .forEach(type -> all.add(new ProductCase(type, false, 14336, 4096, 1, true)));
        all.add(new ProductCase(TensorType.F32, 2048, 2048, 2048));
        if (sweep) {
            all.add(new ProductCase(TensorType.F32, true, 14336, 4096, 1, false));
            all.add(new ProductCase(TensorType.Q8_0, 262144, 640, 1));
            all.add(new ProductCase(TensorType.Q5_0, 2048, 640, 1));
            all.add(new ProductCase(TensorType.Q4_K, 640, 1024, 1));
            all.add(new ProductCase(TensorType.Q6_K, 640, 2048, 1));
            all.add(new ProductCase(TensorType.Q5_0, 2048, 640, 256));
            all.add(new ProductCase(TensorType.Q4_K, 640, 1024, 256));
            all.add(new ProductCase(TensorType.Q6_K, 640, 2048, 256));
            all.add(new ProductCase(TensorType.Q4_K, 14336, 4096, 256));
        }
        return all;
    }

    private void measureProducts(PrintWriter text) {
        text.println("format          rows x columns  tokens    device µs      wall µs     TB/s  TFLOP/s"
                + "  by the host's clock, on");
        for (ProductCase product : cases()) {
            int dispatches = product.tokens() > 1 ? DISPATCHES_OF_TILES : DISPATCHES;
            try (TimedProgram timed = ProductMeasurement.record(product, bytes, dispatches)) {
                double wall = timed.wallSeconds(RUNS);
                double device = timed.deviceSeconds();
                String size = product.rows() + " x " + product.columns();
                row(product.name() + " " + size, Map.of("tokens", product.tokens()), device, wall, timed);
                text.printf(
                        Locale.ROOT,
                        "%-14s %15s %7d %12.2f %12.2f %8.3f %8.2f  %s%n",
                        product.name(),
                        size,
                        product.tokens(),
                        device * MICRO,
                        wall * MICRO,
                        product.readBytes() / wall / TERA,
                        product.flops() / wall / TERA,
                        timed.device());
                text.flush();
            }
        }
    }
}
