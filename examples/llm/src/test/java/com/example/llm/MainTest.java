package com.example.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
    @TempDir
    Path folder;

    private static void refuse(String message, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(new PrintStream(out), new PrintStream(err), arguments);
        assertEquals("llm: " + message + System.lineSeparator(), err.toString(StandardCharsets.UTF_8));
        assertEquals("", out.toString(StandardCharsets.UTF_8));
        assertEquals(2, code);
    }

    @Test
    void badInputIsOneLineAndCodeTwo() throws IOException {
        String model = new GgufWriter().with("tokenizer.ggml.model", "gpt2").write(folder.resolve("m.gguf")).toString();
        refuse("Missing required option: '--model=FILE'", "hello");
        refuse("Missing required parameter: 'PROMPT'", "--model", model);
        refuse("prompt: expected a text, got an empty one", "--model", model, " ");
        refuse("--tokens: expected 0 or more, got -1", "--model", model, "--tokens", "-1", "hello");
        refuse("--provider: expected cpu or wgpu, got 'tpu'", "--model", model, "--provider", "tpu", "hello");
        refuse("tokenizer: expected SentencePiece ('llama'), got 'gpt2'", "--model", model, "hello");
    }

    @Test
    void aPromptThatIsLongerThanTheContextIsRefused() throws IOException {
        List<String> tokens = new ArrayList<>(List.of("<unk>", "<s>", "</s>"));
        List<Integer> types = new ArrayList<>(List.of(2, 3, 3));
        for (int i = 0; i < 256; i++) {
            tokens.add("<0x%02X>".formatted(i));
            types.add(6);
        }
        String model = new GgufWriter()
                .with("tokenizer.ggml.model", "llama")
                .withTexts("tokenizer.ggml.tokens", tokens)
                .withFloats("tokenizer.ggml.scores", Collections.nCopies(tokens.size(), 0f))
                .withIntegers("tokenizer.ggml.token_type", types)
                .with("tokenizer.ggml.add_space_prefix", false)
                .write(folder.resolve("vocabulary.gguf"))
                .toString();
        refuse("prompt: expected at most 2048 tokens, the --context, got 100000", "--model", model, "a".repeat(99_999));
    }

    @Test
    void aReportIsOneLineOfJson() throws IOException {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("text", "a \"b\"\n");
        report.put("tokens", List.of(1, 2));
        report.put("prompt", new int[] {3});
        report.put("round", Map.of("bytes", 5L));
        report.put("speed", 1.5);
        assertEquals(
                "{\"text\":\"a \\\"b\\\"\\n\",\"tokens\":[1,2],\"prompt\":[3],\"round\":{\"bytes\":5},\"speed\":1.5}",
                JsonLine.of(report));
    }
}
