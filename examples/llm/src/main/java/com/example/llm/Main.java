package com.example.llm;

import com.example.llm.model.Background;
import com.example.llm.model.Engine;
import com.example.llm.model.Sampling;
import com.example.llm.model.TokenSink;
import com.example.llm.text.ChatTemplate;
import com.example.llm.text.TextStream;
import com.example.llm.text.Tokenizer;
import com.example.llm.text.Vocabulary;
import io.devicearena.ArenaDevice;
import io.devicearena.weights.WeightFile;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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

    @Option(names = "--chat", description = "Put the prompt into the chat template of the model.")
    private boolean chat;

    @Option(names = "--json", description = "Print one line of JSON in place of text.")
    private boolean json;

    @Option(names = "--logits", paramLabel = "FILE", description = "Write the logits of the last prompt position, as f32.")
    private Path logits;

    @Parameters(paramLabel = "PROMPT", description = "Words; several are joined by spaces.", arity = "1..*")
    private List<String> prompt;

    private final Output out;
    private final PrintStream err;

    private Main(Output out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command, and ends the process with its code. */
    public static void main(String... arguments) {
        System.exit(run(System.out, System.err, arguments));
    }

    static int run(PrintStream out, PrintStream err, String... arguments) {
        CommandLine command = new CommandLine(new Main(new Output(out), err)).setExpandAtFiles(false);
        return Failure.handledBy(command, err).execute(arguments);
    }

    @Override
    public Integer call() {
        String text = String.join(" ", prompt);
        if (text.isBlank()) {
            throw new ModelException("prompt: expected a text, got an empty one");
        }
        if (count < 0) {
            throw new ModelException("--tokens: expected 0 or more, got " + count);
        }
        long start = System.nanoTime();
        Background<ArenaDevice> device = options.device();
        try (WeightFile file = WeightFile.open(options.model())) {
            Background<Prompt> prepared = Background.start("llm-prompt", () -> prompt(file, text));
            Sampling sampling = new Sampling(temperature, topK, topP, seed);
            try (StopSignal stop = new StopSignal();
                    Engine engine = options.engine(file, device, sampling)) {
                Prompt tokens = prepared.get();
                int added = generate(engine, tokens, seconds(start), stop);
                if (stop.isRequested()) {
                    err.println("llm: stopped after " + added + (added == 1 ? " token" : " tokens"));
                } else if (added < count && added > engine.context() - tokens.ids().length) { // one more than there is room for
                    throw new ModelException("context: expected room for " + count + " tokens, got " + added
                            + " before the --context of " + engine.context() + " was full");
                }
            }
        }
        return 0;
    }

    /** A text as tokens of a vocabulary. */
    private record Prompt(Vocabulary vocabulary, int[] ids) {}

    private Prompt prompt(WeightFile file, String text) {
        Vocabulary vocabulary = Vocabulary.of(file);
        Tokenizer tokenizer = new Tokenizer(vocabulary);
        int[] ids = chat ? tokenizer.encode(ChatTemplate.of(file, vocabulary).prompt(text)) : tokenizer.encode(text);
        if (ids.length > options.context()) {
            throw new ModelException(
                    "prompt: expected at most " + options.context() + " tokens, the --context, got " + ids.length);
        }
        return new Prompt(vocabulary, ids);
    }

    private static double seconds(long since) {
        return (System.nanoTime() - since) / 1e9;
    }

    /** Prints the text and the report; returns how many tokens were added. */
    private int generate(Engine engine, Prompt prompt, double loadSeconds, StopSignal stop) {
        Vocabulary vocabulary = prompt.vocabulary();
        int[] promptTokens = prompt.ids();
        long start = System.nanoTime();
        int first = engine.prefill(promptTokens);
        double prefillSeconds = seconds(start);
        if (logits != null) {
            Output.write(logits, engine.logits());
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
        if (count > 0 && sink.accept(first)) {
            engine.generate(Math.min(count - 1, engine.context() - engine.position()), sink);
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
        out.print(json ? JsonLine.of(report) + "\n" : numbers(report));
        return tokens.size();
    }

    private static String numbers(Map<String, Object> report) {
        StringBuilder lines = new StringBuilder("\n\n");
        report.forEach((name, value) -> {
            if (value instanceof Number) {
                lines.append("%-24s %s\n".formatted(name, value instanceof Double d ? "%.2f".formatted(d) : value));
            }
        });
        return lines.toString();
    }

    private void print(String piece, StringBuilder text) {
        text.append(piece);
        if (!json) {
            out.print(piece);
        }
    }
}
