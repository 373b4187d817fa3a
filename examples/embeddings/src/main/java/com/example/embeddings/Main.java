package com.example.embeddings;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceException;
import io.devicearena.kernel.StepTime;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine;

/** Sorts texts by how near they are to the first, or measures the engine. */
@Command(
        name = "embeddings",
        mixinStandardHelpOptions = true,
        version = "embeddings 1.0",
        description = "Sorts texts by how near they are in meaning to the first.")
public final class Main implements Callable<Integer> {
    @Option(names = "--model", paramLabel = "FOLDER", description = "Has model.safetensors and vocab.txt.")
    private Path model = Path.of("model");

    @Option(names = "--provider", paramLabel = "NAME", description = "Of the arena: cpu or wgpu; default: the best.")
    private String provider = "";

    @Option(names = "--precision", paramLabel = "P", description = "Of the matrices: ${COMPLETION-CANDIDATES}.")
    private Precision precision = Precision.F32;

    @Option(names = "--bench", description = "Measure the engine, in place of texts.")
    private boolean bench;

    @Option(names = "--no-weights", description = "With --bench: weights of 0, where there is no model.")
    private boolean withoutWeights;

    @Option(names = "--times", description = "With --bench: the microseconds of the kernels too, by name.")
    private boolean times;

    @Parameters(arity = "0..*", paramLabel = "TEXT", description = "The text to compare with, and the others.")
    private List<String> texts = new ArrayList<>();

    private Main() {}

    /**
     * Runs the command and ends the process.
     *
     * @param args options and texts; {@code --help} lists them
     */
    public static void main(String[] args) {
        CommandLine command = new CommandLine(new Main());
        command.setExecutionExceptionHandler((e, line, parsed) -> {
            if (e instanceof IllegalArgumentException || e instanceof IOException || e instanceof WeightFileException) {
                line.getErr().println("embeddings: " + message(e));
                return 2;
            }
            if (e instanceof DeviceException) {
                line.getErr().println("embeddings: " + e.getMessage());
                return 1;
            }
            throw e;
        });
        System.exit(command.execute(args));
    }

    private static String message(Exception e) {
        return e instanceof NoSuchFileException missing
                ? missing.getFile() + ": expected a file, got none; name the folder of the model with --model"
                : e.getMessage();
    }

    @Override
    public Integer call() throws IOException {
        if (bench != texts.isEmpty() || ((withoutWeights || times) && !bench)) {
            throw new IllegalArgumentException(
                    "expected texts, or --bench without texts, perhaps with --no-weights and --times; --help lists the"
                            + " options");
        }
        ArenaOptions options =
                provider.isEmpty() ? Embeddings.defaultOptions() : ArenaOptions.defaults().withProvider(provider);
        try (Embeddings engine = withoutWeights
                ? Embeddings.withoutWeights(options, precision)
                : Embeddings.open(model, options, precision)) {
            if (bench) {
                measure(engine);
            } else {
                compare(engine);
            }
        }
        return 0;
    }

    private void compare(Embeddings engine) {
        float[][] vectors = engine.embed(texts);
        List<Integer> others = new ArrayList<>();
        for (int i = 1; i < vectors.length; i++) {
            others.add(i);
        }
        others.sort(Comparator.comparingDouble(i -> -dot(vectors[0], vectors[i])));
        for (int i : others) {
            System.out.printf(Locale.ROOT, "%7.4f  %s%n", dot(vectors[0], vectors[i]), texts.get(i));
        }
    }

    private static double dot(float[] a, float[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (double) a[i] * b[i];
        }
        return sum;
    }

    private void measure(Embeddings engine) {
        System.out.printf(
                Locale.ROOT,
                "%s, %s, arena of %,d bytes%n",
                engine.device(),
                precision.name().toLowerCase(Locale.ROOT),
                engine.bytes());
        List<int[]> one = List.of(tokens(0, 32));
        List<int[]> many = new ArrayList<>();
        List<int[]> mixed = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            many.add(tokens(i, 32));
        }
        for (int i = 0; i < 512; i++) {
            mixed.add(tokens(i, 8 + i * 7 % 25));
        }
        print("1 x 32 tokens", 1, () -> engine.embedTokens(one));
        print("64 x 32 tokens", 64, () -> engine.embedTokens(many));
        print("512 of 8 to 32 tokens", 512, () -> engine.embedTokens(mixed));
        if (times) {
            printTimes("1 x 32 tokens", engine.times(one));
            printTimes("64 x 32 tokens", engine.times(many));
        }
    }

    private static void printTimes(String what, List<StepTime> all) {
        Map<String, Double> sums = new LinkedHashMap<>();
        for (StepTime time : all) {
            sums.merge(time.label(), time.nanos() / 1e3, Double::sum);
        }
        System.out.printf(
                Locale.ROOT,
                "%-22s %9.1f us in %d kernels%n",
                what,
                sums.values().stream().mapToDouble(Double::doubleValue).sum(),
                all.size());
        sums.forEach((label, micros) -> System.out.printf(Locale.ROOT, "    %-18s %9.1f us%n", label, micros));
    }

    /** The same tokens as in tools/compare.py. */
    static int[] tokens(int text, int length) {
        int[] tokens = new int[length];
        for (int i = 1; i < length - 1; i++) {
            tokens[i] = 1_000 + (text * 31 + i * 17) % 20_000;
        }
        tokens[0] = 101;
        tokens[length - 1] = 102;
        return tokens;
    }

    /** The median of runs over 3 s, after as long to warm up. */
    private static void print(String what, int count, Supplier<float[][]> run) {
        times(run);
        double[] seconds = times(run);
        Arrays.sort(seconds);
        double median = seconds[seconds.length / 2];
        System.out.printf(
                Locale.ROOT,
                "%-22s %9.3f ms  %,9.0f sentences/s  (best %.3f ms of %d runs)%n",
                what,
                median * 1e3,
                count / median,
                seconds[0] * 1e3,
                seconds.length);
    }

    private static double[] times(Supplier<float[][]> run) {
        List<Double> seconds = new ArrayList<>();
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < 3_000_000_000L || seconds.size() < 3) {
            long start = System.nanoTime();
            run.get();
            seconds.add((System.nanoTime() - start) * 1e-9);
        }
        return seconds.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
