package com.example.onnx;

import io.devicearena.ArenaOptions;
import io.devicearena.DeviceException;
import io.devicearena.discovery.ProviderUnavailableException;
import io.devicearena.kernel.StepTime;
import io.devicearena.onnx.graph.OnnxException;
import io.devicearena.weights.tensor.WeightFileException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs an ONNX model once, and prints its outputs. */
@Command(
        name = "onnx",
        mixinStandardHelpOptions = true,
        version = "onnx 1.0",
        description = "Runs an ONNX model, and prints its outputs.")
public final class Main implements Callable<Integer> {
    private static final int SHOWN = 8;
    private static final double NANOS_OF_MILLI = 1e6;
    private static final List<Class<? extends Exception>> WRONG_USE = List.of(
            IllegalArgumentException.class, IOException.class, OnnxException.class,
            ProviderUnavailableException.class, WeightFileException.class);

    @Parameters(paramLabel = "MODEL", description = "An ONNX file.")
    private Path model;

    @Option(names = "--dim", paramLabel = "NAME=N", description = "The size of a free dimension.")
    private Map<String, Long> sizes = new HashMap<>();

    @Option(names = "--input", paramLabel = "[NAME=]FILE.npy", description = "An input; by name if there are several.")
    private List<String> inputs = List.of();

    @Option(names = "--image", paramLabel = "FILE.png", description = "The input of a model of rapidocr.")
    private Path image;

    @Option(names = "--provider", paramLabel = "NAME", description = "cpu, wgpu or cuda; default: the best.")
    private String provider = "";

    @Option(names = "--output", paramLabel = "FOLDER", description = "Write the outputs as .npy files.")
    private Path output;

    @Option(names = "--times", paramLabel = "N", description = "Measure N runs, and the steps by name.")
    private int times;

    private Main() {}

    /**
     * Runs the command and ends the process.
     *
     * @param args a model and options; {@code --help} lists them
     */
    public static void main(String[] args) {
        CommandLine command = new CommandLine(new Main());
        command.setExecutionExceptionHandler((e, line, parsed) -> {
            boolean isWrongUse = WRONG_USE.stream().anyMatch(type -> type.isInstance(e));
            if (!isWrongUse && !(e instanceof DeviceException)) {
                throw e;
            }
            boolean isMissing = e instanceof NoSuchFileException;
            line.getErr().println("onnx: " + e.getMessage() + (isMissing ? ": expected a file, got none" : ""));
            return isWrongUse ? 2 : 1;
        });
        System.exit(command.execute(args));
    }

    @Override
    public Integer call() throws IOException {
        ArenaOptions options =
                provider.isEmpty() ? ArenaOptions.defaults() : ArenaOptions.defaults().withProvider(provider);
        long begin = System.nanoTime();
        try (OnnxEngine engine = new OnnxEngine(model, List.of(sizes), options)) {
            double opened = (System.nanoTime() - begin) / NANOS_OF_MILLI;
            String device = engine.arena().device().name();
            print("%s, arena of %,d bytes, opened in %.0f ms%n", device, engine.arena().sizeBytes(), opened);
            Run run = engine.run(0);
            setInputs(run);
            for (Map.Entry<String, Tensor> out : run.run().entrySet()) {
                print(out.getKey(), out.getValue());
                if (output != null) {
                    Files.createDirectories(output);
                    out.getValue().write(output.resolve(out.getKey().replaceAll("[^A-Za-z0-9_.-]", "_") + ".npy"));
                }
            }
            if (times > 0) {
                measure(run);
            }
        }
        return 0;
    }

    private void setInputs(Run run) throws IOException {
        List<String> missing = run.inputs().keySet().stream().sorted().collect(Collectors.toList());
        for (String input : inputs) {
            String named = input.substring(0, Math.max(0, input.indexOf('=')));
            boolean isNamed = run.inputs().containsKey(named);
            String name = isNamed ? named : missing.size() == 1 ? missing.getFirst() : input;
            run.set(name, Tensor.read(Path.of(isNamed ? input.substring(named.length() + 1) : input)));
            missing.remove(name);
        }
        if (image != null && missing.size() == 1) {
            String name = missing.removeFirst();
            run.set(name, Picture.read(image, run.inputs().get(name).shape()));
        }
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException("inputs: expected files for all inputs, got none for " + missing
                    + "; name them with --input NAME=FILE.npy");
        }
    }

    private static void print(String format, Object... arguments) {
        System.out.printf(Locale.ROOT, format, arguments);
    }

    private static void print(String name, Tensor tensor) {
        String first = IntStream.range(0, Math.min(SHOWN, tensor.count()))
                .mapToObj(i -> String.format(Locale.ROOT, "%.6g", tensor.get(i)))
                .collect(Collectors.joining(" "));
        int largest = tensor.largest();
        print("%s: %s%s, largest is element %d: ", name, tensor.type(), tensor.shape(), largest);
        print("%.6g; first %s%n", tensor.get(largest), first);
    }

    private void measure(Run run) {
        double[] millis = new double[2 * times]; // the first half warms up
        for (int i = 0; i < millis.length; i++) {
            long begin = System.nanoTime();
            run.run();
            millis[i] = (System.nanoTime() - begin) / NANOS_OF_MILLI;
        }
        Arrays.sort(millis, times, 2 * times);
        print("median %.3f ms, best %.3f ms of %d runs%n", millis[times + times / 2], millis[times], times);
        run.times().stream()
                .collect(Collectors.groupingBy(
                        StepTime::label, LinkedHashMap::new, Collectors.summingLong(StepTime::nanos)))
                .forEach((label, nanos) -> print("  %-24s %9.3f ms%n", label, nanos / NANOS_OF_MILLI));
    }
}
