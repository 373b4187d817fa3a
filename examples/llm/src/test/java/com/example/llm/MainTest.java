package com.example.llm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
