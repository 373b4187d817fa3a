package com.example.llm;

import com.example.llm.model.Engine;
import com.example.llm.model.Sampling;
import com.example.llm.model.TokenSink;
import com.example.llm.text.TextStream;
import com.example.llm.text.Tokenizer;
import com.example.llm.text.Vocabulary;
import io.devicearena.ArenaOptions;
import io.devicearena.weights.WeightFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Continues a prompt with a language model. */
@Command(name = "run", mixinStandardHelpOptions = true, sortOptions = false, description = "Continues a prompt.")
public final class Main implements Callable<Integer> {
    @Mixin
    private ModelOptions options;

    @Option(names = "--tokens", description = "The most tokens to add (${DEFAULT-VALUE}).", defaultValue = "64")
    private int count;

    @Option(names = "--temperature", description = "0: the most likely token.", defaultValue = "0")
    private float temperature;

    @Option(names = "--top-k", description = "0: all tokens.", defaultValue = "0")
    private int topK;

    @Option(names = "--top-p", description = "1: all tokens.", defaultValue = "1")
    private float topP;

    @Option(names = "--seed", description = "Of chance.", defaultValue = "0")
    private long seed;

    @Option(names = "--json", description = "Print one line of JSON in place of text.")
    private boolean json;

    @Option(names = "--logits", paramLabel = "FILE", description = "Write the logits of the last prompt position, as f32.")
    private Path logits;

    @Parameters(paramLabel = "PROMPT", description = "Words; several are joined by spaces.", arity = "1..*")
    private List<String> prompt;

    private final PrintStream out;

    private Main(PrintStream out) {
        this.out = out;
    }

    /** Runs the command, and ends the process with its code: 0, or 2 with one line of what is wrong. */
    public static void main(String... arguments) {
        System.exit(run(new PrintStream(System.out, false, StandardCharsets.UTF_8), System.err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        CommandLine command = new CommandLine(new Main(out)).setExpandAtFiles(false);
        command.setParameterExceptionHandler((e, args) -> fail(err, e));
        command.setExecutionExceptionHandler((e, line, result) -> fail(err, e));
        return command.execute(arguments);
    }

    static int fail(PrintStream err, Exception e) {
        String message = e.getMessage() == null || e instanceof NoSuchFileException ? e.toString() : e.getMessage();
        err.println("llm: " + message.lines().map(String::strip).collect(Collectors.joining(" ")));
        return 2;
    }

    @Override
    public Integer call() throws IOException {
        String text = String.join(" ", prompt);
        if (text.isBlank()) {
            throw new ModelException("prompt: expected a text, got an empty one");
        }
        if (count < 0) {
            throw new ModelException("--tokens: expected 0 or more, got " + count);
        }
        ArenaOptions arena = options.arena();
        long start = System.nanoTime();
        try (WeightFile file = WeightFile.open(options.model())) {
            Vocabulary vocabulary = Vocabulary.of(file);
            int[] tokens = new Tokenizer(vocabulary).encode(text);
            if (tokens.length > options.context()) {
                throw new ModelException(
                        "prompt: expected at most " + options.context() + " tokens, the --context, got " + tokens.length);
            }
            Sampling sampling = new Sampling(temperature, topK, topP, seed);
            try (StopSignal stop = new StopSignal();
                    Engine engine = options.engine(file, arena, sampling)) {
                generate(engine, vocabulary, tokens, seconds(start), stop);
            }
        }
        return 0;
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    private void generate(
            Engine engine, Vocabulary vocabulary, int[] promptTokens, double loadSeconds, StopSignal stop)
            throws IOException {
        long start = System.nanoTime();
        int first = engine.prefill(promptTokens);
        double prefillSeconds = seconds(start);
        if (logits != null) {
            writeLogits(engine.logits());
        }
        TextStream stream = new TextStream(vocabulary);
        StringBuilder text = new StringBuilder();
        List<Integer> tokens = new ArrayList<>();
        TokenSink sink = token -> {
            if (vocabulary.isEnd(token)) {
                return false;
            }
            tokens.add(token);
            print(stream.add(token), text);
            return !stop.isRequested();
        };
        start = System.nanoTime();
        boolean going = count > 0 && sink.accept(first);
        int room = engine.context() - engine.position();
        boolean full = false;
        if (going) {
            int most = Math.min(count - 1, room);
            engine.generate(most, sink);
            full = most < count - 1 && tokens.size() == most + 1;
        }
        double decodeSeconds = seconds(start);
        print(stream.end(), text);
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("device", engine.device().name());
        report.put("promptTokens", promptTokens);
        report.put("tokens", tokens);
        report.put("text", text.toString());
        report.put("prefillTokensPerSecond", promptTokens.length / prefillSeconds);
        report.put("decodeTokensPerSecond", Math.max(0, tokens.size() - 1) / decodeSeconds);
        report.put("loadSeconds", loadSeconds);
        report.put("weightBytes", engine.weightBytes());
        report.put("stateBytes", engine.stateBytes());
        report.put("activationBytes", engine.activationBytes());
        if (json) {
            out.println(JsonLine.of(report));
        } else {
            out.printf("%n%n");
            report.forEach((name, value) -> {
                if (value instanceof Number) {
                    out.printf("%-24s %s%n", name, value instanceof Double d ? "%.2f".formatted(d) : value);
                }
            });
        }
        requireOpen();
        if (full) {
            throw new ModelException("context: expected room for " + count + " tokens, got " + tokens.size()
                    + " before the --context of " + engine.context() + " was full");
        }
    }

    private void print(String piece, StringBuilder text) {
        text.append(piece);
        if (!json) {
            out.print(piece);
            requireOpen();
        }
    }

    private void requireOpen() {
        if (out.checkError()) { // which flushes too
            throw new ModelException("output: expected an open pipe, got a closed one");
        }
    }

    private void writeLogits(float[] values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        Files.write(logits, bytes.array());
    }
}
