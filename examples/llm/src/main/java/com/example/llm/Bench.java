package com.example.llm;

import com.example.llm.model.Background;
import com.example.llm.model.Engine;
import com.example.llm.model.Sampling;
import com.example.llm.text.Tokenizer;
import com.example.llm.text.Vocabulary;
import io.devicearena.ArenaDevice;
import io.devicearena.weights.WeightFile;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures prefill and decode: one line of JSON. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Measures prefill and decode. Prints one line of JSON.")
public final class Bench implements Callable<Integer> {
    private static final String PROMPT = "The capital of France is";
    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Mixin
    private ModelOptions options;

    @Option(names = "--rounds", description = "Measured rounds (${DEFAULT-VALUE}), after one that is not.", defaultValue = "3")
    private int rounds;

    @Option(names = "--tokens", description = "Tokens of a decode round (${DEFAULT-VALUE}).", defaultValue = "256")
    private int tokens;

    @Option(names = "--prompt-tokens", description = "Tokens of a prefill round (${DEFAULT-VALUE}).", defaultValue = "500")
    private int promptTokens;

    @Option(names = "--times", description = "Add the microseconds of the dispatches of a decode step, by name.")
    private boolean times;

    private final Output out = new Output(System.out);

    private Bench() {}

    /** Runs the command, and ends the process with its code. */
    public static void main(String... arguments) {
        System.exit(Failure.handledBy(new CommandLine(new Bench()), System.err).execute(arguments));
    }

    @Override
    public Integer call() {
        if (rounds < 1 || tokens < 2 || promptTokens < 1 || Math.max(tokens + 16, promptTokens) > options.context()) {
            throw new ModelException("bench: expected 1 or more rounds, 2 or more tokens, 1 or more prompt tokens, and as"
                    + " many as the --context of " + options.context() + " has room for, got " + rounds + ", " + tokens + ", "
                    + promptTokens);
        }
        long start = System.nanoTime();
        Background<ArenaDevice> device = options.device();
        try (WeightFile file = WeightFile.open(options.model())) {
            Background<int[]> prompt =
                    Background.start("llm-prompt", () -> new Tokenizer(Vocabulary.of(file)).encode(PROMPT));
            try (Engine engine = options.engine(file, device, Sampling.GREEDY)) {
                measure(engine, prompt.get(), start);
            }
        }
        return 0;
    }

    private void measure(Engine engine, int[] few, long loadStart) {
        int[] many = new int[promptTokens];
        Arrays.setAll(many, i -> few[i % few.length]);
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("device", engine.device().name());
        report.put("loadSeconds", seconds(loadStart));
        long start = System.nanoTime();
        engine.prefill(few);
        report.put("firstTokenMillis", 1e3 * seconds(start));
        List<Map<String, Object>> measured = new ArrayList<>();
        for (int i = 0; i <= rounds; i++) {
            Map<String, Object> round = round(engine, few, many);
            if (i > 0) {
                measured.add(round);
            }
        }
        report.put("rounds", measured);
        for (String name : measured.getFirst().keySet()) {
            report.put(name, median(measured.stream()
                    .mapToDouble(round -> ((Number) round.get(name)).doubleValue())
                    .toArray()));
        }
        if (times) {
            report.put("decodeMicros", engine.decodeTimes());
        }
        report.put("weightBytes", engine.weightBytes());
        report.put("stateBytes", engine.stateBytes());
        report.put("activationBytes", engine.activationBytes());
        out.print(JsonLine.of(report) + "\n");
    }

    private Map<String, Object> round(Engine engine, int[] few, int[] many) {
        Map<String, Object> round = new LinkedHashMap<>();
        engine.restart();
        long start = System.nanoTime();
        engine.prefill(many);
        round.put("prefillTokensPerSecond", promptTokens / seconds(start));
        engine.restart();
        engine.prefill(few);
        long[] arrived = new long[tokens + 1];
        int[] count = {1};
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        arrived[0] = System.nanoTime();
        engine.generate(tokens, token -> {
            arrived[count[0]++] = System.nanoTime();
            return true;
        });
        allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
        double[] millis = new double[tokens];
        Arrays.setAll(millis, i -> (arrived[i + 1] - arrived[i]) / 1e6);
        round.put("decodeTokensPerSecond", tokens / ((arrived[tokens] - arrived[0]) / 1e9));
        round.put("decodeMedianMillis", median(millis));
        round.put("allocatedBytesPerToken", (double) allocated / tokens);
        return round;
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
